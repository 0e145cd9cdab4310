"""bench.py -- what a gather costs, cold and warm.

usage: bench.py ROUNDS OUT  (SRC, BUILD in the environment; TMPDIR is where the
repositories are made)

Contenders, in turn within each round, for each of three repositories:
  cold   cupel gather --no-cache
  warm   cupel gather, with every answer kept from before
  hash   finding, reading and hashing the same inputs: what warm must do
  peer   the same parsing by Python (json, PyYAML's C loader), a fork for each
         probe, each under bwrap with every namespace, as many at once
Then what each built-in probe adds over an empty repository, and one 50 MiB
pnpm-lock.yaml.  Prints a table; writes gather.json and gather.dat to OUT.
"""
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time

SRC, BUILD = os.environ["SRC"], os.environ["BUILD"]
TMP = os.environ["TMPDIR"]
ROUNDS, OUT = int(sys.argv[1]), sys.argv[2]
CUPEL = os.path.join(BUILD, "cupel")
HASH = os.path.join(BUILD, "tests/bench/gather/hash")
BARE = os.path.join(BUILD, "tests/bench/gather/bare")
PARSE = os.path.join(BUILD, "src/parsers/cupel-parse")
SIZES = ("small", "workspace", "many")
JOBS = os.cpu_count() or 1
OVER_PROBE_MS, OVER_HASH_MS = 2, 20
PNPM_S, PNPM_KIB = 5, 512 << 10
ENV = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": TMP, "LANG": "C",
       "TMPDIR": TMP, "XDG_CACHE_HOME": os.path.join(TMP, "cache")}


def run(argv, **kw):
    p = subprocess.run(argv, env=ENV, stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE, **kw)
    if p.returncode:
        sys.exit("%s: %d: %s" % (argv[:3], p.returncode,
                                 p.stderr.decode()[-300:]))


def seconds(act):
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def processor_ms():
    """Of all that was waited for: the init of a vessel is not, so cupel's
    vessels are missing here; warm and hash have none."""
    u = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (u.ru_utime + u.ru_stime) * 1000


def gather(repo, *options):
    run([CUPEL, "gather", "--quiet", "--format", "json"] + list(options)
        + [repo])


def record(repo):
    runs = os.path.join(repo, ".cupel/runs")
    name = sorted(n for n in os.listdir(runs) if n.endswith(".json"))[-1]
    with open(os.path.join(runs, name)) as f:
        return {p["name"]: p for p in json.load(f)["probes"]}


def bwrap(repo):
    words = ["bwrap", "--unshare-all", "--ro-bind", "/usr", "/usr"]
    for d in ("bin", "sbin", "lib", "lib32", "lib64"):
        if os.path.islink("/" + d):
            words += ["--symlink", "usr/" + d, "/" + d]
        elif os.path.isdir("/" + d):
            words += ["--ro-bind", "/" + d, "/" + d]
    return words + ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
                    "--ro-bind", repo, "/repo", "--ro-bind",
                    os.path.join(SRC, "tests/bench/gather/peer.py"), "/peer.py"]


def peer(repo, lists):
    """All probes, at most JOBS at once."""
    waiting, going = list(lists.items()), []
    while waiting or going:
        while waiting and len(going) < JOBS:
            name, path = waiting.pop()
            with open(path) as listed:
                going.append(subprocess.Popen(
                    bwrap(repo) + ["python3", "-I", "/peer.py", name],
                    stdin=listed, stdout=subprocess.DEVNULL, env=ENV))
        if going.pop(0).wait():
            sys.exit("the peer failed")


def lists_of(repo):
    """For each probe a file with the names of its inputs."""
    lists = {}
    for name, p in record(repo).items():
        lists[name] = "%s.%s.list" % (repo, name)
        with open(lists[name], "w") as f:
            f.writelines(i["relative_path"] + "\n"
                         for i in p["declared_inputs"] if "names" not in i)
    return lists


def make(size):
    repo = os.path.join(TMP, size)
    run([sys.executable, os.path.join(SRC, "tests/bench/gather/make_repo.py"),
         size, repo])
    return repo


def compare(size):
    repo = make(size)
    gather(repo)
    lists = lists_of(repo)
    contenders = {
        "cold": lambda: gather(repo, "--no-cache"),
        "warm": lambda: gather(repo),
        "hash": lambda: run([HASH, repo]),
    }
    if shutil.which("bwrap"):
        contenders["peer"] = lambda: peer(repo, lists)
    times = {name: [] for name in contenders}
    cpu = {"warm": [], "hash": []}
    for i in range(ROUNDS):
        for name, act in contenders.items():
            before = processor_ms()
            times[name].append(seconds(act) * 1000)
            if name in cpu:
                cpu[name].append(processor_ms() - before)
    shutil.rmtree(repo)
    return times, cpu


def bare_ms():
    """What the parser's program costs by itself to start and end: no sandbox,
    no input, no output, not even its own filter."""
    p = subprocess.run([BARE, "50", PARSE, "-"], env=ENV, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    return float(p.stdout) / 1000


def each_probe():
    """What one more probe costs when there is nothing to read, in ms: the
    slope from one probe to all; one at a time, and as gather does it.  "bare":
    what of one is not the sandbox's."""
    repo = os.path.join(TMP, "empty")
    os.mkdir(repo)
    gather(repo)
    names = sorted(record(repo))
    slopes = {"1": [], "default": [], "bare": []}
    for _ in range(ROUNDS * 3):
        slopes["bare"].append(bare_ms())
        for jobs in "1", "default":
            values = slopes[jobs]
            words = ["--no-cache"] + (["--jobs", "1"] if jobs == "1" else [])
            few = seconds(lambda: gather(repo, *words, "--only", names[0]))
            all_ = seconds(lambda: gather(repo, *words))
            values.append((all_ - few) * 1000 / (len(names) - 1))
    shutil.rmtree(repo)
    return slopes


def big_lockfile():
    repo = make("pnpm")
    took = [seconds(lambda: gather(repo, "--no-cache", "--only",
                                   "node_manifest")) for _ in range(3)]
    p = record(repo)["node_manifest"]
    shutil.rmtree(repo)
    return {"seconds": min(took), "rss_kib": p["rss_peak_kb"],
            "errors": p["errors"], "status": p["status"]}


def line(name, values):
    values = sorted(values)
    print("%-16s median %8.1f ms   fastest %8.1f   slowest %8.1f"
          % (name, statistics.median(values), values[0], values[-1]))


def verdict(what, value, most, unit):
    print("%-44s %8.2f %s   bar %g   %s"
          % (what, value, unit, most, "held" if value <= most else "MISSED"))


def main():
    result = {"rounds": ROUNDS, "jobs": JOBS}
    rows = []
    for size in SIZES:
        times, cpu = compare(size)
        result[size] = {"wall_ms": times, "processor_ms": cpu}
        for name, values in times.items():
            line(size + " " + name, values)
        rows.append([size] + [statistics.median(times[n]) if n in times
                              else 0 for n in ("hash", "warm", "cold", "peer")])
        if "peer" in times:
            print("%s cold/peer %.2f" % (size, statistics.median(
                c / p for c, p in zip(times["cold"], times["peer"]))))
        over = [w - h for w, h in zip(times["warm"], times["hash"])]
        verdict(size + ": warm over hashing", statistics.median(over),
                OVER_HASH_MS, "ms")
        print("%s: the same in processor time: %.1f ms" % (
            size, statistics.median(cpu["warm"])
            - statistics.median(cpu["hash"])))
    result["probe_ms"] = each_probe()
    one, many, bare = (statistics.median(result["probe_ms"][k])
                       for k in ("1", "default", "bare"))
    print("a built-in probe more: %.2f ms one at a time, %.2f ms %d at a time; "
          "its program alone %.2f ms" % (one, many, JOBS, bare))
    verdict("the sandbox of a probe more, one at a time", one - bare,
            OVER_PROBE_MS, "ms")
    verdict("a probe more, all of it, %d at a time" % JOBS, many,
            OVER_PROBE_MS, "ms")
    big = result["pnpm"] = big_lockfile()
    print("pnpm-lock.yaml of 50 MiB: status %s, %d errors"
          % (big["status"], len(big["errors"])))
    verdict("pnpm-lock.yaml of 50 MiB: wall", big["seconds"], PNPM_S, "s")
    verdict("pnpm-lock.yaml of 50 MiB: memory", big["rss_kib"] / 1024,
            PNPM_KIB / 1024, "MiB")
    os.makedirs(OUT, exist_ok=True)
    with open(os.path.join(OUT, "gather.json"), "w") as f:
        json.dump(result, f)
    with open(os.path.join(OUT, "gather.dat"), "w") as f:
        f.write("size hash warm cold peer\n")
        f.writelines("%s %.3f %.3f %.3f %.3f\n" % tuple(r) for r in rows)


main()
