#!/usr/bin/env python3
"""gate_ledger.t -- the ledger of a gate says what each run cost and which
connections were refused; and a host that cannot run a gate is reported. The
outside is a network namespace of the test's own (egress_world.py)."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import egress_world as world  # noqa: E402

world.enter(os.path.abspath(__file__))
import gate_place  # noqa: E402
import lib  # noqa: E402

tap = lib.Tap()

GATES = """gates:
  g:
    phases:
      - name: install
        profile: test
        network: scoped
        egress: ["site.example:8080"]
        command: [python3, install.py]
      - name: tests
        profile: test
        network: loopback
        command: [python3, tests.py]
    signals: {build: {phase: tests}}
    required: [build]
  many:
    phases:
      - name: install
        profile: test
        network: scoped
        egress: ["site.example:8080"]
        command: [python3, many.py]
    signals: {build: {phase: install}}
    required: [build]
"""
# A page of 2000 bytes comes back; then it tries a host that no rule names.
INSTALL = """import socket
with socket.create_connection(('site.example', 8080), 5) as s:
    s.sendall(b'x' * 2000)
    s.shutdown(socket.SHUT_WR)
    n = 0
    while True:
        got = s.recv(4096)
        if not got:
            break
        n += len(got)
    assert n == 2000, n
"""
REFUSED = """
for name, port in (('site.example', 9999), ('%s', 8080), ('evil.example', 80)):
    try:
        socket.create_connection((name, port), 5).close()
        raise SystemExit('was let out: ' + name)
    except OSError:
        pass
""" % world.OTHER
# The second phase cannot reach what the first one reached: it has its own network.
TESTS = """import socket, time
for name, port in (('site.example', 8080), ('%s', 8080)):
    try:
        socket.create_connection((name, port), 5).close()
        raise SystemExit('was let out: ' + name)
    except OSError:
        pass
began = time.process_time()
while time.process_time() - began < 0.3:
    pass
time.sleep(0.3)
""" % world.PUBLIC
MANY = """import socket
for i in range(300):
    with socket.socket() as s:
        s.setblocking(True)
        s.connect_ex(('44.1.%d.%d' % (i // 200, i % 200 + 1), 80))
"""


class Place(gate_place.Place):
    def verb(self, verb, *words, before=None, **kw):
        argv = [lib.binary("cupel"), "gate", verb] + list(words)
        return lib.run(argv, self.user, cwd=self.top,
                       before=before or world.ordinary(), **kw)

    def of(self, kind):
        return [r for r in self.records() if r["kind"] == kind]


def costs(user):
    place = Place(user, "g", {"install.py": INSTALL + REFUSED,
                              "tests.py": TESTS}, GATES)
    r = place.run()
    if not tap.ok(r.rc == 0, "%s: the gate passes" % user,
                  gate_place.told(r)):
        return
    install, tests = place.of("run.ended")
    results = [json.loads(place.evidence("runs/%d-%s.json" % (i, n)))
               for i, n in enumerate(("install", "tests"))]
    tap.ok(2000 <= install["bytes_in"] < 4000 and tests["bytes_in"] == 0,
           "%s: bytes_in is what came from outside" % user, install)
    tap.ok(tests["wall_ms"] == results[1]["duration_ms"] and
           600 <= tests["wall_ms"] < 20000,
           "%s: wall_ms is how long it took" % user, tests)
    usage = results[1]["usage"]
    tap.ok(300 <= tests["cpu_ms"] == usage["cpu_user_ms"] +
           usage["cpu_system_ms"], "%s: cpu_ms is what it computed" % user,
           (tests, usage))
    tap.ok(all(x["backend"] == "namespaces" and
               x["isolation_class"] == "shared_kernel" and
               x["egress_omitted"] == 0 and x["status"] == "OK" and
               x["run_id"] == results[0]["traceId"]
               for x in (install, tests)),
           "%s: backend and isolation_class are the run's" % user,
           (install, tests))
    tap.equal([(x["phase"], x["host"] or x["address"], x["port"],
                x["protocol"], x["reason"], x["attempt"])
               for x in sorted(place.of("egress.blocked"),
                               key=lambda x: -x["port"])],
              [("install", "site.example", 9999, "tcp", "no_rule", 1),
               ("install", world.OTHER, 8080, "tcp", "no_rule", 1),
               ("install", "evil.example", 0, "name", "no_rule", 1)],
              "%s: what was refused is a record each" % user)
    text = place.verb("show", "--state", place.state).out.decode()
    tap.ok("evil.example" in text and world.OTHER in text,
           "%s: and is shown" % user, text)
    gate_place.write(user, place.tree, {"install.py": INSTALL})
    r = place.run()
    tap.ok(r.rc == 0 and len(place.of("egress.blocked")) == 3,
           "%s: control: who asks for nothing else has no such record" % user,
           gate_place.told(r))
    tap.ok(place.verify().rc == 0, "%s: the ledger is whole" % user)


def omitted(user):
    place = Place(user, "many", {"many.py": MANY}, GATES)
    r = place.run(clock_s=120)
    ended = place.of("run.ended")[0]
    blocked = place.of("egress.blocked")
    tap.ok(r.rc == 0 and ended["egress_omitted"] > 0 and
           len(blocked) + ended["egress_omitted"] == 300,
           "%s: what has no room is counted" % user,
           (len(blocked), ended, gate_place.told(r)))


NO_NAMESPACES = ("unshare", "-U", "-r", "sh", "-c",
                 "echo 0 >/proc/sys/user/max_user_namespaces && exec \"$@\"",
                 "sh")


def host_cannot(user):
    place = Place(user, "many", {"many.py": "\n"}, GATES)
    asked = place.top + "/asked"
    words = list(place.run_words("--json", "--replan", "touch " + asked))
    cupel = lib.binary("cupel")
    r = lib.run(list(NO_NAMESPACES) + [cupel, "gate", "run"] + words, user)
    if r.rc == 1 and b"unshare" in r.err:
        tap.ok(True, "%s: # SKIP no unshare(1) here" % user)
        return
    tap.ok(r.rc == 3 and b"namespace" in r.err and r.err.count(b"\n") == 1 and
           not os.path.exists(asked),
           "%s: a host that cannot: exit 3, and no planner is asked" % user,
           r.brief())
    r = lib.run(list(NO_NAMESPACES) + [cupel, "gate", "baseline"] +
                place.words("many", place.base), user)
    tap.ok(r.rc == 3 and not os.path.exists(place.base),
           "%s: nor is there a baseline" % user, r.brief())
    lib.put(user, place.catalogue, "gates: [\n")
    r = place.run()
    tap.ok(r.rc == 2, "%s: control: a catalogue that cannot be parsed is 2" %
           user, r.brief())


def main():
    directory = lib.make_dir("root")
    world.make(directory, {"site.example": [[world.PUBLIC]],
                           "evil.example": [[world.OTHER]]})
    servers = [world.Server(*at) for at in (
        (world.PUBLIC, 8080), (world.PUBLIC, 9999), (world.OTHER, 8080))]
    for user in lib.users():
        costs(user)
        omitted(user)
        host_cannot(user)
    tap.equal([s.count > 0 for s in servers], [True, False, False],
              "nothing but what the rule names was reached")
    tap.done()


main()
