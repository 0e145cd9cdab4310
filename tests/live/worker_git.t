#!/usr/bin/env python3
"""worker_git.t -- a request's repository is fetched from one host, in a vessel, and
the files are those that the commit's hash stands for."""
import functools
import http.server
import json
import os
import subprocess
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import egress_world as outside  # noqa: E402

outside.enter(os.path.abspath(__file__))
import clients_packages as packages  # noqa: E402
import clients_world as clients  # noqa: E402
import lib  # noqa: E402
import worker_world as world  # noqa: E402
from worker_world import shell  # noqa: E402

URL = "https://git.example/thing.git/"
FILES = {"README": "a repository\n", "src/deep/a.py": "x = 1\n",
         "package.json": '{"name": "thing", "version": "1.0.0"}\n'}


class Smart(http.server.CGIHTTPRequestHandler):
    """git http-backend over HTTP."""
    cgi_directories = ["/cgi-bin"]

    def log_message(self, *_):
        pass


def head_of(place):
    return subprocess.run(
        ["git", "-c", "safe.directory=*", "-C", place, "rev-parse", "HEAD"],
        capture_output=True, text=True, check=True).stdout.strip()


def smart_begin(place):
    """Serve the repository so that one can fetch a single commit that no ref leads to.
    Returns the commit."""
    root = place + ".smart"
    os.makedirs(root + "/cgi-bin")
    at = subprocess.run(["git", "--exec-path"], capture_output=True, text=True,
                        check=True).stdout.strip()
    os.symlink(at + "/git-http-backend", root + "/cgi-bin/git")
    packages.git(place, "config", "uploadpack.allowAnySHA1InWant", "true")
    os.environ.update(GIT_PROJECT_ROOT=os.path.dirname(place),
                      GIT_HTTP_EXPORT_ALL="1", GIT_CONFIG_COUNT="1",
                      GIT_CONFIG_KEY_0="safe.directory",
                      GIT_CONFIG_VALUE_0="*")
    s = http.server.ThreadingHTTPServer(
        (clients.ADDRESS["site"], 8080),
        functools.partial(Smart, directory=root))
    threading.Thread(target=s.serve_forever, daemon=True).start()
    packages.git(place, "commit", "-q", "--allow-empty", "-m", "alone")
    lone = head_of(place)
    packages.git(place, "reset", "-q", "--hard", "HEAD~1")
    return lone


def of(number, command, url=URL, commit="", **more):
    return dict({"id": str(number), "kind": "run", "spec": {
        "command": command}, "source": {"git": url, "commit": commit}}, **more)


def cases(tap, user, server, commits, ca, asked):
    commit, lone = commits
    w = world.Worker(server, user, "--git-host", "git.example",
                     "--git-host", "site.example:8080", "--git-ca", ca,
                     "--jobs", "1").ready()
    requests = [
        of("cat", shell("cat README src/deep/a.py; ls -a; readlink link; "
                        "cat link"), commit=commit),
        {"id": "gather", "kind": "gather", "source": {
            "git": URL, "commit": commit}},
        of("smart", ["/bin/cat", "README"],
           "http://site.example:8080/cgi-bin/git/git/.git", lone),
        of("evil", ["/bin/true"], "https://evil.example/thing.git/", commit),
        of("user", ["/bin/true"], "https://a:b@git.example/x/", commit),
        of("port", ["/bin/true"], "https://git.example:22/x/", commit),
        of("absent", ["/bin/true"], commit="1" * 40),
        of("nowhere", ["/bin/true"], "https://git.example/none.git/", commit),
    ]
    r, got = world.submit(server, requests, user, ["--timeout", "100"], 120)
    by = {a["id"]: a for a in got}
    tap.equal(sorted(by), sorted(q["id"] for q in requests),
              "each is answered [%s]" % user, r.stderr)
    out = by["cat"].get("result", {}).get("stdout", by["cat"])
    tap.ok("a repository\nx = 1\n" in out and ".git" not in out.split() and
           "/etc/hostname" in out, "the files of the commit are there, and the "
           "link leads where it leads inside [%s]" % user, by["cat"])
    tap.equal(by["smart"].get("result", {}).get("stdout"), "a repository\n",
              "a server that gives single commits is asked for one [%s]"
              % user, by["smart"])
    tap.equal(by["gather"]["outcome"], "done", "a gather of a commit [%s]"
              % user, by["gather"])
    for i in ("evil", "user", "port"):
        tap.equal((by[i]["outcome"], by[i]["error"]["code"]),
                  ("refused", "git"), "%s is refused [%s]" % (i, user))
    for i in ("absent", "nowhere"):
        tap.equal((by[i]["outcome"], by[i]["error"]["code"],
                   by[i]["failures"]), ("failed", "git", 4),
                  "%s is tried five times [%s]" % (i, user), by[i])
    tap.ok(b"there is no commit" in json.dumps(
        by["absent"]["error"]).encode(), "with git's reason [%s]" % user,
        by["absent"])
    tap.ok(set(asked()) <= {"git.example", "site.example"},
           "no other host is asked for [%s]" % user, asked())
    w.end()
    left = [f for f in os.listdir(w.dir) if f not in ("log", "metrics")]
    tap.equal(left, [], "no checkout is left [%s]" % user)
    w = world.Worker(server, user).ready()
    r, got = world.submit(server, [of("none", ["/bin/true"], commit=commit)],
                          user)
    tap.equal([a["error"]["code"] for a in got], ["git"],
              "without --git-host there is no host [%s]" % user)
    w.end()


def fetched(tap, user, server):
    """The other hosts, and what is fetched from them."""
    directory = lib.make_dir("root" if os.geteuid() == 0 else "user")
    authority, site, names = clients.make(directory)
    place = directory + "/git"
    packages.git_put(site, "git", "/thing.git/", place, FILES)
    os.symlink("/etc/hostname", place + "/link")
    packages.git(place, "add", ".")
    packages.git(place, "commit", "-q", "-m", "a link")
    packages.git(place, "update-server-info")
    site.put_tree("git", "/thing.git/", place + "/.git")
    commit = head_of(place)
    lone = smart_begin(place)
    del names.asked[:]
    cases(tap, user, server, (commit, lone), authority.ca,
          lambda: set(names.asked))


# One after the other, because the hosts have fixed addresses.
world.main((fetched,), at_once=1,
           is_due=lambda _, user, users: lib.is_due(1, user, users))
