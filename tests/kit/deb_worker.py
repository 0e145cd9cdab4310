"""deb_worker.py -- a worker of a package does a request of a server on loopback.

Must:     be run with BUILD naming the directory of the package's programs
Must not: pass without a server: exits with 77
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../live"))
sys.dont_write_bytecode = True
import worker_world as world  # noqa: E402

why = world.have()
if why:
    print("# " + why)
    sys.exit(77)
server = world.Server("user")
w = world.Worker(server, "user", "--jobs", "1").ready()
r, got = world.submit(server, [world.run_of("a", world.shell("echo out"))])
code = w.end()
server.end()
good = (r.returncode == 0 and code == 0 and
        [a["result"]["stdout"] for a in got] == ["out\n"])
if not good:
    print("# %s %s\n# %r" % (got, r.stderr, w.said()))
sys.exit(0 if good else 1)
