"""python_confirms.py -- confirm and aconfirm of the Python package: over real
functions, and over programs that are not cupel."""
import asyncio
import gc
import os
import signal
import tempfile
import warnings

import tap
from cupel import Flag, Record, SandboxError, aconfirm, confirm

MODULE = """
def ratio(a, b):
    return a / b

def same(x):
    return x

def forever(n):
    while True:
        n += 1
"""
RATIO = Flag("m.py", "div-zero", "ratio")
RECORD = (
    '{"ts":"2026-01-01T00:00:00Z","flag_ref":{"number":%s},"witness":null,'
    '"status":"no-bug-found","reason":null,"error_class":null,'
    '"traceback_head":null,"exit_code":0,"signal":null,"duration_ms":1,'
    '"backend":"namespaces"}\\n'
)


class Confirm(tap.Case):
    def setUp(self):
        super().setUp()
        self.put("m.py", MODULE)
        self.put("lib/n.py", "def f(d):\n    return d['a']\n")

    def told(self, records):
        self.assertTrue(all(isinstance(r, Record) for r in records))
        one, two, three = records
        self.assertTrue(one.confirmed, one)
        self.assertEqual(
            (one.number, one.confirmed_class, one.error_class),
            (1, "div-zero", "ZeroDivisionError"),
        )
        self.assertEqual(
            [a["value"] for a in one.witness["arguments"]], [0, 0])
        self.assertIn("in ratio", one.traceback_head)
        self.assertEqual((two.number, two.confirmed), (2, False))
        self.assertEqual((three.status, three.confirmed_class),
                         ("confirmed-bug", "key-missing"))
        self.assertEqual(sorted(os.listdir(self.repo)), ["lib", "m.py"])

    def flags(self):
        return [
            RATIO,
            {"file": "m.py", "function": "same", "flag_class": "div-zero"},
            Flag("lib/n.py", "key-missing", line=2),
        ]

    def test_records_come_in_the_order_of_the_flags(self):
        self.told(confirm(self.flags(), jobs=2))
        os.chdir("/")
        self.told(confirm(iter(self.flags()), self.repo, cold=True))

    def test_for_asyncio(self):
        self.told(asyncio.run(aconfirm(self.flags())))

    def test_without_flags(self):
        self.assertEqual(confirm([]), ())
        self.assertEqual(asyncio.run(aconfirm([])), ())

    def test_reproducer(self):
        to = os.path.join(self.work, "scripts")
        confirm([RATIO], reproducer=to)
        self.assertEqual(len(os.listdir(to)), 1)

    def refused(self, cause, word, *args, **keys):
        with self.assertRaises(SandboxError) as caught:
            confirm(*args, **keys)
        self.assertEqual(caught.exception.cause, cause, caught.exception)
        self.assertIn(word, str(caught.exception))
        with self.assertRaises(SandboxError) as caught:
            asyncio.run(aconfirm(*args, **keys))
        self.assertEqual(caught.exception.cause, cause, caught.exception)
        self.assertIn(word, str(caught.exception))

    def test_what_is_refused(self):
        self.refused("caller", "file is missing", [{"flag_class": "x"}])
        self.refused("caller", "a list of flags", RATIO)
        self.refused("caller", "a list of flags", "m.py")
        self.refused("caller", "not JSON", [Flag("m.py", "x", "f", 1, {1, 2})])
        self.refused("caller", "--repo", [RATIO], "/nosuch")
        self.refused("caller", "--jobs", [RATIO], jobs=0)
        self.refused("caller", "--runtime", [RATIO], runtimes=["/nosuch"])
        self.refused("host", "not found", [RATIO], binary="/nosuch")

    def test_its_time_ends_it(self):
        flags = [Flag("m.py", "infinite-loop", "forever")] * 8
        self.refused("busy", "within 0.7 s", flags, timeout_s=0.7)

    def test_a_cancel_ends_it(self):
        mark = "mark-%d" % os.getpid()
        program = self.program("time.sleep(60)", mark)

        async def go():
            task = asyncio.ensure_future(aconfirm([RATIO], binary=program))
            while not tap.running(program):
                await asyncio.sleep(0.05)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                return
            raise AssertionError("it went on")

        asyncio.run(go())
        self.assertEqual(tap.running(program), [])

    def wrapper(self):
        """A program whose child outlives it, with its pipes, for a minute."""
        self.addCleanup(self.end_children)
        return self.program(
            "pid = os.fork()\n"
            "if pid: open(%r, 'a').write('%%d\\n' %% pid)\n"
            "time.sleep(60)\n" % self.child_file())

    def child_file(self):
        return os.path.join(self.work, "child")

    def children(self):
        """Those that have been told of; the file is there before its first line."""
        if not os.path.exists(self.child_file()):
            return []
        with open(self.child_file()) as f:
            return f.read().split()

    def end_children(self):
        pids = self.children()
        self.assertNotEqual(pids, [])
        for pid in pids:
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                pass

    def test_its_time_ends_it_whoever_holds_its_pipes(self):
        program = self.wrapper()
        # On a busy machine it may have no child by then.  refused() takes the time
        # twice, so the bound holds for no more than 10 s.
        for timeout_s in (1.5, 3, 6):
            self.refused("busy", "within %g s" % timeout_s, [RATIO],
                         binary=program, timeout_s=timeout_s)
            if self.children():
                break
        else:
            self.fail("it never had a child to hold its pipes")

    def test_a_process_that_is_left_behind_is_not_waited_for(self):
        self.addCleanup(self.end_children)
        program = self.program(
            "pid = os.fork()\n"
            "if pid:\n"
            "    open(%r, 'a').write('%%d\\n' %% pid)\n"
            "    os._exit(2)\n"
            "time.sleep(60)\n" % self.child_file())
        for way in (lambda: confirm([RATIO], binary=program),
                    lambda: asyncio.run(aconfirm([RATIO], binary=program))):
            with self.assertRaises(SandboxError):
                way()

    def test_a_cancel_ends_it_whoever_holds_its_pipes(self):
        program = self.wrapper()

        async def go():
            task = asyncio.ensure_future(aconfirm([RATIO], binary=program))
            while not self.children():
                await asyncio.sleep(0.05)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            asyncio.run(go())
            gc.collect()
        self.assertEqual([str(w.message) for w in caught], [])
        self.assertEqual(len(tap.running(program)), 1)  # that child

    def test_no_folder_is_left(self):
        folder = os.path.join(self.work, "tmp")
        os.mkdir(folder)
        self.addCleanup(setattr, tempfile, "tempdir", tempfile.tempdir)
        tempfile.tempdir = folder
        for keys in ({"repo": object()}, {"runtimes": [object()]},
                     {"reproducer": {}}, {"ro": 7}, {"binary": "/nosuch"}):
            with self.assertRaises((TypeError, SandboxError)):
                confirm([RATIO], **keys)
            with self.assertRaises((TypeError, SandboxError)):
                asyncio.run(aconfirm([RATIO], **keys))
        self.refused("caller", "--jobs", [RATIO], jobs=0)
        confirm([])
        asyncio.run(aconfirm([]))
        self.assertEqual(os.listdir(folder), [])

    def test_long_output_is_read_and_dropped(self):
        program = self.program(
            "sys.stderr.write('no\\n' + 'x' * 3000000)\n"
            "sys.stdout.write('y' * 60000)\nsys.exit(2)\n")
        self.refused("caller", "no", [RATIO], binary=program)

    def answers(self, text, rc=0):
        return self.program(
            "open(sys.argv[-1], 'w').write(%r)\nsys.exit(%d)" % (text, rc))

    def test_an_answer_is_checked(self):
        good = RECORD.replace("\\n", "\n")
        self.assertEqual(
            confirm([RATIO], binary=self.answers(good % 1))[0].status,
            "no-bug-found")
        for text, word in (
            ("", "records: 0; flags: 1"),
            (good % 2, "number 2"),
            (good % 1 * 2, "number 1"),
            (good % 1 + "{", "not JSON"),
            (good % '"1"', "number: expected"),
            ((good % 1).replace("no-bug-found", "fine"), "status"),
            ((good % 1).replace('"duration_ms":1', '"duration_ms":-1'),
             "duration_ms"),
            ((good % 1).replace('"exit_code":0', '"exit_code":999'),
             "exit_code"),
        ):
            self.refused("bug", word, [RATIO], binary=self.answers(text))
        self.refused("bug", "ended with 9", [RATIO],
                     binary=self.answers(good % 1, 9))
