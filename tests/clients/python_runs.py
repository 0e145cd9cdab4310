"""python_runs.py -- the Python package over real vessels: every end of a run,
threads, interrupts, descriptors."""
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import tap
from cupel import SandboxClient, SandboxError, SandboxPolicy

BURN = "while True: pass"
HOG = "x = []\nwhile True: x.append(bytearray(b'x' * (1 << 20)))"


def python(text, **keys):
    """A spec that runs a text of Python's."""
    spec = {"command": ["python3", "-c", text], "wall_time_s": 20}
    spec.update(keys)
    return spec


class Status(tap.Case):
    def run_as(self, status, rc, spec):
        result = SandboxClient().execute(spec)
        self.assertEqual((result.status, result.rc), (status, rc), result)
        self.assertFalse(result.partial)
        return result

    def test_ok(self):
        result = self.run_as("OK", 0, {"command": ["echo", "hello"]})
        self.assertTrue(result.ok)
        self.assertEqual(result.stdout, "hello\n")
        self.assertEqual(result.stdout_bytes, 6)
        self.assertEqual(result.cmd, ("echo", "hello"))
        self.assertTrue(result.enforced["netns"].applied)
        self.assertGreaterEqual(result.usage.processes, 1)
        self.assertRegex(result.trace_id, "^[0-9a-f]{32}$")
        self.assertEqual(result.raw["traceId"], result.trace_id)

    def test_failed(self):
        result = self.run_as("FAILED", 7, python("raise SystemExit(7)"))
        self.assertFalse(result.ok)

    def test_failed_with_2_is_not_bad_usage(self):
        self.run_as("FAILED", 2, python("raise SystemExit(2)"))

    def test_not_found(self):
        result = self.run_as("FAILED", 127, {"command": ["no-such-thing"]})
        self.assertFalse(result.started)
        self.assertEqual(result.reason, "exec_not_found")

    def test_timeout(self):
        self.run_as("TIMEOUT", 124, python("import time; time.sleep(60)",
                                           wall_time_s=0.5))

    def test_mem_limit(self):
        self.run_as("MEM_LIMIT", 137, python(HOG, mem_bytes=64 << 20))

    def test_cpu_limit(self):
        self.run_as("CPU_LIMIT", 152, python(BURN, cpu_time_s=1))

    def test_output_limit(self):
        self.run_as("OUTPUT_LIMIT", 137, python(
            "while True: print('x' * 99)", output_bytes=10000,
            output_mode="kill"))

    def test_output_is_truncated(self):
        result = self.run_as("OK", 0, python("print('x' * 99999)",
                                             output_bytes=1000))
        self.assertTrue(result.stdout_truncated)
        self.assertEqual(result.stdout_bytes, 100000)
        self.assertTrue(result.stdout.endswith("\n[TRUNCATED]\n"))

    def test_file_size_limit(self):
        self.run_as("FILE_SIZE_LIMIT", 153, python(
            "import signal; signal.signal(25, signal.SIG_DFL)\n"
            "open('/scratch/f', 'wb').write(b'x' * 200000)",
            fsize_bytes=100000))

    def test_forbidden_syscall(self):
        result = self.run_as("FORBIDDEN_SYSCALL", 159, python(
            "import ctypes\nctypes.CDLL(None).mount(b'', b'/', b'', 0, 0)"))
        self.assertEqual(result.violation.syscall, "mount")
        self.assertEqual(len(result.violation.args), 6)

    def test_signal(self):
        result = self.run_as("SIGNALED", 139, python(
            "import os; os.kill(os.getpid(), 11)"))
        self.assertEqual(result.signal, 11)

    def test_network_is_refused(self):
        listener = __import__("socket").create_server(("127.0.0.1", 0))
        with listener:
            port = listener.getsockname()[1]
            text = ("import socket\ntry: socket.create_connection("
                    "('127.0.0.1', %d), 2); print('open')\n"
                    "except OSError: print('refused')" % port)
            spec = python(text, profile="test")
            self.assertEqual(self.run_as("OK", 0, spec).stdout, "refused\n")
        self.assertTrue(
            SandboxClient().execute(spec).enforced["network"].applied)

    def test_a_host_failure_is_a_result(self):
        result = SandboxClient().execute(
            {"command": ["true"], "chdir": "/nowhere", "error_rc": 77})
        self.assertEqual(result.status, "INTERNAL_ERROR")
        self.assertFalse(result.started)
        self.assertIn(result.cause, ("caller", "host"))

    def test_payload(self):
        result = self.run_as("OK", 0, python(
            "print('{\"n\": 1%s, \"big\": 1e999, \"x\": [0.5]}' % ('0' * 500))",
            result_from="stdout"))
        self.assertEqual(result.payload_status, "valid")
        self.assertEqual(result.payload["n"], 10**500)
        self.assertEqual(result.payload["x"], [0.5])
        self.assertEqual(str(result.payload["big"]), "1E+999")

    def test_a_payload_that_is_none(self):
        result = self.run_as("OK", 0, python("print('{]')",
                                             result_from="stdout"))
        self.assertEqual(result.payload_status, "malformed")
        self.assertIsNone(result.payload)
        self.assertTrue(result.payload_error.code)

    def test_artifact(self):
        kept = os.path.join(self.work, "kept")
        result = self.run_as("OK", 0, python(
            "open('/scratch/a', 'w').write('abc')",
            artifact=["/scratch/a:" + kept]))
        self.assertEqual(result.artifacts[0].bytes, 3)
        with open(kept) as f:
            self.assertEqual(f.read(), "abc")


class Client(tap.Case):
    def test_health(self):
        health = SandboxClient().health()
        self.assertTrue(health.ok, health)
        self.assertEqual(health.binary, tap.CUPEL)
        self.assertRegex(health.version, r"^\d+\.\d+")

    def test_health_of_no_such_profile(self):
        health = SandboxClient().health(profile="none-such")
        self.assertFalse(health.ok)
        self.assertIn("none-such", health.reason)

    def test_it_is_found_in_path(self):
        del os.environ["CUPEL"]
        os.environ["PATH"] = "%s:/usr/bin:/bin" % tap.BUILD
        self.assertEqual(SandboxClient().health().binary, tap.CUPEL)
        self.assertEqual(
            SandboxClient().execute({"command": ["true"]}).status, "OK")

    def test_a_spec_that_is_refused(self):
        for spec, word in (
            ({"command": ["true"], "frob": 1}, "frob"),
            ({"command": ["true"], "nofile": 0}, "nofile"),
            ({"command": ["true"], "nofile": True}, "nofile"),
            ({"command": []}, "command"),
            ({"command": "true"}, "command"),
            ({"command": ["true"], "error_rc": 9, "frob": 1}, "frob"),
            ({"command": ["true"], "json": "x"}, "json"),
            ({"command": ["a\ud800"]}, "spec"),
            ({"command": ["true"], "wall_time_s": float("nan")}, "JSON"),
            ({"command": [b"true"]}, "JSON"),
        ):
            with self.subTest(spec=spec):
                with self.assertRaises(SandboxError) as caught:
                    SandboxClient().execute(spec)
                self.assertEqual(caught.exception.cause, "caller")
                self.assertIn(word, str(caught.exception))
                self.assertNotIn("\n", str(caught.exception))

    def test_an_error_can_be_pickled(self):
        again = pickle.loads(pickle.dumps(SandboxError("what", "busy")))
        self.assertEqual((str(again), again.cause), ("what", "busy"))

    def test_a_large_spec(self):
        words = ["x" * 1000] * 1000
        result = SandboxClient().execute({"command": ["echo"] + words})
        self.assertEqual(result.stdout_bytes, 1001 * 1000)

    def test_output_that_is_not_utf_8(self):
        result = SandboxClient().execute(python(
            "import sys; sys.stdout.buffer.write(b'a\\xff\\xfe\\x00b')"))
        self.assertTrue(result.stdout_replaced)
        self.assertFalse(result.stderr_replaced)
        self.assertEqual(result.stdout_bytes, 5)
        self.assertIn("\ufffd", result.stdout)
        self.assertIn("\0b", result.stdout)

    def test_output_of_many_megabytes(self):
        size = 2 << 20
        result = SandboxClient().execute(python(
            "import sys\nfor f in sys.stdout, sys.stderr:"
            " f.write('\\1' * %d)" % size, output_bytes=size))
        self.assertEqual(len(result.stdout), size)
        self.assertEqual(result.stderr, "\1" * size)

    def test_no_shell(self):
        words = ["$(id)", "`id`", "$HOME", "a;b", "*", "a\nb", "'", '"', ""]
        result = SandboxClient().execute({"command": [
            "python3", "-c", "import sys; print(sys.argv[1:])"]
            + words})
        self.assertEqual(result.stdout, "%s\n" % words)

    def test_a_program_of_an_odd_name(self):
        odd = os.path.join(self.work, "a b; id $(id)")
        os.symlink(tap.CUPEL, odd)
        os.environ["CUPEL"] = odd
        self.assertTrue(SandboxClient().health().ok)

    def test_threads(self):
        client, got = SandboxClient(), {}

        def go(i):
            got[i] = [client.execute({"command": ["echo", str(i), str(k)]})
                      .stdout for k in range(3)]
        threads = [threading.Thread(target=go, args=(i,)) for i in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(got, {i: ["%d %d\n" % (i, k) for k in range(3)]
                               for i in range(8)})

    def test_no_descriptor_leaks(self):
        def held():
            return sorted(os.listdir("/proc/self/fd"))
        client = SandboxClient()
        before = held()
        for spec in ({"command": ["true"]}, {"frob": 1},
                     python("while True: pass", wall_time_s=0.1)) * 3:
            try:
                client.execute(spec)
            except SandboxError:
                pass
        with self.assertRaises(SandboxError):
            client.execute(python("import time; time.sleep(9)"), 0.3)
        self.assertEqual(held(), before)

    def test_nothing_of_the_caller_s_is_inherited(self):
        with open(self.put("secret", "s")) as f:
            os.set_inheritable(f.fileno(), True)
            result = SandboxClient().execute(python(
                "import os; print(sorted(os.listdir('/proc/self/fd')))"))
        self.assertEqual(result.stdout, "['0', '1', '2', '3', '4']\n")


def seconds(n):
    """For sleep(1): n and a bit. No other program that runs this suite at the
    same time, as another user, has the same."""
    return "%d.%d" % (n, os.getpid())


class End(tap.Case):
    def sleep(self, word):
        return {"command": ["sleep", word], "wall_time_s": 60}

    def test_a_timeout_of_the_caller_s(self):
        with self.assertRaises(SandboxError) as caught:
            SandboxClient().execute(self.sleep(seconds(51)), timeout_s=0.5)
        self.assertEqual(caught.exception.cause, "busy")
        self.gone(seconds(51))

    def test_an_interrupt(self):
        def interrupt(number, frame):
            raise KeyboardInterrupt
        old = signal.signal(signal.SIGALRM, interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, old)
        signal.setitimer(signal.ITIMER_REAL, 0.7)
        with self.assertRaises(KeyboardInterrupt):
            SandboxClient().execute(self.sleep(seconds(52)))
        self.gone(seconds(52))

    def test_control_c(self):
        text = ("from cupel import SandboxClient\n"
                "SandboxClient().execute(%r)" % self.sleep(seconds(53)))
        env = dict(os.environ, PYTHONPATH=sys.path[1] if "clients" in
                   sys.path[1] else os.path.join(tap.SRC,
                                                 "src/clients/python"))
        child = subprocess.Popen([sys.executable, "-c", text], env=env,
                                 start_new_session=True,
                                 stderr=subprocess.PIPE)
        until = time.monotonic() + 120
        while not tap.running(seconds(53)) and time.monotonic() < until:
            time.sleep(0.02)
        self.assertTrue(tap.running(seconds(53)), "it never ran")
        os.killpg(child.pid, signal.SIGINT)
        said = child.communicate(timeout=120)[1]
        self.assertIn(b"KeyboardInterrupt", said)
        self.gone(seconds(53))


class Policy(tap.Case):
    def test_defaults(self):
        p = SandboxPolicy()
        self.assertEqual(
            (p.wall_time_s, p.cpu_time_s, p.mem_bytes, p.pids_max, p.nofile,
             p.output_bytes, p.enforce_network, p.allow_partial),
            (30, 20, 512 * 1024 * 1024, 32, 512, 1024 * 1024, True, False))

    def test_it_is_a_spec(self):
        for policy in (SandboxPolicy(), SandboxPolicy(
                allow_partial=True), SandboxPolicy(enforce_network=False)):
            result = SandboxClient().execute(
                dict(policy.to_spec(), command=["true"]))
            self.assertEqual(result.status, "OK", result.message)
            e = result.enforced
            self.assertEqual(e["wall_time"].details["ms"], 30000)
            self.assertEqual(e["rlimit_cpu"].details["soft"], 20)
            self.assertEqual(e["memory_total"].details["bytes"], 512 << 20)
            self.assertEqual(e["rlimit_nofile"].details["soft"], 512)
            self.assertEqual(e["output_stdout"].details["bytes"], 1 << 20)
            self.assertTrue(e["pids"].applied)
            self.assertEqual(e["network"].details["mode"], "loopback")
