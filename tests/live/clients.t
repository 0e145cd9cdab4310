#!/usr/bin/env python3
"""clients.t -- real clients and installers with scoped egress and without a
proxy variable: they reach what the rules name, in registries of the test's own
over TLS (clients_world.py); what the rules do not name is refused, and the
result names it.

usage: clients.t [CASE...]
The quick tier runs each case as one launcher, by turns, and leaves out the cases
in SLOW; the full tier runs each as both.
"""
import json
import os
import shlex
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import egress_world as world  # noqa: E402

world.enter(os.path.abspath(__file__))
import clients_inside as inside  # noqa: E402
import clients_packages as packages  # noqa: E402
import clients_world as clients  # noqa: E402
import lib  # noqa: E402

CA = "/repo/ca.pem"
EVIL = inside.EVIL
PATH = "/usr/local/bin:/usr/bin:/bin"


class World:
    """The world outside, with every registry filled, for one launcher."""

    def __init__(self, tap):
        self.tap, self.user = tap, None
        self.directory = lib.make_dir("root")
        self.authority, self.site, self.names = clients.make(self.directory)
        site = self.site
        site.put("site", "/page", "from the site\n")
        self.npm = packages.Npm(site)
        self.npm.add("posts", {"scripts": {"postinstall": "node post.js"}},
                     {"post.js": inside.POST % (EVIL, "process.exitCode = 3")})
        self.npm.add("hides", {"scripts": {"postinstall": "node post.js"}},
                     {"post.js": inside.POST % (EVIL, "")})
        packages.pip_put(site, "alpha", "alpha-1.0-py3-none-any.whl",
                         packages.wheel("alpha", ["beta"]))
        packages.pip_put(site, "beta", "beta-1.0-py3-none-any.whl",
                         packages.wheel("beta"))
        packages.pip_put(site, "posts", "posts-1.0.tar.gz",
                         packages.sdist("posts", inside.SETUP))
        packages.git_put(site, "git", "/thing.git/", self.directory + "/git",
                         {"README": "a repository\n"})
        packages.deb_put(site, self.directory + "/hello")
        packages.go_put(site)
        packages.cargo_put(site, self.directory + "/index")

    def repository(self, files=None):
        path = lib.make_dir(self.user)
        lib.put(self.user, path + "/ca.pem", self.authority.text)
        for name, text in (files or {}).items():
            to = os.path.join(path, name)
            if os.path.dirname(to) != path:
                os.makedirs(os.path.dirname(to), exist_ok=True)
                lib.give(self.user, os.path.dirname(to))
            lib.put(self.user, to, text)
        return path

    def run(self, profile, hosts, command, files=None, env=(), more=()):
        """(result, {host or address: [(port, verdict, reason)]})"""
        options = ["--repo", self.repository(files)]
        options += ["--profile", profile] if profile else [
            "--network", "scoped", "--chdir", "/scratch"]
        for rule in hosts:
            options += ["--egress", rule]
        for pair in env:
            options += ["--env", pair]
        r = lib.cupel(options + list(more), command, self.user,
                      before=world.ordinary(), clock_s=120)
        book = {}
        for e in (r.json or {}).get("egress") or []:
            book.setdefault(e["host"] or e["address"], set()).add(
                (e["port"], e["verdict"], e["reason"]))
        return r, book

    def ok(self, good, name, note=""):
        return self.tap.ok(good, "%s [%s]" % (name, self.user), note)

    def told(self, r, book, reached, name):
        """Check that exactly these hosts were reached at 443, and that EVIL
        was refused."""
        want = {host: {(443, "allowed", None)} for host in reached}
        want[EVIL] = {(None, "refused", "no_rule")}
        return self.ok(book == want and not self.site.asked_of("evil") and
                       EVIL not in self.names.asked,
                       name + ": the result lists what was reached and what "
                       "was refused, and nobody else saw it",
                       "%s\nwanted %s\n%s" % (book, want, r.brief()))


def said(r):
    """The last line that the run printed, as JSON; or how the run ended."""
    try:
        return json.loads(r.json["stdout"].splitlines()[-1])
    except (TypeError, ValueError, IndexError):
        return r.brief()


# --- programs that fetch -------------------------------------------------------------

def curl(w):
    r, book = w.run(None, ["site.example:443"], [
        "sh", "-c", "curl -sS https://site.example/page; "
        "curl -sS https://evil.example/; echo $?"],
        env=["CURL_CA_BUNDLE=" + CA])
    w.ok(r.json and r.json["stdout"] == "from the site\n6\n", "curl", r.brief())
    w.told(r, book, ["site.example"], "curl")
    r = lib.run([lib.binary("cupel"), "run", "--network", "scoped", "--egress",
                 "site.example:443", "--repo", w.repository(), "--env",
                 "CURL_CA_BUNDLE=" + CA, "--", "curl", "-sS",
                 "https://site.example/page", "https://other.example/"],
                w.user, before=world.ordinary())
    w.ok((r.rc, r.out, r.err) == (6, b"from the site\n", b"curl: (6) Could not "
         b"resolve host: other.example\ncupel: egress: other.example was "
         b"refused: no_rule\n"), "curl: what cupel-run(1) shows", r.brief())


def wget(w):
    r, book = w.run(None, ["site.example:443"], [
        "sh", "-c", "wget -q -O - --ca-certificate=%s https://site.example/page"
        "; wget -q -t 1 -O - https://evil.example/; echo $?" % CA])
    w.ok(r.json and r.json["stdout"] == "from the site\n4\n", "wget", r.brief())
    w.told(r, book, ["site.example"], "wget")


def node_fetch(w):
    r, book = w.run("default", ["site.example:443"], [
        "node", "/repo/fetch.mjs", clients.ADDRESS["site"]], {"fetch.mjs": inside.FETCH},
        ["NODE_EXTRA_CA_CERTS=" + CA],
        ["--network", "scoped", "--as-bytes", "unlimited", "--data-bytes",
         "unlimited", "--seccomp", "test"])
    w.ok(said(r) == ["from the site", "ENOTFOUND", "ECONNREFUSED", None],
         "fetch of node: the site, another name, its address", said(r))
    book.pop(clients.ADDRESS["site"], None)
    w.told(r, book, ["site.example"], "fetch of node")


def python(w):
    r, book = w.run(None, ["site.example:443"], [
        "/usr/bin/python3", "/repo/get.py"], {"get.py": inside.PYTHON},
        ["SSL_CERT_FILE=" + CA])
    w.ok(said(r) == ["from the site", "gaierror", "from the site", "gaierror",
                     []], "urllib and asyncio of python", said(r))
    w.told(r, book, ["site.example"], "python")


def git(w):
    r, book = w.run(None, ["git.example:443"], [
        "sh", "-c", "git clone -q https://git.example/thing.git t && "
        "cat t/README; git clone -q https://evil.example/thing.git u; echo $?"],
        env=["GIT_SSL_CAINFO=" + CA])
    w.ok(r.json and r.json["stdout"] == "a repository\n128\n", "git clone",
         r.brief())
    w.told(r, book, ["git.example"], "git clone")


# --- installers ----------------------------------------------------------------------

NPM = ["npm_config_registry=https://npm.example/", "npm_config_cafile=" + CA]


def npm_ci(w):
    r, book = w.run("npm-install", ["npm.example:443"], [
        "sh", "-c", "npm ci && node -p 'require(\"pkg0\") + "
        "require(\"fs\").readdirSync(\"node_modules\").filter("
        "n => n[0] != \".\").length'"],
        w.npm.repository("pkg0"), NPM)
    w.ok(r.status == "OK" and r.json["stdout"].endswith("\n%d\n" %
                                                        packages.TREE),
         "npm ci: a lockfile of the public registry, and one's own", r.brief())
    w.ok(book == {"npm.example": {(443, "allowed", None)}},
         "npm ci: the result lists one host", book)


def npm_by_npmrc(w):
    files = w.npm.repository("pkg0")
    files[".npmrc"] = "registry=https://npm.example/\ncafile=ca.pem\n"
    del files["package-lock.json"]
    r, book = w.run("npm-install", ["npm.example:443"], ["npm", "install"],
                    files)
    w.ok(r.status == "OK" and book == {"npm.example": {(443, "allowed", None)}},
         "npm install: a registry that .npmrc names", "%s\n%s" % (
             book, r.brief()))


def npm_that_posts(w):
    r, book = w.run("npm-install", ["npm.example:443"], ["npm", "ci"],
                    w.npm.repository("posts", "pkg0"), NPM)
    w.ok(r.status == "FAILED" and "ENOTFOUND" in r.json["stderr"],
         "npm ci fails by a postinstall that posts elsewhere", r.brief())
    w.told(r, book, ["npm.example"], "npm ci with a postinstall that posts")
    r, book = w.run("npm-install", ["npm.example:443"], ["npm", "ci"],
                    w.npm.repository("hides", "pkg0"), NPM)
    w.ok(r.status == "OK", "npm ci goes on where the postinstall says nothing",
         r.brief())
    w.told(r, book, ["npm.example"], "npm ci with a postinstall that hides it")
    r, book = w.run("npm-install", ["npm.example:443", EVIL + ":443"],
                    ["npm", "ci"], w.npm.repository("posts", "pkg0"),
                    NPM + ["NODE_EXTRA_CA_CERTS=" + CA])
    w.ok(r.status == "OK" and [a for a in w.site.asked_of("evil")
                               if a[1:] == ("POST", "/take")],
         "(control) where a rule lets it, it posts", r.brief())


PIP = ["PIP_INDEX_URL=https://pypi.example/simple/", "PIP_CERT=" + CA]
PIP_HOSTS = ["pypi.example:443", "files.example:443"]


def pip(w):
    r, book = w.run("pip-install", PIP_HOSTS, [
        "sh", "-c", "/usr/bin/pip -q install --target t alpha && "
        "PYTHONPATH=t /usr/bin/python3 -c 'import alpha, beta; "
        "print(alpha.said, beta.said)' && "
        "/usr/bin/pip -q download -d d beta && ls d"], env=PIP)
    w.ok(r.json and r.json["stdout"] == "alpha beta\n"
         "beta-1.0-py3-none-any.whl\n", "pip install, pip download", r.brief())
    w.ok(book == {"pypi.example": {(443, "allowed", None)},
                  "files.example": {(443, "allowed", None)}},
         "pip: the result lists the index and its files", book)


def pip_that_posts(w):
    r, book = w.run("pip-install", PIP_HOSTS, [
        "/usr/bin/pip", "-v", "install", "--no-build-isolation", "--target",
        "t", "posts"], env=PIP)
    w.ok(r.status == "OK" and "TOLD" in r.json["stderr"],
         "pip install of a package whose setup.py posts elsewhere", r.brief())
    w.told(r, book, ["pypi.example", "files.example"],
           "pip install of one that posts")


def apt(w):
    for scheme, port in (("https", 443), ("http", 80)):
        del w.site.asked[:]
        r, book = w.run("apt-download", ["deb.example:%d" % port], [
            "sh", "-c", inside.APT, "sh", scheme],
            more=["--chdir", "/scratch"])
        w.ok(r.json and "Package: hello-test" in r.json["stdout"] and
             "Could not resolve 'evil.example'" in
             r.json["stdout"] + r.json["stderr"],
             "apt-get update and download by " + scheme, r.brief())
        w.ok(book == {"deb.example": {(port, "allowed", None)},
                      EVIL: {(None, "refused", "no_rule")}} and
             not w.site.asked_of("evil"),
             "apt-get by %s: what was reached, and what was refused" % scheme,
             book)


def go(w):
    r, book = w.run("go-mod-download", ["goproxy.example:443"], [
        "sh", "-c", "go mod download -x all && ls /scratch/go/pkg/mod/"
        "mod.example; GOPROXY=https://evil.example/ GOFLAGS=-modcacherw "
        "GOMODCACHE=/scratch/other go mod download; echo $?"],
        {"go.mod": inside.GO_MOD},
        ["GOPROXY=https://goproxy.example", "GONOSUMDB=*", "GOFLAGS=-mod=mod",
         "SSL_CERT_FILE=" + CA])
    w.ok(r.json and r.json["stdout"] == "thing@v1.0.0\n1\n", "go mod download",
         r.brief())
    w.told(r, book, ["goproxy.example"], "go mod download")


def has_sparse(user):
    """Whether cargo here knows sparse registries; None: cargo does not run."""
    p = lib.run([shutil.which("cargo", path=PATH), "--version"], user)
    words = p.out.split()
    if p.rc or len(words) < 2:
        return None
    return int(words[1].split(b".")[1]) >= 68


def cargo(w):
    is_new = has_sparse(w.user)
    if is_new is None:
        w.tap.ok(True, "cargo [%s] # SKIP it does not run here" % w.user)
        return
    index = ("sparse+https://crates.example/" if is_new
             else "https://crates.example/index.git")
    r, book = w.run("cargo-fetch", ["crates.example:443"], [
        "sh", "-c", "cargo fetch && ls $CARGO_HOME/registry/src/*; "
        "curl -sS https://evil.example/; echo $?"],
        {"Cargo.toml": inside.CRATE, "src/lib.rs": "",
         ".cargo/config.toml": inside.CARGO % index},
        ["CARGO_HTTP_CAINFO=" + CA, "GIT_SSL_CAINFO=" + CA])
    w.ok(r.json and r.json["stdout"].endswith("thing-1.0.0\n6\n"),
         "cargo fetch", r.brief())
    w.told(r, book, ["crates.example"], "cargo fetch")


# --- what the manual says ------------------------------------------------------------

def the_manual(w):
    with open(os.path.join(lib.SRC, "man/cupel-profile.1.in")) as f:
        files, commands = inside.manual(f.read())
    w.ok(len(commands) == 6, "the manual has examples", commands)
    for command in commands:
        program = shlex.split(command, comments=True)
        program = program[program.index("--") + 1]
        if not shutil.which(program, path=PATH) or (
                program in ("go", "cargo") and not IS_FULL) or (
                    program == "cargo" and not has_sparse(w.user)):
            continue
        more = dict(w.npm.repository("pkg0"), **{
            "go.mod": inside.GO_MOD, "Cargo.toml": inside.CRATE,
            "src/lib.rs": ""})
        more.update({n: t for n, t in files.items()
                     if "npm_config" not in command or n != ".npmrc"})
        is_inner = clients.INNER in command
        w.names.names["npm.example"] = [
            [clients.INNER if is_inner else clients.ADDRESS["npm"]]]
        r = lib.run(["env", "-C", w.repository(more), "sh", "-c",
                     command.replace("cupel run", "exec %s run --json" %
                                     lib.binary("cupel"))], w.user,
                    before=world.ordinary(), clock_s=120)
        result = json.loads(r.out or b"{}")
        w.ok(result.get("status") == "OK" and
             {e["verdict"] for e in result["egress"]} == {"allowed"} and
             (not is_inner or result["egress"][0]["address"] ==
              clients.INNER), "as the manual has it: " +
             " ".join(shlex.split(command, comments=True)),
             result.get("stderr") or r.brief())


def npm_within(w):
    """A registry at a private address: a rule for its name alone does not
    allow it."""
    w.names.names["npm.example"] = [[clients.INNER]]
    r, book = w.run("npm-install", ["npm.example:443"], ["npm", "ci"],
                    w.npm.repository("pkg0"), NPM + [
                        "npm_config_fetch_retries=0"])
    w.ok(r.status == "FAILED" and book == {
        "npm.example": {(None, "refused", "address_range")}},
         "npm ci: a registry at a private address that no rule names", book)
    w.names.names["npm.example"] = [[clients.ADDRESS["npm"]]]


CASES = ((curl, "curl"), (wget, "wget"), (node_fetch, "node"),
         (python, "python3"), (git, "git"), (npm_ci, "npm"),
         (npm_by_npmrc, "npm"), (npm_that_posts, "npm"), (pip, "pip"),
         (pip_that_posts, "pip"), (apt, "apt-get"), (go, "go"),
         (cargo, "cargo"), (npm_within, "npm"), (the_manual, "npm"))
SLOW = (go, cargo)
IS_FULL = os.environ.get("CUPEL_TIER") != "quick"


def main():
    tap, only = lib.Tap(), sys.argv[1:]
    w = World(tap)
    users = lib.users()
    for i, (case, program) in enumerate(CASES):
        if (only and case.__name__ not in only) or (
                case in SLOW and not IS_FULL):
            continue
        if not shutil.which(program, path=PATH):
            tap.ok(True, "%s # SKIP %s is not installed" % (case.__name__,
                                                            program))
            continue
        for w.user in users:
            if lib.is_due(i, w.user, users):
                del w.site.asked[:], w.names.asked[:]
                case(w)
    tap.done()


main()
