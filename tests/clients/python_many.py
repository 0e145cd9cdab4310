"""python_many.py -- the Python package's execute_many: every spec has one answer,
in bounded memory, whatever the specs, the caller or the program do."""
import asyncio
import itertools
import os

import tap
from cupel import SandboxClient, SandboxError

MANY = 40


def echo(i, **keys):
    spec = {"command": ["echo", str(i)], "repo_mode": "none"}
    spec.update(keys)
    return spec


class Real(tap.Case):
    def test_each_has_one_answer(self):
        found = list(SandboxClient().execute_many(
            (echo(i, id="same") for i in range(MANY)), jobs=3))
        self.assertEqual(sorted(a.index for a in found), list(range(MANY)))
        for a in found:
            self.assertEqual((a.id, a.unwrap().stdout),
                             ("same", "%d\n" % a.index))
            self.assertTrue(a.result.enforced["netns"].applied)

    def test_order(self):
        def specs():
            for i in range(12):
                yield (object() if i == 5 else
                       {"command": ["sleep", "0.2" if i == 0 else "0"]})
        found = list(SandboxClient().execute_many(specs(), jobs=2,
                                                  ordered=True))
        self.assertEqual([a.index for a in found], list(range(12)))
        self.assertEqual([a.index for a in found if a.error], [5])

    def test_ends_of_runs_are_results(self):
        found = list(SandboxClient().execute_many([
            {"command": ["false"]},
            {"command": ["sleep", "9"], "wall_time_s": 0.3},
            {"phases": [{"name": "a", "command": ["echo", "1"]}]}]))
        found = {a.index: a.unwrap() for a in found}
        self.assertEqual([found[i].status for i in range(3)],
                         ["FAILED", "TIMEOUT", "OK"])
        self.assertEqual(found[2].phases[0].stdout, "1\n")

    def test_wrong_specs_are_answers(self):
        wrong = [{"command": ["true"], "x\n{": 1}, {}, {"command": object()},
                 {"command": [float("nan")]}, echo("x" * (1 << 21))]
        found = {a.index: a for a in SandboxClient().execute_many(
            wrong + [echo(1)])}
        self.assertEqual(len(found), 6)
        for i in range(5):
            self.assertIsNone(found[i].result)
            self.assertEqual(found[i].error.cause, "caller")
            with self.assertRaises(SandboxError):
                found[i].unwrap()
        self.assertIn("unknown key", str(found[0].error))
        self.assertIn("longer", str(found[4].error))
        self.assertEqual(found[5].result.stdout, "1\n")

    def test_nothing(self):
        self.assertEqual(list(SandboxClient().execute_many([])), [])

    def test_specs_without_end_are_taken_as_they_are_needed(self):
        taken = itertools.count()
        last = 0

        def specs():
            nonlocal last
            for last in taken:
                yield echo(last)
        answers = SandboxClient().execute_many(specs(), jobs=2)
        for _ in range(10):
            next(answers)
        self.assertLess(last, 10 + 17)
        answers.close()

    def test_leaving_the_loop_ends_what_runs(self):
        word = "9137.%d" % os.getpid()
        answers = SandboxClient().execute_many(
            [echo(1)] + [{"command": ["sleep", word]}] * 3, jobs=4)
        self.assertEqual(next(answers).result.stdout, "1\n")
        answers.close()
        self.gone(word)

    def test_what_the_source_raises_is_raised(self):
        def specs():
            yield echo(1)
            raise KeyError("mine")
        with self.assertRaises(KeyError):
            list(SandboxClient().execute_many(specs()))

    def test_time(self):
        with self.assertRaises(SandboxError) as caught:
            list(SandboxClient().execute_many(
                [{"command": ["sleep", "50"]}], timeout_s=0.5))
        self.assertEqual(caught.exception.cause, "busy")

    def test_no_descriptor_is_left(self):
        def count():
            return len(os.listdir("/proc/self/fd"))
        list(SandboxClient().execute_many([echo(1)]))
        before = count()
        for _ in range(5):
            list(SandboxClient().execute_many([echo(1)]))
            next(SandboxClient().execute_many([echo(1), echo(2)]))
        self.assertEqual(count(), before)


class Asynchronous(tap.Case):
    def gathered(self, specs, **keys):
        async def run():
            return [a async for a in SandboxClient().execute_many_async(
                specs, **keys)]
        return asyncio.run(asyncio.wait_for(run(), 60))

    def test_each_has_one_answer(self):
        async def source():
            for i in range(MANY):
                await asyncio.sleep(0)
                yield echo(i) if i != 3 else {"command": object()}
        for specs in (source(), [echo(i) for i in range(MANY)]):
            found = self.gathered(specs, jobs=3, ordered=True)
            self.assertEqual([a.index for a in found], list(range(MANY)))
            self.assertEqual(found[-1].unwrap().stdout, "%d\n" % (MANY - 1))

    def test_the_loop_goes_on_meanwhile(self):
        async def run():
            ticks = 0

            async def tick():
                nonlocal ticks
                while True:
                    await asyncio.sleep(0.02)
                    ticks += 1
            ticker = asyncio.ensure_future(tick())
            async for a in SandboxClient().execute_many_async(
                    [{"command": ["sleep", "2"]}]):
                self.assertEqual(a.unwrap().status, "OK")
            ticker.cancel()
            return ticks
        self.assertGreater(asyncio.run(run()), 5)

    def test_leaving_it_ends_what_runs(self):
        word = "9138.%d" % os.getpid()

        async def run():
            answers = SandboxClient().execute_many_async(
                [echo(1)] + [{"command": ["sleep", word]}] * 2, jobs=3)
            async for _ in answers:
                break
            await answers.aclose()
            with self.assertRaises(ChildProcessError):  # it has been reaped
                os.waitpid(-1, os.WNOHANG)
        asyncio.run(asyncio.wait_for(run(), 30))
        self.gone(word)

    def test_what_the_source_raises_is_raised(self):
        async def specs():
            yield echo(1)
            raise KeyError("mine")
        with self.assertRaises(KeyError):
            self.gathered(specs())


# A program in place of cupel; answer(i) is what a batch would write of line i.
STAND_IN = """
import json
RESULT = %r
def answer(i, **keys):
    a = {"id": str(i - 1), "line": i, "hash": "h", "result": RESULT}
    a.update(keys)
    return json.dumps(a) + "\\n"
def say(*texts):
    sys.stdout.write("".join(texts))
    sys.stdout.flush()
"""


class NoBatch(tap.Case):
    """What is not a batch is found out, by both ways."""

    def refused(self, text, cause, word=""):
        result = dict(SandboxClient().execute(echo(1)).raw)
        os.environ["CUPEL"] = self.program(STAND_IN % result + text)

        async def gathered():
            return [a async for a in SandboxClient().execute_many_async(
                [echo(1), echo(2)])]
        for way in (lambda: list(SandboxClient().execute_many(
                [echo(1), echo(2)], timeout_s=30)),
                    lambda: asyncio.run(gathered())):
            with self.assertRaises(SandboxError) as caught:
                way()
            self.assertEqual(caught.exception.cause, cause, caught.exception)
            self.assertIn(word, str(caught.exception))

    def test_an_answer_twice(self):
        self.refused("sys.stdin.read()\nsay(answer(1), answer(1))", "bug",
                     "line")

    def test_an_answer_to_nothing(self):
        self.refused("sys.stdin.read()\nsay(answer(7, id='6'))", "bug", "line")

    def test_the_id_of_another(self):
        self.refused("sys.stdin.read()\nsay(answer(1, id='1'))", "bug", "id")

    def test_an_error_of_another(self):
        self.refused("sys.stdin.read()\nsay(json.dumps({'id': '1', 'line': 1, "
                     "'hash': 'h', 'error': {'cause': 'caller', 'message': "
                     "'m'}}) + '\\n')", "bug", "id")

    def test_a_result_that_is_none(self):
        self.refused("sys.stdin.read()\nsay(answer(1, result={}))", "bug",
                     "version")

    def test_no_json(self):
        self.refused("sys.stdin.read()\nsay('nonsense\\n')", "bug", "JSON")

    def test_half_an_answer(self):
        self.refused("sys.stdin.read()\nsay(answer(1), answer(2)[:-9])", "bug",
                     "answer: 1")

    def test_it_dies(self):
        self.refused("sys.stdin.readline()\nsay(answer(1))\n"
                     "os.kill(os.getpid(), 9)", "host", "signal 9")

    def test_it_reads_nothing(self):
        self.refused("sys.stderr.write('cupel: no\\n')\nsys.exit(2)", "caller",
                     ": no")

    def test_a_line_without_end(self):
        os.environ["CUPEL"] = self.program(
            "while True: os.write(1, b'x' * 65536)")
        with self.assertRaises(SandboxError) as caught:
            list(SandboxClient(max_result_bytes=1 << 20).execute_many(
                [echo(1)]))
        self.assertIn("max_result_bytes", str(caught.exception))
