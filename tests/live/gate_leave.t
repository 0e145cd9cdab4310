#!/usr/bin/env python3
"""gate_leave.t -- nothing that a phase leaves behind has an effect: a daemon
of one phase cannot write in the next, no process can race the collector of
artifacts, and tracing is visible only where cupel-trace(1) says so. Each
case has its control."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import gate_place  # noqa: E402
import lib  # noqa: E402

tap = lib.Tap()
GOOD = "TAP version 13\n1..1\nok 1 - one\n"

# Forks twice, leaves its session, ignores what can be ignored, and goes on for
# ten seconds at most.
DAEMON = """import os, signal, sys, time
def away(work, **kw):
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    for n in range(1, 65):
        try: signal.signal(n, signal.SIG_IGN)
        except (OSError, ValueError): pass
    os.closerange(0, 64)
    try:
        end = time.monotonic() + 10
        while time.monotonic() < end and not work(**kw):
            time.sleep(0.001)
    finally:
        os._exit(0)
"""

FORGE = """def forge():
    if not os.path.exists('/scratch/go'):
        return False
    with open('/scratch/report.part', 'w') as f:
        f.write(%r)
    os.rename('/scratch/report.part', '/scratch/report.tap')
    return True
""" % GOOD

GATES = """gates:
  daemon:
    phases:
      - {name: build, profile: test, command: [python3, build.py]}
      - name: test
        profile: unittest
        report: tap:/scratch/report.tap
        command: [python3, test.py]
    signals: {build: {}, tests: {}}
    required: [build, tests]
  left:
    phases:
      - name: test
        profile: test
        command: [python3, test.py]
        artifact: [/scratch/a, /scratch/b, /scratch/dir, /repo/named]
    signals: {build: {phase: test}}
    required: [build]
  seen:
    phases:
      - name: plain
        profile: test
        command: [python3, test.py]
      - name: traced
        profile: test
        command: [python3, test.py]
        trace: exec,connect
    signals: {build: {phase: traced}}
    required: [build]
"""


def place_of(user, gate, files):
    return gate_place.Place(user, gate, files, GATES)


# --- a daemon of one phase waits for the next ------------------------------------


def daemons(user):
    go = "open('/scratch/go', 'w').close()\nimport time\ntime.sleep(1)\n"
    waits = go + ("end = time.monotonic() + 120\n"
                  "while not os.path.exists('/scratch/report.tap') and "
                  "time.monotonic() < end:\n    time.sleep(0.01)\n")
    lines = DAEMON + FORGE + "away(forge)\n"
    place = place_of(user, "daemon", {"build.py": lines, "test.py": go})
    r = place.run()
    s = gate_place.signal_of(r, "tests")
    tap.ok(r.rc == 11 and r.json["attempts"][0]["failing_signals"] == ["tests"]
           and s["details"]["problem"] == "no_report",
           "%s: a daemon of the phase before makes no report" % user,
           gate_place.told(r))
    place = place_of(user, "daemon", {"build.py": "\n",
                                      "test.py": lines + waits})
    r = place.run()
    tap.ok(r.rc == 0, "%s: control: one of the same phase does" % user,
           gate_place.told(r))


# --- artifacts are collected when nobody is alive ---------------------------------

COUNT = """def count(files=[]):
    if not files:
        files += [os.open('/scratch/' + n, os.O_WRONLY | os.O_CREAT, 0o644)
                  for n in 'ab']
        files.append(0)
    for i in range(200):
        files[2] += 1
        for fd in files[:2]:
            os.pwrite(fd, b'%012d' % files[2], 0)
    return False
"""

READ = """
def read():
    out = []
    for n in 'ab':
        with open('/scratch/' + n) as f:
            out.append(int(f.read() or 0))
        time.sleep(0.02)
    return out
end, out = time.monotonic() + 120, [0, 0]
while out[1] - out[0] < 2 and time.monotonic() < end:  # the writer has its turn
    try:
        out = read()
    except OSError:
        time.sleep(0.02)
with open('/scratch/live', 'w') as f: f.write(repr(out))
print(out)
"""

# One name that is by turns a file, a link to the operator's secret, short, long, gone.
SWAP = """def swap():
    for i in range(50):
        for make in (lambda p: os.symlink(%r, p),
                     lambda p: open(p, 'wb').write(b'x' * 4096),
                     lambda p: open(p, 'wb').truncate(1 << 30),
                     lambda p: open(p, 'ab').write(b'x' * 65536),
                     lambda p: os.mkdir(p)):
            for n in 'ab':
                part = '/scratch/%%s.part' %% n
                make(part)
                try: os.rename(part, '/scratch/' + n)
                except OSError:
                    try: os.rmdir('/scratch/' + n)
                    except OSError: pass
                    try: os.unlink('/scratch/' + n)
                    except OSError: pass
                    try: os.rmdir(part)
                    except OSError: os.unlink(part)
    return False
"""


def is_at_rest(user):
    place = place_of(user, "left", {
        "test.py": DAEMON + COUNT + "away(count)\n" + READ})
    apart = []
    for _ in range(3):
        r = place.run()
        a, b = (int(place.evidence("artifacts/0-%d" % i) or -1)
                for i in range(2))
        apart.append((a, b))
    tap.ok(all(a > 0 and a - b in (0, 1) for a, b in apart),
           "%s: artifacts are of one moment, with a writer left behind" % user,
           (apart, gate_place.told(r)))
    out = json.loads(place.evidence("runs/0-test.json"))["stdout"]
    a, b = json.loads(out)
    tap.ok(b - a > 1, "%s: control: beside it, they are of two" % user, out)


def no_link_is_followed(user):
    secret = "the operator's own 7c1f"
    place = place_of(user, "left", {"test.py": "\n"})
    path = lib.put(user, place.top + "/secret", secret)
    gate_place.write(user, place.tree, {
        "test.py": DAEMON + SWAP % path + "away(swap)\ntime.sleep(0.3)\n"})
    said = b""
    for _ in range(5):
        r = place.run()
        tap.ok(r.rc == 0, "%s: a swapped artifact ends nothing" % user,
               gate_place.told(r))
        for i in range(2):
            kept = place.evidence("artifacts/0-%d" % i) or b""
            said += kept.strip(b"x\0")
    tap.equal(said, b"", "%s: what is swapped is a file of the phase's, or "
              "nothing" % user)
    gate_place.write(user, place.tree, {
        "test.py": "import os\nos.symlink(%r, '/scratch/a')\n" % path})
    for program, env, want in (("cupel", None, None),
                               ("tests/cupel-testing",
                                {"CUPEL_TEST_GATHER_DROP": "artifact_links"},
                                secret.encode())):
        r = place.verb("run", *place.run_words("--json", "--quiet"),
                       program=program, env=env)
        tap.equal(place.evidence("artifacts/0-0"), want,
                  "%s: %sa link is%s followed" % (
                      user, "control: with the wall down, " if want else "",
                      "" if want else " not"), r.brief())


def hard_links(user):
    """A hard link to a file of the tree is no way back to the work tree."""
    place = place_of(user, "left", {
        "file": "as it was\n",
        "test.py": """import os
try:
    os.link('/repo/file', '/scratch/a')
    print('linked')
except OSError as e:
    print(e.errno)
os.link('/repo/file', '/repo/named')
with open('/repo/named', 'w') as f:
    f.write('changed')
"""})
    r = place.run()
    path = os.path.join(place.tree, "file")
    with open(path) as f:
        text = f.read()
    result = json.loads(place.evidence("runs/0-test.json"))
    tap.ok(r.rc == 0 and text == "as it was\n" and
           os.stat(path).st_nlink == 1 and
           not os.path.exists(place.tree + "/named"),
           "%s: a hard link into the overlay changes no work tree" % user,
           gate_place.told(r))
    tap.ok(place.evidence("artifacts/0-0") is None and
           "linked" not in result["stdout"],
           "%s: none leads from the tree to the scratch" % user,
           result["stdout"])
    tap.equal(place.evidence("artifacts/0-3"), b"changed",
              "%s: control: its second name in the overlay is kept" % user,
              result.get("artifacts"))


# --- whether it is traced ------------------------------------------------------------

SEE = """import ctypes, json, os
libc = ctypes.CDLL(None, use_errno=True)
seen = {}
for line in open('/proc/self/status'):
    key, _, value = line.partition(':')
    if key in ('TracerPid', 'Seccomp', 'Seccomp_filters', 'NoNewPrivs', 'PPid',
               'SigBlk', 'SigIgn', 'SigCgt', 'CapBnd', 'Threads', 'NSpid',
               'Groups'):
        seen[key] = value.strip()
class Line(ctypes.Structure):
    _fields_ = [('code', ctypes.c_ushort), ('jt', ctypes.c_ubyte),
                ('jf', ctypes.c_ubyte), ('k', ctypes.c_uint)]
class Filter(ctypes.Structure):
    _fields_ = [('len', ctypes.c_ushort), ('at', ctypes.POINTER(Line))]
lines = (Line * 1)(Line(6, 0, 0, 0x7fff0000))
program = Filter(1, lines)
def in_child(*call):
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        got = libc.syscall(*call)
        os.write(w, b'%d %d' % (min(got, 1), ctypes.get_errno()))
        os._exit(0)
    os.close(w)
    out = os.read(r, 64).decode()
    os.close(r)
    return [out, os.waitpid(pid, 0)[1]]
import platform
x86 = platform.machine() == 'x86_64'
seccomp, ptrace = (317, 101) if x86 else (277, 117)
seen['listener'] = in_child(seccomp, 1, 8, ctypes.byref(program))
seen['filter'] = in_child(seccomp, 1, 0, ctypes.byref(program))
seen['ptrace'] = in_child(ptrace, 0, 0, 0, 0)
seen['fds'] = sorted(os.readlink('/proc/self/fd/%d' % n).split(':')[0]
                     for n in range(64)
                     if os.path.lexists('/proc/self/fd/%d' % n))
seen['processes'] = sorted(n for n in os.listdir('/proc') if n.isdigit())[:1]
seen['env'] = sorted(os.environ)
print(json.dumps(seen))
"""
TELL = {"Seccomp_filters", "ptrace"}  # what cupel-trace(1) says can be seen


def what_is_seen(user):
    place = place_of(user, "seen", {"test.py": SEE})
    r = place.run()
    plain, traced = (json.loads(json.loads(place.evidence(
        "runs/%d-%s.json" % (i, n)))["stdout"])
        for i, n in enumerate(("plain", "traced")))
    differ = {k for k in plain if plain[k] != traced.get(k)}
    tap.ok(r.rc == 0 and differ <= TELL and traced["TracerPid"] == "0",
           "%s: a traced phase sees no tracer, and no more than is said" %
           user, [(k, plain[k], traced.get(k)) for k in differ])
    tap.ok(len(plain) > 10 and plain["filter"] == ["0 0", 0],
           "%s: control: it can look" % user, plain)


def main():
    for user in lib.users():
        daemons(user)
        is_at_rest(user)
        no_link_is_followed(user)
        hard_links(user)
        what_is_seen(user)
    tap.done()


main()
