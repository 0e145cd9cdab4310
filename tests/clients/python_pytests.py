"""python_pytests.py -- run_pytests and run_pytests_v2 over real suites."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import tap
from cupel import (SandboxClient, SandboxError, SandboxPolicy, run_pytests,
                   run_pytests_v2)

try:
    import pytest  # noqa: F401
    HAS_PYTEST = True
except ImportError:
    HAS_PYTEST = False

GOOD = "def test_good():\n    assert True\n"
BAD = "def test_bad():\n    assert 1 == 2, 'odd arithmetic'\n"


class Absent(tap.Case):
    def test_no_cupel_is_an_error(self):
        os.environ["CUPEL"] = os.path.join(self.work, "none")
        with self.assertRaises(SandboxError) as caught:
            run_pytests(["."], 5)
        self.assertEqual(caught.exception.cause, "host")

    def test_no_pytest_is_said(self):
        # A virtualenv in the repository: nothing but the interpreter is in it.
        venv = os.path.join(self.repo, "env")
        made = subprocess.run([sys.executable, "-m", "venv", "--without-pip",
                               venv], stderr=subprocess.PIPE)
        if made.returncode:
            self.skipTest("no venv module here")
        self.put("test_a.py", GOOD)
        text = ("import cupel, sys\n"
                "r = cupel.run_pytests_v2(['test_a.py'])\n"
                "print(r.status, r.rc, r.message)\n"
                "print(cupel.run_pytests([])[1])\n")
        env = dict(os.environ, PYTHONDONTWRITEBYTECODE="1",
                   PYTHONPATH=os.path.join(tap.SRC, "src/clients/python"))
        said = subprocess.run(
            [os.path.join(venv, "bin/python"), "-c", text], env=env,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode()
        python = "/repo/env/bin/python"
        why = "pytest is not installed for %s, as seen inside" % python
        self.assertIn("FAILED 1 " + why, said)
        self.assertIn("cupel: " + why, said)

    def test_an_open_network_is_no_result(self):
        raw = dict(SandboxClient().execute({"command": ["true"]}).raw)
        for wall in ({"requested": True, "applied": False, "details": None},
                     {"requested": True, "applied": None, "details": None},
                     None):
            walls = dict(raw["enforced"], network=wall)
            if wall is None:
                del walls["network"]
            os.environ["CUPEL"] = self.program(
                "sys.stdout.write(%r)" % json.dumps(dict(raw, enforced=walls)))
            with self.assertRaises(SandboxError) as caught:
                run_pytests([], 5)
            self.assertIn("network", str(caught.exception))
            policy = SandboxPolicy(enforce_network=False)
            self.assertEqual(run_pytests_v2([], policy).status, "OK")

    def test_a_path_outside_is_refused(self):
        with self.assertRaises(SandboxError) as caught:
            run_pytests(["/etc"], 5)
        self.assertEqual(caught.exception.cause, "caller")
        self.assertIn("/etc", str(caught.exception))


@unittest.skipUnless(HAS_PYTEST, "pytest is not installed")
class Suites(tap.Case):
    def test_a_good_suite(self):
        self.put("tests/test_a.py", GOOD)
        rc, output = run_pytests(["tests"], 20)
        self.assertEqual(rc, 0, output)
        self.assertIn("1 passed", output)
        self.assertNotIn("warning", output)
        self.assertEqual(os.listdir(self.repo), ["tests"])
        self.assertEqual(os.listdir("tests"), ["test_a.py"])

    def test_a_bad_suite(self):
        self.put("tests/test_a.py", GOOD + BAD)
        rc, output = run_pytests(["tests"], 20)
        self.assertEqual(rc, 1, output)
        self.assertIn("odd arithmetic", output)
        self.assertIn("1 failed, 1 passed", output)

    def test_a_timeout(self):
        self.put("test_a.py", "import time\ndef test(): time.sleep(60)\n")
        rc, output = run_pytests(["test_a.py"], 2)
        self.assertEqual(rc, 124, output)

    def test_one_test_by_its_name(self):
        path = self.put("tests/test_a.py", GOOD + BAD)
        for name in ("tests/test_a.py::test_good", path + "::test_good"):
            result = run_pytests_v2([name])
            self.assertEqual(result.status, "OK", result.output)
            self.assertIn("1 passed", result.stdout)
            self.assertEqual(result.payload["tests"]["passed"], 1)
        result = run_pytests_v2([])
        self.assertEqual(result.status, "FAILED", result.output)
        self.assertEqual(result.payload["tests"]["failures"],
                         ["tests.test_a::test_bad"])

    def test_a_repository_elsewhere(self):
        self.put("tests/test_a.py", GOOD)
        os.chdir("/")
        result = run_pytests_v2(["tests"], repo=self.repo)
        self.assertEqual(result.status, "OK", result.output)

    def test_a_path_is_never_an_option(self):
        for name in ("--version", "-h", "@args"):
            rc, output = run_pytests([name], 20)
            self.assertEqual(rc, 4, output)
            self.assertIn("not found", output)

    def test_the_host_is_not_there(self):
        self.put("test_a.py", """
import os, socket, pytest
def test_host():
    assert os.getuid() == 1000
    assert not os.path.exists(%r)
    with open('/repo/new', 'w') as f:
        f.write('in the view alone')
    with pytest.raises(OSError):
        socket.create_connection(('192.0.2.1', 80), 2)
def test_loopback():
    with socket.create_server(('127.0.0.1', 0)) as s:
        socket.create_connection(s.getsockname()).close()
def test_scratch(tmp_path):
    (tmp_path / 'f').write_text('x')
""" % self.repo)
        result = run_pytests_v2([])
        self.assertEqual(result.status, "OK", result.output)
        self.assertIn("3 passed", result.stdout)
        self.assertEqual(os.listdir(self.repo), ["test_a.py"])

    def test_a_pytest_within_a_test_is_no_report(self):
        self.put("test_a.py", """
import pytest
def test_outer():
    assert pytest.main(['-q', '-p', 'no:cacheprovider', 'inner.py']) == 0
""")
        self.put("inner.py", GOOD)
        result = run_pytests_v2([])
        self.assertEqual(result.payload["tests"]["total"], 1, result.output)
        self.assertEqual(result.payload["tests"]["reports"], 1)

    def test_limits(self):
        self.put("test_a.py", """
import resource
def test_hog():
    x = []
    while True: x.append(bytearray(b'x' * (1 << 20)))
""")
        result = run_pytests_v2([], SandboxPolicy(mem_bytes=128 << 20))
        self.assertEqual(result.status, "MEM_LIMIT")
        self.put("test_a.py", "def test_burn():\n    while True: pass\n")
        result = run_pytests_v2([], SandboxPolicy(cpu_time_s=2))
        self.assertEqual(result.status, "CPU_LIMIT")
        self.put("test_a.py", """
import subprocess, pytest
def test_bomb():
    with pytest.raises(BlockingIOError):
        for _ in range(40): subprocess.Popen(['sleep', '60'])
""")
        result = run_pytests_v2([])
        self.assertEqual(result.status, "OK", result.output)

    def test_a_cache_outlives_runs(self):
        self.put("test_a.py", """
import os
def test_count():
    with open('/cache/n', 'a') as f: f.write('x')
""")
        with tempfile.TemporaryDirectory(dir="/var/tmp") as cache:
            policy = SandboxPolicy(cache=cache)
            for n in (1, 2):
                result = run_pytests_v2([], policy)
                self.assertEqual(result.status, "OK", result.output)
                self.assertEqual(result.cache.state, "saved")
                self.assertEqual(result.cache.dir, os.path.realpath(cache))
                with open(os.path.join(cache, "current")) as f:
                    at = os.path.join(cache, f.read().strip(), "n")
                self.assertEqual(os.path.getsize(at), n)
        self.assertIsNone(run_pytests_v2([]).cache)

    def test_a_lie_about_pytest_changes_no_status(self):
        self.put("conftest.py", "import os, sys\n"
                 "sys.stderr.write('x: No module named pytest\\n')\n"
                 "sys.stderr.flush()\nos._exit(1)\n")
        result = run_pytests_v2([])
        self.assertEqual((result.status, result.rc), ("FAILED", 1))

    def test_without_a_closed_network_there_is_no_run(self):
        self.put("test_a.py", GOOD)
        policy = SandboxPolicy(allow_partial=True)
        result = run_pytests_v2([], policy)
        self.assertEqual(result.status, "OK", result.output)
        self.assertTrue(result.enforced["netns"].applied)
        self.assertEqual(policy.to_spec()["backend"], "namespaces")
