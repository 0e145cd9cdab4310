"""python_answers.py -- what the Python package makes of a program that is not
cupel: one exception, bounded memory, nothing left."""
import contextlib
import copy
import json
import os
import resource
import signal

import tap
from cupel import SandboxClient, SandboxError, SandboxResultV2

SPEC = {"command": ["true"]}
MIB = 1 << 20

REAL = None


def real():
    """A result as cupel prints it."""
    global REAL
    if REAL is None:
        os.environ["CUPEL"] = tap.CUPEL
        REAL = dict(SandboxClient().execute(SPEC).raw)
    return copy.deepcopy(REAL)


def leaves(value, path=()):
    """The paths of all members and items."""
    items = (value.items() if isinstance(value, dict)
             else enumerate(value) if isinstance(value, list) else ())
    for key, below in items:
        yield path + (key,)
        yield from leaves(below, path + (key,))


def changed(value, path, new):
    value = copy.deepcopy(value)
    at = value
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = new
    return value


class Program(tap.Case):
    def refused(self, text, cause, word="", **keys):
        os.environ["CUPEL"] = self.program(text)
        with self.assertRaises(SandboxError) as caught:
            SandboxClient(**keys).execute(SPEC, timeout_s=60)
        self.assertEqual(caught.exception.cause, cause, caught.exception)
        self.assertIn(word, str(caught.exception))
        self.assertLess(len(str(caught.exception)), 1000)
        health = SandboxClient(**keys).health()
        self.assertFalse(health.ok)
        self.assertTrue(health.reason)

    def test_it_is_missing(self):
        for path in ("/none/cupel", self.repo, self.put("plain", "x"),
                     "none/cupel", "no-such-name"):
            with self.subTest(path=path):
                os.environ["CUPEL"] = path
                health = SandboxClient().health()
                self.assertFalse(health.ok)
                self.assertIsNone(health.binary)
                self.assertIn(path, health.reason)
                with self.assertRaises(SandboxError) as caught:
                    SandboxClient().execute(SPEC)
                self.assertEqual(caught.exception.cause, "host")
                self.assertIn(path, str(caught.exception))

    def test_it_is_not_in_path(self):
        del os.environ["CUPEL"]
        for path in ("", "/none", "relative"):
            os.environ["PATH"] = path
            self.assertIn("PATH", SandboxClient().health().reason)

    def test_path_of_a_repository_is_passed_over(self):
        del os.environ["CUPEL"]
        os.symlink(tap.CUPEL, os.path.join(self.repo, "cupel"))
        for path in ("", ".", ":", "../repo"):
            os.environ["PATH"] = path
            self.assertIsNone(SandboxClient().health().binary, path)

    def test_it_cannot_be_executed(self):
        path = self.put("odd", "\x7fELF nonsense")
        os.chmod(path, 0o755)
        os.environ["CUPEL"] = path
        self.assertFalse(SandboxClient().health().ok)
        with self.assertRaises(SandboxError) as caught:
            SandboxClient().execute(SPEC)
        self.assertEqual(caught.exception.cause, "host")

    def test_garbage(self):
        self.refused("sys.stdout.buffer.write(os.urandom(50000))", "bug")

    def test_nothing(self):
        self.refused("", "bug", "no result, exit status 0")

    def test_nothing_but_a_status(self):
        self.refused("sys.exit(2)", "bug", "exit status 2")

    def test_a_complaint(self):
        self.refused("sys.exit('cupel: it is\\x1b[31m broken\\nmore')", "bug",
                     "exit status 1: it is[31m broken")

    def test_a_refusal(self):
        self.refused("sys.stderr.write('cupel: --x: no' + 'o' * 9999)\n"
                     "sys.exit(2)", "caller", "--x: noo")

    def test_it_dies(self):
        self.refused("os.kill(os.getpid(), 9)", "host", "signal 9")

    def test_it_dies_after_a_result(self):
        self.refused("sys.stdout.write(%r)\nsys.stdout.flush()\n"
                     "os.kill(os.getpid(), 15)" % json.dumps(real()),
                     "host", "signal 15")

    def test_its_status_is_another_one(self):
        self.refused("sys.stdout.write(%r)\nsys.exit(3)" % json.dumps(real()),
                     "bug", "exited with 3 and its result says 0")

    def test_it_reads_nothing(self):
        os.environ["CUPEL"] = self.program(
            "os.close(0)\nsys.stdout.write(%r)" % json.dumps(real()))
        big = {"command": ["x" * 100000] * 20}
        self.assertEqual(SandboxClient().execute(big).status, "OK")

    def test_it_never_ends(self):
        note = os.path.join(self.work, "pid")
        for how in ("time.sleep(60)", "while True: pass",
                    "os.close(1); os.close(2); time.sleep(60)",
                    "while True: print('x'); time.sleep(0.1)"):
            os.environ["CUPEL"] = self.program(
                "open(%r, 'w').write(str(os.getpid()))\n%s" % (note, how))
            if os.path.exists(note):
                os.unlink(note)
            # On a busy machine it may not have begun by then.
            for timeout_s in (1.5, 6, 24):
                with self.assertRaises(SandboxError) as caught:
                    SandboxClient().execute(SPEC, timeout_s=timeout_s)
                self.assertEqual(caught.exception.cause, "busy")
                if os.path.exists(note):
                    break
            with open(note) as f, self.assertRaises(ProcessLookupError):
                os.kill(int(f.read()), 0)

    def test_the_wall_time_bounds_the_call(self):
        os.environ["CUPEL"] = self.program("time.sleep(60)")
        with self.assertRaises(SandboxError) as caught:
            # a minute of grace is added
            SandboxClient().execute(dict(SPEC, wall_time_s=-59.5))
        self.assertEqual(caught.exception.cause, "busy")

    def test_a_process_that_is_left_behind_is_not_waited_for(self):
        note = os.path.join(self.work, "left")
        said = b" " * 60000 + json.dumps(real()).encode()
        for noise in ("time.sleep(40)", "while True: os.write(2, b'x' * 999)"):
            os.environ["CUPEL"] = self.program("""
import signal
os.write(1, %r)
left = os.fork()
if left == 0:
    signal.alarm(40)
    %s
with open(%r, "w") as f:
    f.write(str(left))
""" % (said, noise, note))
            self.assertEqual(SandboxClient().execute(SPEC).status, "OK")
            with open(note) as f, contextlib.suppress(ProcessLookupError):
                os.kill(int(f.read()), signal.SIGKILL)

    def test_without_end_in_bounded_memory(self):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.refused("while True: os.write(1, b' ' * 65536)", "caller",
                     "max_result_bytes", max_result_bytes=MIB)
        self.refused("while True: os.write(1, b'[' * 65536)", "caller",
                     "max_result_bytes", max_result_bytes=MIB)
        self.refused("for i in range(4000): os.write(2, b'x' * 65536)", "bug",
                     "no result")
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        self.assertLess(grown, 24 << 10, "KiB of memory")

    def test_the_cap_leaves_room_for_what_was_asked_for(self):
        text = ("import json\nr = json.loads(%r)\nr['stdout'] = '\\1' * %d\n"
                "json.dump(r, sys.stdout)" % (json.dumps(real()), 12 * MIB))
        os.environ["CUPEL"] = self.program(text)
        with self.assertRaises(SandboxError):
            SandboxClient().execute(SPEC)
        got = SandboxClient().execute(dict(SPEC, output_bytes=12 * MIB))
        self.assertEqual(len(got.stdout), 12 * MIB)

    def test_error_rc_is_told_from_the_status(self):
        r = dict(real(), status="INTERNAL_ERROR", rc=1, started=False,
                 stage="mount", cause="host", reason="mount_refused",
                 message="no")
        os.environ["CUPEL"] = self.program(
            "sys.stdout.write(%r)\nsys.exit(77)" % json.dumps(r))
        got = SandboxClient().execute(dict(SPEC, error_rc=77))
        self.assertEqual((got.status, got.rc, got.cause),
                         ("INTERNAL_ERROR", 1, "host"))
        with self.assertRaises(SandboxError):
            SandboxClient().execute(SPEC)


class Answer(tap.Case):
    def refused(self, raw, word=""):
        if not isinstance(raw, bytes):
            raw = json.dumps(raw).encode()
        with self.assertRaises(SandboxError) as caught:
            SandboxResultV2.from_json(raw)
        self.assertEqual(caught.exception.cause, "bug")
        self.assertIn(word, str(caught.exception))

    def test_it_is_read_back(self):
        got = SandboxResultV2.from_json(json.dumps(real()).encode())
        self.assertEqual(got, SandboxResultV2.from_json(
            json.dumps(got.raw).encode()))

    def test_keys_that_are_not_known_are_passed_over(self):
        more = dict(real(), version="1.9", more=[1])
        more["enforced"]["moat"] = {"requested": True, "applied": True,
                                    "details": None, "depth": 3}
        more["usage"]["joules"] = 1
        got = SandboxResultV2.from_json(json.dumps(more).encode())
        self.assertEqual((got.version, got.raw["more"]), ("1.9", [1]))
        self.assertTrue(got.enforced["moat"].applied)

    def test_numbers_that_python_would_not_read(self):
        text = json.dumps(dict(real(), payload_status="valid", payload=0))
        for digits in ("9" * 100000, "-" + "1" * 5000, "1e400"):
            got = SandboxResultV2.from_json(text.replace(
                '"payload": 0', '"payload": ' + digits).encode())
            self.assertEqual(str(got.payload).lower().replace("+", ""),
                             digits)
        self.refused(text.replace('"payload": 0', '"payload": 1e' + "9" * 30)
                     .encode())

    def test_what_is_not_strict_json(self):
        text = json.dumps(real())
        for raw in (b"", b"null", b"[]", b"1", b"{", text[:-1].encode(),
                    (text + "x").encode(), (text + text).encode(),
                    b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16"),
                    text.replace('"rc": 0', '"rc": NaN').encode(),
                    text.replace('"rc": 0', '"rc": 0, "x": NaN').encode(),
                    text.replace('"rc": 0', '"rc": 1, "rc": 0').encode(),
                    text.replace('"stdout": ""', '"stdout": "\xff"')
                    .encode("latin-1"),
                    text.replace('"stdout": ""', '"stdout": "\\ud800"')
                    .encode(),
                    text.replace('"payload": null', '"payload": ' +
                                 "[" * 100000 + "]" * 100000)
                    .replace('"absent"', '"valid"').encode(),
                    b"[" * 100000, b'{"a":' * 100000):
            with self.subTest(raw=raw[-60:]):
                self.refused(raw)

    def test_every_member_has_its_type(self):
        whole = real()
        open_ended = ("payload", "raw")
        for path in leaves(whole):
            if path[0] in open_ended or "details" in path[:-1]:
                continue
            at = whole
            for key in path:
                at = at[key]
            for new in ({}, [], "odd", 1.5, -1, True, None, [None], 1e300,
                        "1", 2**70):
                if json.dumps(new) == json.dumps(at):
                    continue
                try:
                    got = SandboxResultV2.from_json(
                        json.dumps(changed(whole, path, new)).encode())
                except SandboxError as e:
                    self.assertEqual(e.cause, "bug")
                    continue
                self.assert_right(path, at, new, got)

    # What may stand in the place of a null.
    NULLABLE = {"reason": str, "message": str, "stage": str, "cause": str,
                "backend": str, "policy_hash": str, "signal": int,
                "applied": bool, "details": dict, "peak_memory_bytes": int,
                "cpu_tree_ms": int, "tasks": int, "oom_kills": int,
                "egress": list,
                "egress_omitted": int, "trace": dict}

    def assert_right(self, path, old, new, got):
        """A change that was taken is one of the same type."""
        key = path[-1]
        kind = type(old) if old is not None else self.NULLABLE.get(key)
        good = new is None and key in self.NULLABLE or type(new) is kind
        self.assertTrue(good, "%s: %r" % (path, new))

    def test_a_member_that_is_missing(self):
        whole = real()
        optional = {("stage",), ("cause",), ("usage", "cpu_tree_ms"),
                    ("usage", "oom_kills"), ("usage", "tasks"), ("egress",),
                    ("egress_omitted",),
                    ("trace",)}
        for path in leaves(whole):
            if path in optional or "details" in path[:-1] or \
                    isinstance(path[-1], int) or \
                    path[0] == "enforced" and len(path) == 2:
                continue
            less = copy.deepcopy(whole)
            at = less
            for key in path[:-1]:
                at = at[key]
            del at[path[-1]]
            with self.subTest(path=path):
                self.refused(less, path[-1])

    def test_what_contradicts_itself(self):
        for more, word in (
            ({"version": "2.0"}, "version"),
            ({"version": "1"}, "version"),
            ({"status": "GREAT"}, "status"),
            ({"rc": 3}, "rc"),
            ({"rc": 256}, "rc"),
            ({"status": "FAILED"}, "rc"),
            ({"status": "TIMEOUT", "rc": 1}, "rc"),
            ({"status": "INTERNAL_ERROR", "rc": 1}, "started"),
            ({"payload": 1}, "payload"),
            ({"payload_status": "fine"}, "payload_status"),
            ({"signal": 65}, "signal"),
        ):
            with self.subTest(more=more):
                self.refused(dict(real(), **more), word)


class Doctor(tap.Case):
    def health(self, text):
        os.environ["CUPEL"] = self.program(
            "if '--version' in sys.argv: print('cupel 9.9'); sys.exit()\n"
            + text)
        return SandboxClient().health()

    def test_it_says_what_is_missing(self):
        row = {"id": "userns", "ok": False, "message": "not allowed here"}
        said = {"version": "1.0", "ok": False,
                "rows": [dict(row, ok=True), row]}
        got = self.health("print(%r); sys.exit(3)" % json.dumps(said))
        self.assertEqual((got.ok, got.version, got.reason),
                         (False, "9.9", "userns: not allowed here"))

    def test_it_says_yes(self):
        got = self.health("""print('{"ok": true, "rows": []}')""")
        self.assertTrue(got.ok, got)

    def test_an_answer_that_is_none(self):
        for text in ("", "print('{}')", "print('x')", "sys.exit(1)",
                     "print('[]')", "print('{\"ok\": 1, \"rows\": []}')",
                     "print('{\"ok\": true, \"rows\": []}'); sys.exit(3)",
                     "print('{\"ok\": false, \"rows\": {}}'); sys.exit(3)",
                     "os.kill(os.getpid(), 9)"):
            with self.subTest(text=text):
                got = self.health(text)
                self.assertFalse(got.ok)
                self.assertTrue(got.reason)
