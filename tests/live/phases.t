#!/usr/bin/env python3
"""phases.t -- phases of a run: what they share, and that nothing else lasts.

Each attack is two programs.  In two phases, the second finds nothing of the first.
The control: when both run in one phase, one after the other, it does."""
import json
import os
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

REPORT = ('<testsuite name="s"><testcase classname="c" name="%s"/>'
          '</testsuite>')


def python(text):
    return ["/usr/bin/python3", "-c", text]


def shell(text):
    return ["/bin/sh", "-c", text]


def request(user, phases, **top):
    """A spec with these phases, in a file of the user's."""
    repo = lib.make_dir(user)
    lib.put(user, repo + "/file", "plain\n")
    doc = {"repo": repo, "phases": phases}
    doc.update(top)
    path = os.path.join(lib.make_dir(user), "job.json")
    return lib.put(user, path, json.dumps(doc))


def argv(path, *options):
    return [lib.binary("cupel"), "run", "--spec", path] + list(options)


def run(user, phases, options=(), cwd=None, down=None, **top):
    """down: the wall to take down, in the test build."""
    words = argv(request(user, phases, **top), "--json", *options)
    if down:
        words[0] = lib.binary("tests/cupel-testing")
    r = lib.run(words, user, cwd=cwd,
                env={"CUPEL_TEST_GATHER_DROP": down} if down else None)
    try:
        r.json = json.loads(r.out.decode())
    except ValueError:
        r.json = None
    return r


def names(r):
    return [(p["name"], p["status"]) for p in (r.json or {}).get("phases", [])]


def out(r, i):
    phases = (r.json or {}).get("phases", [])
    return phases[i]["stdout"].strip() if i < len(phases) else None


# --- what phases are --------------------------------------------------------------

def shares(tap, user):
    r = run(user, [
        {"name": "one", "command": shell(
            "echo a > /scratch/a; echo b > /repo/b; echo c >> /repo/file;"
            "echo '#!/bin/sh\necho rewritten' > /repo/tool;"
            "chmod +x /repo/tool; echo d > /tmp/d")},
        {"name": "two", "command": shell(
            "cat /scratch/a /repo/b /repo/file /tmp/d; /repo/tool")}])
    tap.equal(names(r), [("one", "OK"), ("two", "OK")],
              "two phases run in order [%s]" % user, r.brief())
    tap.equal(out(r, 1), "a\nb\nplain\nc\nd\nrewritten",
              "the second finds the files of the first, also those that it "
              "executes [%s]" % user)
    tap.equal(lib.schema_errors(r.out, "result.schema.json"), [],
              "the result is valid [%s]" % user)
    tap.ok(r.json["spec_hash"] not in
           [p["spec_hash"] for p in r.json["phases"]] and
           len({p["traceId"] for p in r.json["phases"]}) == 1,
           "a hash for the whole, one trace id for all [%s]" % user)
    repo = json.load(open(r.argv[3]))["repo"]
    tap.equal(open(repo + "/file").read(), "plain\n",
              "the repository is as it was [%s]" % user)


def hashes(tap, user):
    """The hash of a request is made of all its phases, also if the first of them
    cannot be planned: here root has no capabilities, a user no cgroup."""
    repo = lib.make_dir(user)
    before = (["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
              if user == "root" else [])
    found = []
    for last in ("/bin/true", "/bin/false", "/bin/true"):
        path = request(user, [{"name": "a", "command": ["/bin/true"]},
                              {"name": "b", "command": [last]}],
                       repo=repo, cpu_max=0.5)
        r = lib.run(argv(path, "--json"), user, before=before)
        found.append(json.loads(r.out.decode()))
    if user != "root" and found[0]["status"] == "OK":
        return tap.ok(True, "what cannot be planned # SKIP a user has a cgroup")
    of = [f["spec_hash"] for f in found]
    tap.ok({f["status"] for f in found} == {"INTERNAL_ERROR"} and
           of[0] == of[2] != of[1], "what cannot be planned has its own hash [%s]"
           % user, "%s %s" % (of, r.brief()))


def own(tap, user):
    """Each has limits, a network, variables and a profile of its own."""
    r = run(user, [
        {"name": "a", "network": "loopback", "env": {"X": "1"}, "nofile": 77,
         "command": shell("ulimit -n; echo $X$Y; ls /sys 2>&1 | wc -l;"
                          "cat /etc/resolv.conf; wc -l < /proc/net/dev")},
        {"name": "b", "profile": "test", "network": "scoped",
         "egress": ["host.example:443"], "trace": "exec",
         "command": shell("echo $X$Y; cat /etc/resolv.conf; exec /bin/true")},
        {"name": "c", "command": shell("echo $X$Y; cat /etc/resolv.conf;"
                                       "ulimit -n")}],
            env={"Y": "2"}, profile="default", network="none")
    tap.equal(out(r, 0).split()[:2], ["77", "12"],
              "limits and variables are a phase's own [%s]" % user, r.brief())
    tap.equal(out(r, 1), "2\nnameserver 127.0.0.1",
              "scoped egress in one of them [%s]" % user, r.brief())
    tap.equal(out(r, 2), "2\n256",
              "and nothing of it in the next [%s]" % user, r.brief())
    phases = r.json["phases"]
    tap.ok(phases[0]["trace"] is None and phases[2]["trace"] is None and
           any(e["path"].endswith("/true")
               for e in phases[1]["trace"]["events"]),
           "a trace of one of them [%s]" % user, phases[1]["trace"])


def enforced(tap, user):
    """The result of a phase has what a run of the same request has."""
    one = ["--repo-mode", "overlay", "--network", "loopback"]
    single = lib.go(user, one, "/bin/true")
    r = run(user, [{"name": n, "command": ["/bin/true"]} for n in "ab"],
            network="loopback")

    def standing(result):
        return {k: v["applied"] for k, v in result["enforced"].items()
                if isinstance(v, dict) and "applied" in v}
    for p in r.json["phases"]:
        tap.equal(standing(p), standing(single.json),
                  "phase %s has the walls of a run [%s]" % (p["name"], user))


def ends(tap, user):
    fail = {"command": shell("echo said; echo err >&2; exit 3")}
    fine = {"command": ["/bin/true"]}
    r = run(user, [dict(fine, name="a"), dict(fail, name="b"),
                   dict(fine, name="c")])
    tap.equal((r.rc, r.status, names(r), r.json["stdout"]),
              (3, "FAILED", [("a", "OK"), ("b", "FAILED")], "said\n"),
              "the first that fails ends the list and is told [%s]" % user)
    r = run(user, [dict(fail, name="a", goes_on=True), dict(fine, name="b")])
    tap.equal((r.rc, r.status, names(r)),
              (0, "OK", [("a", "FAILED"), ("b", "OK")]),
              "one that goes on does not [%s]" % user)
    r = run(user, [dict(fine, name="a"), dict(fail, name="b", goes_on=True)])
    tap.equal((r.rc, r.status), (0, "OK"),
              "nor where it is the last [%s]" % user)
    r = run(user, [{"name": "a", "command": ["sleep", "20"],
                    "wall_time_s": 0.3}, dict(fine, name="b")])
    tap.equal((r.rc, r.status, len(names(r))), (124, "TIMEOUT", 1),
              "a time limit is of a phase [%s]" % user)


REFUSED = [
    ({"phases": []}, "phases: expected an array of 1 to 16 objects"),
    ({"phases": [{"name": "a"}]}, "phases[0]: command is missing"),
    ({"phases": [{"command": ["x"]}]}, "phases[0]: name is missing"),
    ({"phases": [{"name": "a b", "command": ["x"]}]}, "phases[0].name"),
    ({"phases": [{"name": "a", "command": ["x"]}] * 2},
     "'a' is already the name of phases[0]"),
    ({"phases": [{"name": "a", "command": ["x"]}] * 17}, "1 to 16"),
    ({"phases": [{"name": "a", "command": ["x"]},
                 {"name": "b", "command": ["x"], "wall_time_s": -1}]},
     "phases[1].wall_time_s"),
    ({"phases": [{"name": "a", "command": ["x"], "repo": "/tmp"}]},
     "phases[0].repo: unknown key"),
    ({"phases": [{"name": "a", "command": ["x"], "nonsense": 1}]},
     "phases[0].nonsense: unknown key"),
    ({"phases": [{"name": "a", "command": ["x"], "network": "scoped"}]},
     "phases[0]: --network: scoped needs"),
    ({"phases": [{"name": "a", "command": ["x"], "env": {"MY_TOKEN": "1"}}]},
     "phases[0]: --env"),
    ({"phases": [{"name": "a", "command": ["x"], "goes_on": 1}]},
     "phases[0].goes_on: expected true or false"),
    ({"phases": [{"name": "a", "command": ["x"]}], "command": ["y"]},
     "each phase has its own command"),
    ({"phases": [{"name": "a", "command": ["x"]}], "artifact": ["/tmp/x"]},
     "--artifact: belongs in a phase"),
    ({"phases": [{"name": "a", "command": ["x"]},
                 {"name": "b", "command": ["x"], "profile": "parser"}]},
     "phases[1].profile"),
]


def refuses(tap, user):
    for doc, words in REFUSED:
        r = run(user, doc["phases"],
                **{k: v for k, v in doc.items() if k != "phases"})
        tap.ok(r.rc == 2 and words in r.err.decode(),
               "%s [%s]" % (words, user), r.brief())
    for backend in ("landlock", "rlimits"):
        r = run(user, [{"name": "a", "command": ["/bin/true"]}],
                backend=backend)
        tap.ok(r.rc == 1 and r.status == "INTERNAL_ERROR" and
               r.get("cause") == "host" and not r.get("started") and
               "phases need namespaces" in r.get("message"),
               "--backend %s has no phases [%s]" % (backend, user), r.brief())


# --- files that leave --------------------------------------------------------------

def artifacts(tap, user):
    to = lib.make_dir(user)
    secret = lib.put(user, os.path.join(to, "secret"), "secret\n")
    r = run(user, [
        {"name": "a", "artifact": ["/scratch/x:%s/a" % to],
         "command": shell("echo 1 > /scratch/x")},
        {"name": "b", "artifact": ["/scratch/x:%s/b" % to],
         "command": shell("echo 2 >> /scratch/x; ln -s %s /scratch/l" %
                          secret)},
        {"name": "c", "artifact": ["/scratch/l:%s/c" % to],
         "command": ["/bin/true"]}])
    got = [p["artifacts"][0] for p in r.json["phases"]]
    tap.equal([open("%s/%s" % (to, n)).read() for n in "ab"],
              ["1\n", "1\n2\n"], "each phase's artifact leaves [%s]" % user)
    tap.ok(got[2]["skipped"] == "not_regular" and
           not os.path.exists(to + "/c"),
           "a link that an earlier one left is not followed [%s]" % user, got)


AT = "/scratch/out/f"
PLANT = "mkdir -p /scratch/out; echo planted > %s" % AT
DAEMON = ("import os,sys,time\n"
          "r,w=os.pipe()\n"
          "if os.fork(): os.read(r,1); os._exit(0)\n"
          "os.setsid()\n"
          "f=open('/scratch/out/f','r+b',0)\n"
          "os.write(w,b'x')\n"
          "while True: f.seek(0); f.write(b'planted')\n")
# what the first phase does; what the second does, which does not write the file
LEFT = [
    ("a file", PLANT, ""),
    ("a file of tomorrow", PLANT + "; touch -d '+1 day' " + AT, ""),
    ("a file of 1970", PLANT + "; touch -d @0 " + AT, ""),
    ("a file that is renamed and back", PLANT,
     "mv {0} {0}.x; mv {0}.x {0}"),
    ("a file whose directory is renamed and back", PLANT,
     "mv /scratch/out /scratch/o; mv /scratch/o /scratch/out"),
    ("a file that could not be read", PLANT + "; chmod 0 " + AT,
     "chmod 644 {0}"),
    ("a file in a directory that could not be read",
     PLANT + "; chmod 0 /scratch/out", "chmod 755 /scratch/out"),
    ("a file with another name, which goes", PLANT + "; ln %s /scratch/x" % AT,
     "rm /scratch/x"),
    ("a file with another name, which is touched",
     PLANT + "; ln %s /scratch/x" % AT, "touch /scratch/x"),
    ("a file with another name, which is a log",
     PLANT + "; ln %s /scratch/x" % AT, "echo >> /scratch/x"),
    ("a file that a daemon has open and writes to",
     PLANT + '; exec /usr/bin/python3 -c "$D"', ""),
]
OWN = [
    ("a file that it writes anew", PLANT, "echo planted > {0}"),
    ("a file that it adds to", PLANT, "echo more >> {0}"),
    ("a file that it puts in the place", PLANT,
     "echo planted > {0}.x; mv {0}.x {0}"),
    ("a file in the place of a link",
     "mkdir /scratch/out; ln -s /scratch/y " + AT, "rm {0}; echo x > {0}"),
]


def earlier(tap, user):
    """A file that an earlier phase left is no artifact of a later phase that did not
    write to it, whether the file is named or its directory."""
    rows = [(LEFT, AT, "earlier_phase"), (LEFT, "/scratch/out", "earlier_phase"),
            (OWN, AT, None), (OWN, "/scratch/out", None)]
    for table, path, want in rows:
        for what, before, then in table:
            to = os.path.join(lib.make_dir(user), "to")

            def both(**kw):
                return run(user, [
                    {"name": "a", "command": shell(before),
                     "env": {"D": DAEMON}},
                    {"name": "b", "artifact": ["%s:%s" % (path, to)],
                     "command": shell(then.format(AT) or ":")}], **kw)

            def seen(r):
                return [(a["path"], a["skipped"]) for p in
                        (r.json or {}).get("phases", [])[1:]
                        for a in p["artifacts"]]
            r = both()
            tap.ok(seen(r) == [(AT, want)] and
                   os.path.exists(to) == (want is None),
                   "%s is %s phase's, as %s [%s]" % (
                       what, "an earlier" if want else "this", path, user),
                   str(seen(r)) + r.brief())
            if want and path == AT:
                r = both(down="old_files")
                tap.ok(seen(r) == [(AT, None)] and
                       open(to).read().startswith("planted"),
                       "control: %s leaves [%s]" % (what, user),
                       str(seen(r)) + r.brief())
    one = run(user, [{"name": "a", "command": shell(PLANT),
                      "artifact": [AT + ":" + to + "2"]}])
    tap.equal(one.json["phases"][0]["artifacts"][0]["skipped"], None,
              "the first phase's own leaves [%s]" % user)
    many = run(user, [
        {"name": "a", "command": shell(PLANT + "; echo 1 > /scratch/out/e")},
        {"name": "b", "command": shell("echo 2 > /scratch/out/g; "
                                       "echo 3 > /scratch/out/e"),
         "artifact": ["/scratch/out:" + to + "3"]}])
    tap.equal([(a["path"][-1], a["skipped"])
               for a in many.json["phases"][1]["artifacts"]],
              [("e", None), ("f", "earlier_phase"), ("g", None)],
              "of a directory the files that it wrote leave [%s]" % user)


def reports(tap, user):
    at = "/scratch/report.xml"

    def phase(name, text):
        return {"name": name, "report": "junit:" + at, "command": shell(text)}

    def seen(r):
        return [(p["payload_status"],
                 p["payload"] and p["payload"]["tests"]["passed"])
                for p in r.json["phases"]]
    write = "printf '%%s' '%s' > %s" % (REPORT % "x", at)
    r = run(user, [phase("a", write), phase("b", write)])
    tap.equal(seen(r), [("valid", 1)] * 2,
              "each phase has its report [%s]" % user, r.brief())
    r = run(user, [phase("a", write), phase("b", "true")])
    tap.equal(seen(r), [("valid", 1), ("absent", None)],
              "what an earlier one left is no report of this one [%s]" % user,
              r.out[-1500:])
    r = run(user, [phase("a", write), phase("b", "mv %s %s.x; cp %s.x %s" %
                                            (at, at, at, at))])
    tap.equal(seen(r), [("valid", 1)] * 2,
              "what it makes itself is [%s]" % user, r.out[-1500:])
    for what, before, then in (
            ("though a link to it is gone", "ln %s /scratch/cache" % at,
             "rm /scratch/cache"),
            ("though a link to it is written to", "ln %s /scratch/cache" % at,
             "echo >> /scratch/cache"),
            ("though it could not be read before", "chmod 0 " + at,
             "chmod 644 " + at)):
        r = run(user, [phase("a", write + "; " + before), phase("b", then)])
        tap.equal(seen(r)[1:], [("absent", None)],
                  "nor is it, %s [%s]" % (what, user), r.out[-1500:])
    for what, then in (
            ("renamed and back", "mv {0} {0}.x; mv {0}.x {0}"),
            ("linked, and the link in its place",
             "ln {0} {0}.x; rm {0}; mv {0}.x {0}"),
            ("of other rights", "chmod 600 {0}")):
        r = run(user, [phase("a", write), phase("b", then.format(at))])
        tap.equal(seen(r), [("valid", 1), ("absent", None)],
                  "nor is it, %s [%s]" % (what, user), r.out[-1500:])
    place = "/scratch/reports/"
    each = ("mkdir -p %s; printf '%%%%s' '%s' > %s%%s.xml"
            % (place, REPORT % "x", place))

    def many(name, text):
        return {"name": name, "report": "junit:" + place,
                "command": shell(text)}
    r = run(user, [many("a", each % "1"), many("b", each % "2"),
                   many("c", "true")])
    tap.equal(seen(r), [("valid", 1)] * 2 + [("absent", None)],
              "of a directory each phase has its own [%s]" % user,
              r.out[-1500:])
    r = run(user, [many("a", each % "1" + "; chmod 0 " + place),
                   many("b", "chmod 755 " + place)])
    tap.equal(seen(r)[1:], [("absent", None)],
              "nor of one that could not be read [%s]" % user, r.out[-1500:])
    r = run(user, [phase("a", "ln -s /scratch/other %s; printf '%%s' '%s' "
                         "> /scratch/other" % (at, REPORT % "x"))])
    tap.equal(seen(r), [("rejected", None)],
              "a link is not followed [%s]" % user, r.out[-1500:])


# --- what must not last --------------------------------------------------------------

SEE_PROC = ("import os,time\n"
            "n=[p for p in os.listdir('/proc') if p.isdigit() and "
            "'waiter' in open('/proc/'+p+'/comm').read()]\n"
            "print('found' if n else 'nothing')\n")
COMM = "import ctypes; ctypes.CDLL(None).prctl(15, b'%s', 0, 0, 0)\n"
# The rest runs in a daemon, and the starter waits until the daemon calls ready().
HOLD = ("import os,sys,time,socket\n"
        "r,w=os.pipe()\n"
        "if os.fork(): os.close(w); os.read(r,1); os._exit(0)\n"
        "os.setsid()\n"
        "if os.fork(): os._exit(0)\n"
        + COMM % "waiter" +
        "def ready(): os.write(w,b'x'); os.close(w)\n"
        "for n in (0,1,2):\n os.close(n)\n")
# (name, first program, second program); the second says "found".
LASTING = [
    ("daemon", HOLD + "ready(); time.sleep(30)\n", SEE_PROC),
    ("daemon that writes later",
     HOLD + "ready()\n"
     "while not os.path.exists('/scratch/go'): time.sleep(0.01)\n"
     "open('/scratch/done','w'); time.sleep(30)\n",
     "import os,time\nopen('/scratch/go','w')\n"
     "for i in range(100):\n"
     " time.sleep(0.01)\n"
     " if os.path.exists('/scratch/done'): break\n"
     "print('found' if os.path.exists('/scratch/done') else 'nothing')\n"),
    ("pid file", HOLD + "open('/scratch/pid','w').write(str(os.getpid()))\n"
     "ready(); time.sleep(30)\n",
     "import os\npid=int(open('/scratch/pid').read())\n"
     "try:\n os.kill(pid,0); own=open('/proc/%d/comm'%pid).read()\n"
     "except OSError: own=''\n"
     "print('found' if 'waiter' in own else 'nothing')\n"),
    ("listening socket",
     HOLD + "s=socket.socket(); s.setsockopt(1,2,1)\n"
     "s.bind(('127.0.0.1',4711)); s.listen(); ready()\n"
     "time.sleep(30)\n",
     "import socket\ns=socket.socket()\n"
     "print('found' if s.connect_ex(('127.0.0.1',4711))==0 else 'nothing')\n"),
    ("resolver in the background",
     HOLD + "s=socket.socket(2,2); s.bind(('127.0.0.1',5353)); ready()\n"
     "while True:\n m,a=s.recvfrom(99); s.sendto(b'answer',a)\n",
     "import socket\ns=socket.socket(2,2); s.settimeout(1)\n"
     "s.sendto(b'q',('127.0.0.1',5353))\n"
     "try: print('found' if s.recv(9)==b'answer' else 'nothing')\n"
     "except OSError: print('nothing')\n"),
    ("connection kept open",
     HOLD + "l=socket.socket(); l.bind(('127.0.0.1',0)); l.listen()\n"
     "c=socket.create_connection(l.getsockname()); a,_=l.accept()\n"
     "ready()\n"
     "while True:\n"
     " if os.path.exists('/scratch/go2'):\n"
     "  c.send(b'x'); a.recv(1); open('/scratch/sent','w'); time.sleep(30)\n"
     " time.sleep(0.01)\n",
     "import os,time\nopen('/scratch/go2','w')\n"
     "for i in range(100):\n"
     " time.sleep(0.01)\n"
     " if os.path.exists('/scratch/sent'): break\n"
     "print('found' if os.path.exists('/scratch/sent') else 'nothing')\n"),
    ("abstract socket",
     HOLD + "s=socket.socket(socket.AF_UNIX); s.bind(b'\\0there')\n"
     "s.listen(); ready(); time.sleep(30)\n",
     "import socket\ns=socket.socket(socket.AF_UNIX)\n"
     "print('found' if s.connect_ex(b'\\0there')==0 else 'nothing')\n"),
    ("socket file with a server",
     HOLD + "s=socket.socket(socket.AF_UNIX); s.bind('/scratch/sock')\n"
     "s.listen(); ready(); time.sleep(30)\n",
     "import socket\ns=socket.socket(socket.AF_UNIX)\n"
     "print('found' if s.connect_ex('/scratch/sock')==0 else 'nothing')\n"),
    ("System V memory",
     "import ctypes\nc=ctypes.CDLL(None)\n"
     "assert c.shmget(0x4711,4096,0o1600)>=0\n",
     "import ctypes\nc=ctypes.CDLL(None)\n"
     "print('found' if c.shmget(0x4711,4096,0o600)>=0 else 'nothing')\n"),
    # When nobody is in a network namespace any more, the kernel still keeps the
    # ports that were just closed.
    ("port that was in use",
     "import socket\nl=socket.socket(); l.setsockopt(1,2,1)\n"
     "l.bind(('127.0.0.1',4711)); l.listen()\n"
     "c=socket.create_connection(('127.0.0.1',4711)); a,_=l.accept()\n"
     "a.close(); c.recv(1); c.close(); l.close()\n",
     "import socket\ns=socket.socket()\n"
     "try: s.bind(('127.0.0.1',4711)); print('nothing')\n"
     "except OSError: print('found')\n"),
    ("lock on a shared file",
     HOLD + "import fcntl\nf=open('/scratch/lock','w')\n"
     "fcntl.flock(f,fcntl.LOCK_EX); ready(); time.sleep(30)\n",
     "import fcntl\nf=open('/scratch/lock','a')\n"
     "try: fcntl.flock(f,fcntl.LOCK_EX|fcntl.LOCK_NB); print('nothing')\n"
     "except OSError: print('found')\n"),
]


def lasting(tap, user):
    for name, first, second in LASTING:
        r = run(user, [
            {"name": "one", "command": python(first)},
            {"name": "two", "command": python(second)}], profile="test",
                network="loopback", report="none")
        tap.equal((names(r), out(r, 1)),
                  ([("one", "OK"), ("two", "OK")], "nothing"),
                  "%s: does not last [%s]" % (name, user), r.brief())
        both = ("import subprocess,sys\n"
                "subprocess.run([sys.executable,'-c',%r],check=True)\n"
                "subprocess.run([sys.executable,'-c',%r],check=True)\n"
                % (first, second))
        r = run(user, [{"name": "both", "command": python(both)}],
                profile="test", network="loopback", report="none")
        tap.equal(out(r, 0), "found",
                  "%s: is there within one phase [%s]" % (name, user),
                  r.brief())


def tables(tap, user):
    """No mount can be left, because none can be made: each table is the same."""
    see = ("import os\n"
           "m=sorted(l.split(' - ')[0].split()[4]+' '+l.split()[5]"
           " for l in open('/proc/self/mountinfo'))\n"
           "print('\\n'.join(m))\n")
    r = run(user, [{"name": n, "command": python(see)} for n in "abc"])
    tap.ok(out(r, 0) and out(r, 0) == out(r, 1) == out(r, 2),
           "the mounts of all phases are the same [%s]" % user, r.out[-800:])
    tap.ok("new" not in [x.split()[0].strip("/")
                         for x in (out(r, 2) or "").split("\n") if x],
           "the holder's are not among them [%s]" % user)
    r = run(user, [
        {"name": "a", "goes_on": True,
         "command": shell("mount -t tmpfs x /scratch")},
        {"name": "b", "command": shell(
            "ls -a / | tr '\\n' ' '; cat /proc/1/comm; ls /proc | "
            "grep -c '^[0-9]'")}])
    tap.ok(names(r)[0][1] in ("FORBIDDEN_SYSCALL", "FAILED"),
           "a mount is refused [%s]" % user, names(r))
    tap.ok(".void" not in out(r, 1) and "new" not in out(r, 1).split(),
           "nothing of the holder has a name inside [%s]" % user, out(r, 1))


def scratch(tap, user):
    r = run(user, [
        {"name": "a", "goes_on": True,
         "command": shell("dd if=/dev/zero of=/scratch/f bs=64k")},
        {"name": "b", "command": shell(
            "dd if=/dev/zero of=/scratch/g bs=64k count=16 2>&1 | "
            "grep -c 'No space'; rm /scratch/f;"
            "dd if=/dev/zero of=/scratch/g bs=64k count=16 2>/dev/null && "
            "echo room")}],
            scratch_bytes="4M")
    tap.equal(out(r, 1), "1\nroom",
              "the scratch is one for all phases: full is full [%s]" % user,
              r.brief())


# --- ends ------------------------------------------------------------------------------

def children_of(pid):
    found = []
    for child in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % child) as f:
                words = f.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if words[1] == str(pid) and words[0] not in "ZX":
            found.append(int(child))
    return found


def mark():
    return "ph%d" % (time.monotonic_ns() % 10 ** 11)


def started(user, name, second="sleep"):
    """cupel in its second phase, where a process has that name as its comm."""
    code = COMM % name + "import time; time.sleep(60)"
    path = request(user, [
        {"name": "a", "command": ["/bin/true"]},
        {"name": "b", "command": python(code)},
        {"name": "c", "command": ["/bin/true"]}])
    p = lib.start(argv(path, "--json"), user)
    good, _ = lib.wait_until(lambda: lib.processes_named(name), 30)
    return p, good


def holders_own(tap, user):
    """While a phase runs, the holder has open what it had before, and nothing of an
    earlier phase or of the host."""
    told = "the holder has its socket and the phase's pidfd [%s]" % user
    if os.geteuid() != 0:
        tap.ok(True, told + " # SKIP only root sees what the holder has open")
        return
    name, later = mark(), mark()
    code = COMM + "import time; time.sleep(%s)"
    path = request(user, [
        {"name": "a", "command": python(code % (name, 4))},
        {"name": "b", "command": python(code % (later, 60))}])
    p = lib.start(argv(path, "--json"), user)
    seen = []
    for comm in name, later:
        lib.wait_until(lambda: lib.processes_named(comm), 30)
        seen.append(opened(holder_of(p)))
    p.send_signal(signal.SIGTERM)
    p.communicate()
    tap.equal(seen, [["anon_inode:[pidfd]", "socket"]] * 2, told)


def opened(pid):
    at = "/proc/%d/fd" % pid
    try:
        return sorted(os.readlink(at + "/" + n).split(":[")[0]
                      if n and "pidfd" not in os.readlink(at + "/" + n)
                      else "anon_inode:[pidfd]" for n in os.listdir(at))
    except OSError as e:
        return str(e)


def inside(tap, user):
    """The command of a later phase has no more open than that of a run."""
    see = shell("ls -l /proc/self/fd | sed 's/.* -> //; s/:.*//' | sort | "
                "tr '\\n' ' '")
    r = run(user, [{"name": n, "command": see} for n in "abc"])
    one = lib.go(user, "--repo-mode=overlay", *see)
    tap.ok(out(r, 0) == out(r, 1) == out(r, 2) == one.json["stdout"].strip(),
           "the descriptors of a phase are those of a run [%s]" % user,
           (one.json["stdout"], r.out[-800:]))


def one_child(pid):
    """Its child, if it has one alone, which stays; or 0: others come and go at the
    start."""
    found = children_of(pid)
    time.sleep(0.1)
    return found[0] if len(found) == 1 and children_of(pid) == found else 0


def holder_of(p):
    """The holder of a run's files; 0: there is none in time."""
    found = [0]
    lib.wait_until(lambda: found.append(one_child(p.pid)) or found[-1], 30)
    return found[-1]


def deaf(tap, user):
    """If the holder does not answer, signals and the wall time still end the run."""
    for what, stops in (("makes no files", False), ("makes no phase", True)):
        for how in ("signal", "wall time"):
            name = mark()
            path = request(user, [
                {"name": "a", "command": python(
                    COMM % name + "import time; time.sleep(3)")},
                {"name": "b", "command": ["/bin/true"]}],
                wall_time_s=8 if how == "wall time" else 60, kill_after_s=1)
            env = {}
            if not stops:
                env["CUPEL_TEST_DROP"] = "ready"
            words = argv(path, "--json")
            words[0] = lib.binary("tests/cupel-testing")
            begun = time.monotonic()
            p = lib.start(words, user, env=env)
            good, _ = lib.wait_until(
                lambda: lib.processes_named(name) or not stops, 30)
            holder = holder_of(p)
            if stops and holder:
                os.kill(holder, signal.SIGSTOP)
                lib.wait_until(lambda: not lib.processes_named(name), 20)
            time.sleep(0.3)
            if how == "signal":
                p.send_signal(signal.SIGTERM)
            r = lib.finish(p, begun, [])
            r.json = json.loads(r.out.decode())
            took = time.monotonic() - begun
            last = ("KILLED_TERM" if how == "signal" else "INTERNAL_ERROR")
            wanted = [("a", "OK"), ("b", last)] if stops else [("a", last)]
            tap.ok(good and names(r) == wanted and holder and
                   not os.path.exists("/proc/%d" % holder),
                   "a holder that %s: a %s ends the run [%s]"
                   % (what, how, user), (took, r.brief()))
            tap.clock("a holder that %s: a %s [%s]" % (what, how, user), took, 30)


def attests(tap, user):
    """The walls that the holder built are checked again as a phase sees them."""
    env = {"CUPEL_TEST_DROP": "attest"}
    path = request(user, [{"name": "a", "command": ["/bin/true"]}])
    words = argv(path, "--json")
    words[0] = lib.binary("tests/cupel-testing")
    r = lib.run(words, user, env=env)
    r.json = json.loads(r.out.decode())
    tap.ok(names(r) == [("a", "INTERNAL_ERROR")] and not r.get("started") and
           "root_readonly" in r.get("message"),
           "a root that can be written to is told, and nothing started [%s]"
           % user, r.brief())
    r = lib.run([words[0]] + words[1:], user)
    r.json = json.loads(r.out.decode())
    tap.equal(names(r), [("a", "OK")], "without that it runs [%s]" % user)


def killed(tap, user):
    name = mark()
    p, good = started(user, name)
    p.kill()
    p.wait()
    gone, _ = lib.wait_until(lambda: not lib.processes_named(name), 20)
    tap.ok(good and gone, "nothing outlives a supervisor that is killed [%s]"
           % user)
    name = mark()
    p, good = started(user, name)
    holder = holder_of(p)
    if good and holder:
        os.kill(holder, signal.SIGKILL)
    r = lib.finish(p, time.monotonic(), [])
    r.json = json.loads(r.out.decode())
    gone, _ = lib.wait_until(lambda: not lib.processes_named(name), 20)
    tap.ok(good and gone and r.status == "KILLED_KILL" and r.rc == 137 and
           r.get("message") == "the vessel was killed from outside" and
           names(r) == [("a", "OK"), ("b", "KILLED_KILL")],
           "the holder killed: the phase ends, and so it is told [%s]"
           % user, r.brief())
    name = mark()
    p, good = started(user, name)
    p.send_signal(signal.SIGTERM)
    r = lib.finish(p, time.monotonic(), [])
    r.json = json.loads(r.out.decode())
    tap.ok(good and (r.rc, r.status) == (143, "KILLED_TERM") and
           names(r) == [("a", "OK"), ("b", "KILLED_TERM")] and
           not lib.processes_named(name),
           "a signal ends the phase and the list [%s]" % user, r.brief())


def cancelled_between(tap, user):
    """A signal while the report of the first phase is read: the next one does not
    start."""
    long = "<testsuite>" + "<testcase name=\"a\"/>" * 200000 + "</testsuite>"
    repo = lib.make_dir(user)
    lib.put(user, repo + "/long.xml", long)
    name = mark()
    path = request(user, [
        {"name": "a", "report": "junit:/scratch/r", "command": python(
            COMM % name + "import shutil, time\n"
            "shutil.copy('/repo/long.xml', '/scratch/r')\ntime.sleep(1)")},
        {"name": "b", "command": ["/bin/sleep", "20"]}], repo=repo,
        kill_after_s=2)
    told = set()
    for delay in (0.0, 0.02, 0.05, 0.1):
        p = lib.start(argv(path, "--json"), user)
        lib.wait_until(lambda: lib.processes_named(name), 20)
        lib.wait_until(lambda: not lib.processes_named(name), 20)
        time.sleep(delay)
        p.send_signal(signal.SIGTERM)
        r = lib.finish(p, time.monotonic(), [])
        r.json = json.loads(r.out.decode())
        told.add((r.rc, r.status, len(r.json["phases"])))
    tap.ok(told <= {(143, "KILLED_TERM", 2), (143, "KILLED_TERM", 1)},
           "a signal between two ends the next as it begins [%s]" % user, told)
    name = mark()
    path = request(user, [
        {"name": "a", "goes_on": True, "command": python(
            COMM % name + "import time; time.sleep(60)")},
        {"name": "b", "command": ["/bin/true"]}])
    p = lib.start(argv(path, "--json"), user)
    lib.wait_until(lambda: lib.processes_named(name), 20)
    p.send_signal(signal.SIGTERM)
    r = lib.finish(p, time.monotonic(), [])
    r.json = json.loads(r.out.decode())
    tap.equal((r.rc, names(r)), (143, [("a", "KILLED_TERM")]),
              "a signal ends the list, also where a phase goes on [%s]" % user)


def helpers(tap, user):
    """The relay and the tracer of a phase end with the phase."""
    name = mark()
    path = request(user, [
        {"name": "a", "command": ["/bin/true"], "network": "scoped",
         "egress": ["host.example:443"], "trace": "exec"},
        {"name": "b", "command": python(COMM % name +
                                        "import time; time.sleep(60)")}])
    p = lib.start(argv(path, "--json"), user)
    good, _ = lib.wait_until(lambda: lib.processes_named(name), 30)
    lib.wait_until(lambda: len(children_of(p.pid)) == 1, 10)
    left = children_of(p.pid)
    p.send_signal(signal.SIGTERM)
    p.communicate()
    tap.ok(good and len(left) == 1,
           "beside the second phase there is the holder alone [%s]" % user,
           left)


def told(tap, user):
    path = request(user, [
        {"name": "build", "command": shell("echo made")},
        {"name": "tests", "command": shell("exit 4")}])
    r = lib.run(argv(path), user)
    text = r.err.decode()
    tap.ok(r.rc == 4 and r.out == b"made\n" and "build: OK" in text and
           "tests: FAILED" in text, "a line for each phase [%s]" % user,
           r.brief())
    r = lib.run([lib.binary("cupel"), "plan", "--json", "--spec", path], user)
    plan = json.loads(r.out.decode())
    tap.ok([p["name"] for p in plan["phases"]] == ["build", "tests"] and
           "scratch" in plan["shared"]["mounts"] and
           plan["phases"][0]["plan"]["command"][0] == "/bin/sh",
           "cupel plan tells what is shared and each plan [%s]" % user, text)
    tap.equal([p["plan"]["template"] for p in plan["phases"]],
              [{"shared": [], "why": "a phase"}] * 2,
              "and that phases are never copied [%s]" % user)
    tap.equal(lib.schema_errors(r.out, "plan.schema.json"), [],
              "its text is valid [%s]" % user)


def main():
    tap = lib.Tap()
    parts = [shares, hashes, own, enforced, ends, refuses, artifacts, earlier,
             reports,
             lasting, tables, scratch, holders_own, inside, attests, deaf,
             killed, cancelled_between,
             helpers, told]
    wanted = sys.argv[1:]
    for user in lib.users():
        for part in parts:
            if not wanted or part.__name__ in wanted:
                part(tap, user)
    tap.done()


main()
