#!/usr/bin/env python3
"""partial.t -- a run is strict by default, partial when that is allowed, and
never silently partial (cupel-run(1), "DEGREES"); and what a full run
attests."""
import errno
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

NAMESPACES = ["userns", "mountns", "pidns", "netns", "ipcns", "utsns",
              "cgroupns"]
# What an ordinary run enforces here, whoever launches it.
ALWAYS = NAMESPACES + """root_readonly repo_readonly repo_objects scratch_size
scratch_inodes proc_private devices host_uid capabilities securebits
no_new_privs nested_userns descriptors session seccomp violation_report
rlimit_cpu rlimit_as rlimit_data rlimit_nofile rlimit_fsize rlimit_nproc
rlimit_core pids wall_time output_stdout output_stderr network
env""".split()


def missing(enforced):
    return sorted(k for k, v in enforced.items()
                  if v["requested"] and v["applied"] is False)


def full(tap, user):
    r = lib.go(user, "--nproc 64", "true")
    e = r.json["enforced"]
    off = [k for k in ALWAYS if not (e[k]["requested"] and e[k]["applied"])]
    tap.equal(off, [], "all of it is asked for and stands [%s]" % user,
              {k: e[k] for k in off})
    tap.equal((r.json["partial"], r.json["reason"]), (False, None),
              "a full run is not partial [%s]" % user)
    for key, value in e.items():
        tap.ok(isinstance(value["requested"], bool) and
               value["applied"] in (True, False, None) and
               (value["details"] is None or
                isinstance(value["details"], dict)) and
               set(value) == {"requested", "applied", "details"},
               "%s has its shape [%s]" % (key, user), value)
    groups = e["supplementary_groups"]
    if user == "root":
        tap.ok(groups["applied"], "groups are emptied by root", groups)
    else:
        tap.ok(not groups["applied"] and groups["details"],
               "groups of a user are told [%s]" % user, groups)
    tap.ok(e["memory_total"]["details"], "the watchdog says how [%s]" % user,
           e["memory_total"])
    how = e["memory_total"]["details"]
    by_cgroup = how["by"] == "cgroup"
    tap.equal((e["memory_total"]["requested"], e["memory_total"]["applied"],
               how.get("bound"), "file_locks" in how["uncounted"]),
              (True, True if by_cgroup else None,
               None if by_cgroup else "estimate", True),
              "an estimate of memory is told as one [%s]" % user,
              e["memory_total"])
    ways = [(None, "sampling", "lower"), (True, "cgroup", "exact")]
    has = by_cgroup and how["version"] == 2
    tap.equal(e["cpu_tree"], {"requested": True, "applied": ways[has][0],
              "details": {"method": ways[has][1], "bound": ways[has][2],
                          "ms": 30000, "uncounted": ["kernel_threads"]}},
              "the tree's CPU time is sampled, and said so [%s]" % user)
    r = lib.go(user, "--backend rlimits --allow-partial", "true")
    tap.equal(r.json["enforced"]["cpu_tree"]["applied"], False,
              "and is not where nothing samples [%s]" % user, r.brief())
    r = lib.go(user, "--repo-mode overlay", "true")
    tap.equal(r.json["enforced"]["repo_overlay"]["applied"], True,
              "repo_overlay stands [%s]" % user, r.brief())


def strict(tap, user):
    for backend in ("landlock", "rlimits"):
        for options in ("--backend " + backend,
                        "--backend %s --allow-partial" % backend):
            command = ["/bin/echo", "ran"]
            r = lib.go(user, options + " --repo-mode none --chdir /",
                       *command)
            if r.json is None:
                tap.ok(False, "%s [%s]" % (options, user), r.brief())
                continue
            j = r.json
            if "--allow-partial" not in options:
                good = (j["message"] if not j["started"] else
                        j["partial"] == bool(missing(j["enforced"])))
                tap.ok(good, "%s is not silent [%s]" % (options, user),
                       r.brief())
                continue
            tap.ok(j["stdout"] == "ran\n" and j["partial"] and
                   j["reason"] == "PARTIAL_ENFORCEMENT" and
                   missing(j["enforced"]),
                   "%s goes on and says so [%s]" % (options, user), r.brief())
            ns = [k for k in NAMESPACES if j["enforced"][k]["applied"]]
            tap.equal(ns, [], "%s claims no namespace [%s]" % (options, user))


def landlock(tap, user):
    """Landlock alone: the host's files are hidden, and the scratch is
    private."""
    top = lib.make_dir(user)
    lib.put(user, top + "/secret", "s3cret", 0o600)
    r = lib.go(user, "--backend landlock --allow-partial", "sh", "-c",
               "cat %s/secret; cat /etc/shadow; ls /root; echo x >%s/new; "
               "echo x >/tmp/cupel-landlock-probe" % (top, top))
    leaked = r.json and ("s3cret" in r.json["stdout"] or
                         os.path.exists(top + "/new") or
                         os.path.exists("/tmp/cupel-landlock-probe"))
    tap.ok(r.json and r.json["status"] != "INTERNAL_ERROR" and not leaked,
           "landlock holds the host's files [%s]" % user, r.brief())


CORE = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(0 if libc.prctl(62, 1, 0, 0, 0) == 0 else ctypes.get_errno())
"""


def core_scheduling(tap, user):
    """Core scheduling as the kernel reports it; a process of the test asks
    the kernel first."""
    said = subprocess.run([sys.executable, "-c", CORE], capture_output=True,
                          text=True, check=True).stdout
    has_it = int(said) in (0, errno.ENODEV)
    for more in ("", "--allow-partial"):
        r = lib.go(user, "--core-scheduling " + more, "echo", "ran")
        j = r.json or {}
        if has_it:
            good = j.get("status") == "OK" and j["stdout"] == "ran\n" and \
                j["enforced"]["cpu_tree"]["details"]["core_scheduling"] is True
        else:
            good = j.get("status") == "INTERNAL_ERROR" and \
                not j["started"] and "--core-scheduling" in j["message"]
        tap.ok(good, "--core-scheduling %s stands, or nothing starts [%s]" %
               (more, user), r.brief())


def main():
    tap = lib.Tap()
    for user in lib.users():
        for part in (full, strict, landlock, core_scheduling):
            try:
                part(tap, user)
            except (KeyError, TypeError) as e:
                tap.ok(False, "%s [%s]" % (part.__name__, user), repr(e))
    tap.done()


main()
