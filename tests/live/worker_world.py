"""worker_world.py -- a JetStream server on loopback, workers, and a client that
publishes what no honest one would.

Must:     give the server a port of the kernel's and a directory that goes away;
          end every server and worker that it started; give each part of a test
          a process and, if it wants one, a server of its own
Must not: leave loopback
"""
import atexit
import base64
import contextlib
import glob
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback

import lib

ACK_WAIT_S = 2
AT_ONCE = 4  # parts of a test, which wait for most of their time
FIELD = re.compile(r'^cupel_worker_(\w+(?:\{[^}]*\})?) ([0-9.]+)$', re.M)
# The message by which a worker has an answer stored.
ANSWER = re.compile(rb"HPUB cupel\.answers\.\S+ \S+ \d+ \d+\r\n(.*\r\n)+?\r\n"
                    rb"\{.*\}\r\n")
CASE = re.compile(r"(ok|not ok) \d+ - (.*)")
_STARTED = []


@atexit.register
def _end():
    for p in _STARTED:
        if p.poll() is None:
            p.kill()
            p.wait()


def have(needs=()):
    """None, or why there is nothing to test."""
    for program in needs:
        if not shutil.which(program):
            return program + " is not installed"
    if not os.path.exists(os.path.join(lib.BUILD, "cupel-worker")):
        return "this build has no libnats"
    path = os.environ.get("PATH", "") + ":/usr/sbin"
    if not shutil.which("nats-server", path=path):
        return "nats-server is not installed"
    return None


def start(argv, user="user", env=None, **kw):
    kw.setdefault("stdin", subprocess.DEVNULL)
    p = subprocess.Popen(lib.become(user) + list(argv), env=lib.clean_env(
        dict({"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin"}, **env or {})),
        **kw)
    _STARTED.append(p)
    return p


class Server:
    """A nats-server that can be ended and started again with its store.  `under` are
    the words of a program that starts it and passes signals on."""

    def __init__(self, user="user", jetstream=True, words=(), under=()):
        self.user, self.dir = user, lib.make_dir(user)
        self.under = list(under)
        self.port, self.words, self.jetstream = -1, list(words), jetstream
        self.begin()

    def begin(self):
        for path in glob.glob(self.dir + "/*.ports"):
            os.unlink(path)
        self.log = open(self.dir + "/log", "ab")
        js = ["-js", "-sd", self.dir + "/js"] if self.jetstream else []
        self.process = start(
            self.under + ["nats-server", "-a", "127.0.0.1", "-p", str(self.port),
             "--ports_file_dir", self.dir] + js + self.words, self.user,
            stdout=self.log, stderr=self.log)
        lib.wait_until(self.has_url, 20)
        self.port = int(self.url.rsplit(":", 1)[1])
        lib.wait_until(self.is_up, 20)

    def has_url(self):
        for path in glob.glob(self.dir + "/*.ports"):
            with contextlib.suppress(ValueError), open(path) as f:
                self.url = json.load(f)["nats"][0]
                return True
        return False

    def is_up(self):
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        return False

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait(120)
        self.log.close()

    def restart(self, how=signal.SIGTERM):
        self.end(how)
        self.begin()


class Client:
    """A client with as much of the protocol as a test needs."""

    def __init__(self, port, name="", word=""):
        self.s = socket.create_connection(("127.0.0.1", port), 10)
        self.f = self.s.makefile("rb")
        self.f.readline()
        self.s.sendall(b'CONNECT {"verbose":false,"headers":true,'
                       b'"user":"%s","pass":"%s",'
                       b'"no_responders":true}\r\nSUB _INBOX.t.* 1\r\n' % (
                           name.encode(), word.encode()))
        self.number = 0

    def message(self):
        while True:
            words = self.f.readline().split()
            if not words:
                raise ConnectionError
            if words[0] == b"PING":
                self.s.sendall(b"PONG\r\n")
            if words[0] in (b"MSG", b"HMSG"):
                data = self.f.read(int(words[-1]))
                self.f.readline()
                head = int(words[-2]) if words[0] == b"HMSG" else 0
                return words[1].decode(), data[:head], data[head:]

    def request(self, subject, data=b"", head=""):
        """The reply, as JSON."""
        self.number += 1
        inbox = "_INBOX.t.%d" % self.number
        words = ["PUB", subject, inbox, str(len(head) + len(data))]
        if head:
            words[0] = "HPUB"
            words.insert(3, str(len(head)))
        self.s.sendall(" ".join(words).encode() + b"\r\n" + head.encode() +
                       data + b"\r\n")
        while True:
            to, _, body = self.message()
            if to == inbox:
                return json.loads(body) if body else None

    def put(self, kind, data, **headers):
        """Store a request, unchanged."""
        if not isinstance(data, bytes):
            data = json.dumps(data).encode()
        head = "".join("%s: %s\r\n" % (k.replace("_", "-"), v)
                       for k, v in headers.items())
        reply = self.request("cupel.requests." + kind, data,
                             head and "NATS/1.0\r\n%s\r\n" % head)
        assert "seq" in reply, reply

    def has(self, stream):
        """Whether the stream exists."""
        return "state" in self.request("$JS.API.STREAM.INFO." + stream)

    def state(self, stream):
        return self.request("$JS.API.STREAM.INFO." + stream)["state"]

    def all_of(self, stream):
        """Every message that a stream has: (subject, its JSON)."""
        state = self.state(stream)
        found = []
        for seq in range(state["first_seq"], state["last_seq"] + 1):
            r = self.request("$JS.API.STREAM.MSG.GET." + stream,
                             b'{"seq":%d}' % seq)
            if "message" in r:
                m = r["message"]
                found.append((m["subject"], json.loads(
                    base64.b64decode(m["data"]))))
        return found

    def header_at(self, stream, seq, name):
        r = self.request("$JS.API.STREAM.MSG.GET." + stream, b'{"seq":%d}' %
                         seq)
        lines = base64.b64decode(r["message"]["hdrs"]).decode().splitlines()
        return dict(x.split(": ", 1) for x in lines if ": " in x).get(name)

    def header(self, stream, name):
        """The header of that name in the last message of a stream."""
        return self.header_at(stream, self.state(stream)["last_seq"], name)

    def headers(self, stream, name):
        """The headers of that name in all messages of a stream; none was removed."""
        state = self.state(stream)
        return [self.header_at(stream, seq, name)
                for seq in range(state["first_seq"], state["last_seq"] + 1)]

    def answer(self, number):
        """The answer with that id, or an empty one."""
        return {a["id"]: a for a in self.answers()}.get(
            number, {"outcome": None, "error": {"code": None}, "failures": -1})

    def answers(self):
        return [a for _, a in self.all_of("cupel-answers")]

    def failed(self):
        return [a for _, a in self.all_of("cupel-failed")]

    def pending(self):
        """How many requests were given to workers and are not done."""
        info = self.request("$JS.API.CONSUMER.INFO.cupel-requests.workers")
        return info.get("num_ack_pending", 0)

    def close(self):
        self.s.close()


class Worker:
    """cupel worker, with its metrics."""

    def __init__(self, server, user, *words, url=None, program=None,
                 worker="cupel-worker", env=None):
        self.dir = lib.make_dir(user)
        self.metrics = self.dir + "/metrics"
        cupel = lib.binary("cupel")
        lib.binary("cupel-worker")
        argv = [cupel, "worker"]
        if program:
            argv = [lib.binary(worker), program, "worker"]
        self.log = open(self.dir + "/log", "wb")
        self.process = start(
            argv + ["--nats", url or server.url, "--ack-wait", str(ACK_WAIT_S),
                    "--metrics", self.metrics, "--work", self.dir] +
            list(words), user, env, stdout=self.log, stderr=self.log, cwd="/")

    def said(self):
        with open(self.dir + "/log", encoding="utf-8") as f:
            return f.read()

    def ready(self):
        lib.wait_until(lambda: "ready" in self.said() or
                       self.process.poll() is not None, 20)
        return self

    def end(self, how=signal.SIGTERM, clock_s=120):
        self.process.send_signal(how)
        code = self.process.wait(clock_s)
        self.log.close()
        return code

    def count(self, name):
        """The value of a counter, after the worker ended."""
        with open(self.metrics) as f:
            found = dict(FIELD.findall(f.read()))
        return float(found[name])

    def ends(self, end):
        with open(self.metrics) as f:
            found = FIELD.findall(f.read())
        return sum(float(v) for k, v in found
                   if k.startswith("requests_total") and
                   'end="%s"' % end in k)


def submit(server, requests, user="user", words=(), clock_s=120):
    """Run `cupel submit` on requests: (how it ended, its answers)."""
    text = requests if isinstance(requests, str) else lines_of(requests)
    lib.binary("cupel-worker")
    r = subprocess.run(
        lib.become(user) + [lib.binary("cupel"), "submit", "--nats",
                            server.url] + list(words), input=text.encode(),
        capture_output=True, timeout=clock_s, env=lib.clean_env())
    return r, [json.loads(x) for x in r.stdout.splitlines()]


class Proxy(threading.Thread):
    """Between worker and server: the first message from the worker that fits the
    pattern never arrives, and while it is deaf no message does."""

    def __init__(self, port, pattern):
        super().__init__(daemon=True)
        self.to, self.pattern, self.lost = port, pattern, 0
        self.is_deaf, self.unheard = False, b""
        self.s = socket.create_server(("127.0.0.1", 0))
        self.url = "nats://127.0.0.1:%d" % self.s.getsockname()[1]
        self.start()

    def copy(self, source, target, is_up):
        while True:
            data = source.recv(1 << 20)
            if not data:
                break
            if is_up and self.is_deaf:
                self.unheard += data
                continue
            if is_up and not self.lost:
                data, self.lost = self.pattern.subn(b"", data, 1)
            target.sendall(data)
        target.close()

    def run(self):
        while True:
            a, _ = self.s.accept()
            b = socket.create_connection(("127.0.0.1", self.to))
            threading.Thread(target=self.copy, args=(a, b, True),
                             daemon=True).start()
            threading.Thread(target=self.copy, args=(b, a, False),
                             daemon=True).start()


def lines_of(requests):
    return "".join(json.dumps(r) + "\n" for r in requests)


def ids_of(text):
    """The ids of the answers, a line each, in order."""
    return sorted(json.loads(line)["id"] for line in text.splitlines())


def run_of(number, command=None, **spec):
    spec["command"] = command or ["/bin/true"]
    return {"id": str(number), "kind": "run", "spec": spec}


def shell(text):
    return ["/bin/sh", "-c", text]


def wait_answers(client, many, clock_s=120):
    end = time.monotonic() + clock_s
    while (client.state("cupel-answers")["messages"] < many and
           time.monotonic() < end):
        time.sleep(0.05)


# --- the parts of a test ----------------------------------------------------------

def _part(part, user, has_server):
    """Runs a part in a process of its own, whose stdout is a file."""
    tap = lib.Tap()
    code = 1
    try:
        if has_server:
            server = Server(user)
            part(tap, user, server)
            server.end()
        else:
            part(tap, user)
        code = 0
    except BaseException:  # whatever went wrong, the file must say so
        traceback.print_exc(file=sys.stdout)
    _end()
    sys.stdout.flush()
    os._exit(code)


def _part_begin(job):
    out = tempfile.TemporaryFile("w+")
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        os.dup2(out.fileno(), 1)
        _STARTED.clear()
        _part(*job)
    return pid, out


def _part_end(tap, job, out, status):
    """What the part printed, with the numbers of this test."""
    out.seek(0)
    for line in out.read().splitlines():
        case = CASE.match(line)
        if case:
            tap.ok(case[1] == "ok", case[2], "see above")
        else:
            print(line if line[:1] == "#" else "# " + line)
    out.close()
    if status != 0:
        tap.ok(False, "%s ends [%s]" % (job[0].__name__, job[1]),
               "status %d" % status)


def main(parts, alone=(), first=None, at_once=AT_ONCE, is_due=lib.is_due,
         needs=()):
    """Run a test: `first` with only the tap, then its parts, `at_once` at a time.
    Those in `parts` get a server, those in `alone` do not.  `is_due` says which parts
    run for which user, `needs` which programs must be installed.  If CUPEL_ONLY is in
    the environment, only parts whose names contain it run."""
    tap = lib.Tap()
    why = have(needs)
    if why:
        print("1..0 # SKIP " + why)
        return
    for name in ("cupel", "cupel-worker"):
        lib.binary(name)
    if first:
        first(tap)
    users = lib.users()
    only = os.environ.get("CUPEL_ONLY", "")
    jobs = [(part, user, some is parts) for user in users
            for some in (parts, alone) for i, part in enumerate(some)
            if only in part.__name__ and is_due(i, user, users)]
    running = {}
    while jobs or running:
        if jobs and len(running) < at_once:
            pid, out = _part_begin(jobs[0])
            running[pid] = jobs.pop(0), out
            continue
        pid, status = os.wait()
        job, out = running.pop(pid)
        _part_end(tap, job, out, status)
    tap.done()
