"""outside_fixture.py -- the wants of fixture.py for attacks on scoped egress."""
import os
import subprocess
import sys
import threading

import lib


class Outside:
    """A part of Fixture; it uses its mark, seen, before and closers."""

    def want_outside(self):
        """A world outside for scoped egress (outside.py); cupel runs in it."""
        own = [] if os.geteuid() == 0 else ["--user", "--map-current-user",
                                            "--keep-caps"]
        p = subprocess.Popen(
            ["unshare"] + own + ["--net", "--mount", sys.executable,
                                 os.path.join(lib.SRC, "adversarial/outside.py"),
                                 lib.make_dir("root"), self.mark],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=dict(os.environ, SRC=lib.SRC))
        ready = p.stdout.readline()

        def loop():
            for line in p.stdout:
                self.seen.add(line.decode().strip())

        reader = threading.Thread(target=loop)
        reader.start()

        def close():
            p.stdin.close()
            reader.join()
            p.wait()
            p.stdout.close()

        self.closers.append(close)
        if ready != b"ready\n":
            raise OSError("no world outside could be made")
        self.before += ["nsenter", "-t", str(p.pid)] + (
            own and ["-U", "--preserve-credentials"]) + ["-n", "-m", "--"]

    def want_beside(self):
        """After want_outside: another run in that world, whose rules allow more."""
        argv = [lib.binary("cupel"), "run", "--repo", self.repo, "--network",
                "scoped", "--egress", "other.example:8081", "--", "/bin/sh",
                "-c", "echo ready; exec sleep 30"]
        p = lib.start(argv, self.user, before=self.before)
        p.stdout.readline()

        def close():
            p.terminate()
            p.communicate()

        self.closers.append(close)
