"""server.py -- what a JetStream server alone can take.

usage: server.py CYCLES OUT     (BUILD in the environment)

Starts nats-server on a port of loopback with a store of its own, and has
tests/fleet/server (server.c) send requests and take them, for the sizes that
requests and answers have: the median of tests/fleet/data/repositories.tsv and
larger ones.  Prints and writes to OUT/server.dat, a row for each:

  put/s     requests that the server stored in a second, before any is taken
  done/s    requests that were fetched, answered and acknowledged in a second
  cpu_us    the server's processor time for one request, from its storing to
            the confirmed acknowledgement
  own_us    the same of the bench's own process

Other load on the machine lowers the first two, and hardly the third.
"""
import glob
import json
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import workload

REQUEST = 200
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


class Server:
    """nats-server, until end()."""

    def __init__(self):
        path = shutil.which("nats-server",
                            path=os.environ.get("PATH", "") + ":/usr/sbin")
        if not path:
            sys.exit("server: nats-server is not installed")
        self.dir = tempfile.mkdtemp(prefix="cupel-fleet.")
        with open(self.dir + "/conf", "w", encoding="utf-8") as f:
            f.write('listen: "127.0.0.1:-1"\nports_file_dir: "%s"\n'
                    'jetstream {store_dir: "%s/js"}\n' % (self.dir, self.dir))
        self.process = subprocess.Popen(
            [path, "-c", self.dir + "/conf"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while not glob.glob(self.dir + "/*.ports"):
            if time.monotonic() > end or self.process.poll() is not None:
                self.end()
                sys.exit("server: nats-server does not start")
            time.sleep(0.05)
        with open(glob.glob(self.dir + "/*.ports")[0], encoding="utf-8") as f:
            self.url = json.load(f)["nats"][0]

    def cpu_s(self):
        with open("/proc/%d/stat" % self.process.pid, encoding="utf-8") as f:
            words = f.read().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) * TICK_S

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(20)
        shutil.rmtree(self.dir)


def own_s():
    u = resource.getrusage(resource.RUSAGE_CHILDREN)
    return u.ru_utime + u.ru_stime


def one(slots, cycles, answer):
    """A server of its own for each row: what others left costs nothing."""
    server = Server()
    try:
        before, own = server.cpu_s(), own_s()
        p = subprocess.run(
            [os.environ["BUILD"] + "/tests/fleet/server", server.url,
             str(slots), str(cycles), str(REQUEST), str(answer)],
            capture_output=True, text=True, timeout=300)
        if p.returncode:
            sys.exit("server: the bench ended with %d: %s" % (
                p.returncode, p.stderr.strip()[-300:]))
        put, done = map(float, p.stdout.split())
        own = own_s() - own
        cpu = server.cpu_s() - before
    finally:
        server.end()
    return (slots, answer, round(cycles / put), round(cycles / done),
            round(cpu / cycles * 1e6), round(own / cycles * 1e6))


def main(cycles, out):
    median = round(statistics.median(workload.answer_bytes()))
    text = ["slots\tanswer_bytes\tput/s\tdone/s\tcpu_us\town_us"]
    print(text[0])
    for slots, answer in ((1, median), (4, median), (16, median), (64, median),
                          (256, median), (16, 65536), (16, 900000)):
        few = max(cycles * 4096 // max(answer, 4096), 50)
        text.append("\t".join(map(str, one(slots, few, answer))))
        print(text[-1], flush=True)
    with open(out + "/server.dat", "w", encoding="utf-8") as f:
        f.write("\n".join(text) + "\n")


if len(sys.argv) != 3:
    sys.exit(__doc__)
main(int(sys.argv[1]), sys.argv[2])
