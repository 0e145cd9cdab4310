#!/usr/bin/env python3
"""worker_access.t -- which servers cupel worker and cupel submit speak to, how they
identify themselves, and which permissions they need."""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402
import worker_keys as keys  # noqa: E402
import worker_world as world  # noqa: E402
from worker_world import run_of  # noqa: E402


def configured(user, text, more=None):
    place = lib.make_dir(user)
    return world.Server(user, words=["-c", lib.put(user, place + "/conf", text)])


def asked(server, user, words, scheme="nats", who="", program="worker",
          env=None):
    """What a worker or a submit with nothing to do says about a server."""
    url = "%s://%s127.0.0.1:%d" % (scheme, who, server.port)
    lib.binary("cupel-worker")
    argv = [lib.binary("cupel"), program, "--nats", url]
    if program == "worker":
        argv.append("--check")
    return lib.run(argv + list(words), user, env=lib.clean_env(env))


def rows_check(tap, user, server, rows):
    """(what, how it is asked, exit status, text on stderr)"""
    for what, how, code, text in rows:
        for program in ("worker", "submit"):
            how = dict({"words": []}, **how)
            r = asked(server, user, program=program, **how)
            said = r.err.decode()
            tap.ok(r.rc == code and text in said and "secret" not in said and
                   said.count("\n") <= 1, "%s: %s ends with %d [%s]" % (
                       what, program, code, user), "%d %s" % (r.rc, said))


# --- TLS ------------------------------------------------------------------------

def tls(tap, user):
    place = lib.make_dir(user)
    ours = keys.authority(place, "ours")
    other = keys.authority(place, "other")[0]
    text = "tls { cert_file: \"%s\", key_file: \"%s\" }\n"
    good = keys.certificate(place, "good", ours,
                            "IP:127.0.0.1,DNS:localhost")
    bad = keys.certificate(place, "bad", ours, "DNS:elsewhere.example")
    subprocess.run(["chmod", "-R", "a+rX", place], check=True)
    ca = ["--tls-ca", ours[0]]
    server = configured(user, text % good)
    named_else = configured(user, text % bad)
    plain = world.Server(user)
    ok, none = "", "no connection"
    rows_check(tap, user, server, [
        ("TLS and its authority", {"scheme": "tls", "words": ca}, 0, ok),
        ("--tls-ca alone", {"words": ca}, 0, ok),
        ("another authority",
         {"scheme": "tls", "words": ["--tls-ca", other]}, 3, none),
        ("no authority", {"scheme": "tls"}, 3, none),
        ("that of the system",
         {"scheme": "tls", "env": {"SSL_CERT_FILE": ours[0]}}, 0, ok),
        ("a server that demands TLS", {}, 3, none),
    ])
    rows_check(tap, user, named_else, [
        ("another name", {"scheme": "tls", "words": ca}, 3, none),
        ("another name and --tls-ca alone", {"words": ca}, 3, none),
    ])
    rows_check(tap, user, plain, [
        ("no TLS where tls:// is said", {"scheme": "tls"}, 3, none),
        ("no TLS where --tls-ca is given", {"words": ca}, 3, none),
        ("control: no TLS where none is asked for", {}, 0, ok),
    ])
    url = server.url = "tls://127.0.0.1:%d" % server.port
    w = world.Worker(server, user, *ca, url=url).ready()
    r, got = world.submit(server, [run_of("a")], user, ca)
    tap.equal([a["outcome"] for a in got], ["done"],
              "a request by TLS is done [%s]" % user, r.stderr)
    server.restart(signal.SIGKILL)
    server.url = url
    r, got = world.submit(server, [run_of("b")], user, ca)
    tap.equal([a["outcome"] for a in got], ["done"],
              "and after a new connection [%s]" % user, r.stderr)
    w.end()
    for s in (server, named_else, plain):
        s.end()


class Listener(threading.Thread):
    """Says that it is a server without TLS, and records what it is told."""

    def __init__(self):
        super().__init__(daemon=True)
        self.heard = b""
        self.s = socket.create_server(("127.0.0.1", 0))
        self.port = self.s.getsockname()[1]
        self.start()

    def run(self):
        while True:
            a, _ = self.s.accept()
            a.sendall(b'INFO {"server_id":"x","version":"2.9.10","proto":1,'
                      b'"headers":true,"max_payload":1048576}\r\n')
            a.settimeout(3)
            try:
                part = a.recv(4096)
                self.heard += part
                while part:
                    part = a.recv(4096)
                    self.heard += part
            except OSError:
                pass
            a.close()


def overheard(tap, user):
    """With TLS required, nothing is said without TLS."""
    for scheme, said in (("tls", False), ("nats", True)):
        listener = Listener()
        asked(listener, user, [], scheme, "me:secret@", "submit")
        tap.equal(b"secret" in listener.heard, said, "%sa password and %s:// "
                  "[%s]" % ("control: " if said else "", scheme, user),
                  listener.heard)


class Refuser(Listener):
    """Refuses every client, and counts them."""
    many = 0

    def run(self):
        while True:
            a, _ = self.s.accept()
            self.many += 1
            a.sendall(b'INFO {"server_id":"x","version":"2.9.10","proto":1,'
                      b'"headers":true,"max_payload":1048576,'
                      b'"auth_required":true,"nonce":"abcdefghijklmno"}\r\n')
            a.recv(4096)
            a.sendall(b"-ERR 'Authorization Violation'\r\n")
            a.close()


def signed_again(tap, user):
    """libnats drops one signature in 256, so keys are tried again; passwords are right
    or wrong at once."""
    place = lib.make_dir(user)
    creds = lib.put(user, place + "/creds", keys.Operator(place).credentials(
        "me", [">"], [">"]), 0o600)
    for words, who, many in ((["--creds", creds], "", 3), ([], "me:secret@", 1)):
        refuser = Refuser()
        r = asked(refuser, user, words, who=who, program="submit")
        tap.equal((r.rc, refuser.many), (3, many), "%s tried %d times [%s]" % (
            "credentials are" if words else "control: a password is", many,
            user), r.err)


# --- who one is -------------------------------------------------------------------

def passwords(tap, user):
    server = configured(user, "authorization { user: me, password: secret }\n")
    none = "no connection"
    rows_check(tap, user, server, [
        ("a password", {"who": "me:secret@"}, 0, ""),
        ("a wrong one", {"who": "me:secret2@"}, 3, none),
        ("another user", {"who": "you:secret@"}, 3, none),
        ("no user", {}, 3, none),
    ])
    server.end()
    server = configured(user, "authorization { token: secret }\n")
    rows_check(tap, user, server, [
        ("a token", {"who": "secret@"}, 0, ""),
        ("a wrong one", {"who": "secret2@"}, 3, none),
        ("no token", {}, 3, none),
    ])
    server.end()


def refused_later(tap, user):
    """A server that comes back and no longer knows our user."""
    text = "authorization { user: me, password: %s }\n"
    place = lib.make_dir(user)
    conf = lib.put(user, place + "/conf", text % "secret")
    server = world.Server(user, words=["-c", conf])
    url = "nats://me:secret@127.0.0.1:%d" % server.port
    w = world.Worker(server, user, url=url).ready()
    p = world.start([lib.binary("cupel"), "submit", "--nats", url], user,
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE)
    p.stdin.write(json.dumps(run_of("a", ["/bin/sleep", "600"])).encode() +
                  b"\n")
    p.stdin.flush()
    c = world.Client(server.port, "me", "secret")
    lib.wait_until(lambda: c.request("$JS.API.CONSUMER.INFO.cupel-requests."
                                     "workers")["num_ack_pending"] == 1, 20)
    c.close()
    lib.put(user, conf, text % "other")
    server.restart()
    lib.wait_until(lambda: w.process.poll() is not None, 40)
    code = w.process.poll() or 0
    tap.ok(code == 3 and "the connection is closed" in w.said() and
           "secret" not in w.said(), "a worker that is not known any more ends "
           "[%s]" % user, "%d %s" % (code, w.said()))
    lib.wait_until(lambda: p.poll() is not None, 10)
    p.kill()
    _, said = p.communicate()
    tap.ok(p.returncode == 3 and b"the connection is closed" in said,
           "and so does submit [%s]" % user, "%d %s" % (p.returncode, said))
    server.end()


def credentials(tap, user):
    place = lib.make_dir(user)
    operator, stranger = [keys.Operator(lib.make_dir(user)) for _ in "ab"]
    server = configured(user, operator.settings())
    mine = operator.credentials("mine", [">"], [">"])
    lines = mine.splitlines()
    others = stranger.credentials("others", [">"], [">"])
    wrong = "\n".join(lines[:5] + others.splitlines()[5:]) + "\n"
    other_name = "no connection"

    def at(name, text, mode=0o600):
        return {"words": ["--creds", lib.put(user, "%s/%s" % (place, name),
                                             text, mode)]}
    link = at("open", mine, 0o644)["words"][1]
    os.symlink(link, place + "/link")
    os.mkdir(place + "/dir", 0o700)
    lib.give(user, place + "/dir")
    rows_check(tap, user, server, [
        ("credentials", at("mine", mine), 0, ""),
        ("those that a group can read", at("group", mine, 0o640), 0, ""),
        ("those that others can read", at("open", mine, 0o644), 2,
         "--creds: others can"),
        ("those that others can write", at("write", mine, 0o602), 2,
         "--creds: others can"),
        ("a link to those", {"words": ["--creds", place + "/link"]}, 2,
         "--creds: others can"),
        ("a directory", {"words": ["--creds", place + "/dir"]}, 2,
         "--creds: is not a regular file"),
        ("another operator's", at("others", others), 3, other_name),
        ("another's seed", at("wrong", wrong), 3, other_name),
        ("none", {}, 3, other_name),
        ("half of them", at("half", "\n".join(lines[:3])), 3, other_name),
        ("nothing in it", at("empty", ""), 3, other_name),
    ])
    mine = ["--creds", place + "/mine"]
    w = world.Worker(server, user, *mine).ready()
    r, got = world.submit(server, [run_of("a")], user, mine)
    tap.equal([a["outcome"] for a in got], ["done"],
              "a request by credentials is done [%s]" % user, r.stderr)
    w.end()
    server.end()


# --- what one is permitted --------------------------------------------------------

def documented(program, name="cupel"):
    """What cupel-PROGRAM(1) says must be permitted: the subjects to publish to, and
    those to subscribe to."""
    with open("%s/man/cupel-%s.1.in" % (lib.SRC, program),
              encoding="utf-8") as f:
        text = f.read().split(".SH PERMISSIONS")[1].replace("\\", "")
    published, rest = text.split(".EX\n")[1].split(".EE")
    heard = rest.split("subscribe to\n")[1].split("The subjects")[0]
    return [[x.replace("NAME", name) for x in some] for some in (
        published.split(), re.findall(r"^\.BR? (\S+)", heard, re.M))]


def worker_list(name):
    return documented("worker", name)


def submit_list(name):
    return documented("submit", name)


def but(lists, gone):
    return [[x for x in part if x != gone] for part in lists]


def shipped():
    """What each of the two users in the example may do, as lists."""
    with open(lib.SRC + "/.packaging/fleet/users.conf.example",
              encoding="utf-8") as f:
        text = f.read()
    return [[re.findall('"([^"]+)"', x) for x in re.findall(
        r"(?s)\[(.*?)\]", user)] for user in re.split(
            r"user: \w+\n", text.replace("users = [", ""))[1:]]


def told(tap):
    tap.equal([[len(x) for x in f("cupel")] for f in (worker_list, submit_list)],
              [[13, 1], [8, 2]], "the man pages list subjects")
    tap.equal(shipped(), [worker_list("cupel"), submit_list("cupel")],
              "and the settings that are shipped have the same")


def user_text(name, lists):
    # An empty list permits everything.
    publish, subscribe = [json.dumps(part or ["nothing"]) for part in lists]
    return ('{user: "%s", password: "x", permissions: {publish: %s, '
            'subscribe: %s}}\n' % (name, publish, subscribe))


FIRST_FAILS = """#!/bin/sh
[ -e %s/failed ] || { : >%s/failed; exit 5; }
exec %s "$@"
"""


class Row:
    """A user with its own streams and with one permission missing: everything that a
    worker does is tried there."""

    def __init__(self, number, gone):
        self.name, self.gone = "row%d" % number, gone and gone % {
            "name": "row%d" % number}
        self.lists = but(worker_list(self.name), self.gone)

    def begin(self, server, user):
        place = lib.make_dir(user)
        stub = lib.put(user, place + "/cupel", FIRST_FAILS % (
            place, place, lib.binary("cupel")), 0o755)
        self.worker = world.Worker(
            server, user, "--jobs", "1", "--stream", self.name, program=stub,
            url="nats://%s:x@127.0.0.1:%d" % (self.name, server.port))

    def ask(self, c):
        """A request that fails once, and one that is refused."""
        self.worker.ready()
        self.is_up = self.worker.process.poll() is None
        if self.is_up:
            for request in (run_of("a"), {"id": "b"}):
                c.request(self.name + ".requests.run",
                          json.dumps(request).encode())

    def is_over(self, c):
        return self.is_up and [
            c.state("%s-%s" % (self.name, what))["messages"]
            for what in ("requests", "answers", "failed")] == [0, 2, 1]


def permissions(tap, user):
    rows = [Row(i, x) for i, x in enumerate(
        [None] + sum(worker_list("%(name)s"), []))]
    submits = []
    for x in sum(submit_list("%(name)s"), []):
        # A stream can be made only if it does not exist yet.
        name = "new%d" % len(submits) if "CREATE" in x else "row0"
        gone = x % {"name": name}
        submits.append((gone, name, but(submit_list(name), gone)))
    server = configured(user, "authorization { users: [\n%s] }\n" % "".join(
        ['{user: "admin", password: "x"}\n'] +
        [user_text(r.name, r.lists) for r in rows] +
        [user_text("all", submit_list("row0")),
         user_text("fresh", submit_list("fresh"))] +
        [user_text("submit%d" % i, lists)
         for i, (_, _, lists) in enumerate(submits)]))
    c = world.Client(server.port, "admin", "x")
    for r in rows:
        r.begin(server, user)
    for r in rows:
        r.ask(c)
    lib.wait_until(lambda: rows[0].is_over(c), 30)
    tap.ok(rows[0].is_over(c), "a worker works with what it is permitted [%s]"
           % user, rows[0].worker.said())
    # A few seconds more, for the workers that must not get that far.
    lib.wait_until(lambda: False, 3)
    for r in rows[1:]:
        tap.ok(not r.is_over(c), "and not without %s [%s]" % (
            r.gone.replace(r.name, "NAME"), user), r.worker.said())
        r.worker.end(signal.SIGKILL)

    def submit(name, *words):
        """Begin; then (exit status, stdout, stderr)."""
        p = world.start([lib.binary("cupel"), "submit", "--nats",
                         "nats://%s:x@127.0.0.1:%d" % (name, server.port),
                         "--timeout", "6", "--stream", *words,
                         lib.put(user, lib.make_dir(user) + "/r", json.dumps(
                             run_of(name)))], user, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE)
        return lambda: p.communicate(timeout=60) + (p.returncode,)

    out, said, code = submit("all", "row0")()
    tap.ok(code == 0 and b'"done"' in out and said.count(b"\n") == 1,
           "who submits does so with what is permitted [%s]" % user, said)
    out, said, code = submit("fresh", "fresh", "--no-wait")()
    tap.equal((code, c.state("fresh-requests")["messages"]), (0, 1),
              "and makes the streams [%s]" % user, said)
    ends = [(x, submit("submit%d" % i, name))
            for i, (x, name, _) in enumerate(submits)]
    for x, end in ends:
        out, said, code = end()
        x = re.sub(r"row0|new\d+", "NAME", x)
        # Without a subscription to answers, submit asks for them instead.
        is_fine = x == "NAME.answers.*"
        tap.equal((code == 0, b'"done"' in out), (is_fine,) * 2,
                  "%s without %s [%s]" % ("also" if is_fine else "and not", x,
                                          user), said)
        said = re.sub(r"row0|new\d+", "NAME", said.decode())
        tap.ok("Permissions Violation" in said and x.rstrip("*>") in said,
               "which is named [%s]" % user, said)
    rows[0].worker.end()
    c.close()
    server.end()


world.main((), (tls, overheard, signed_again, passwords, refused_later,
                credentials, permissions), first=told)
