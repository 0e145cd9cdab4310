"""clients_packages.py -- packages of the test's own, and the static files of which
each installer's registry is made."""
import base64
import gzip
import hashlib
import io
import json
import os
import subprocess
import tarfile
import zipfile

from clients_world import name_of

PUBLIC = "registry.npmjs.org"  # the registry that lockfiles name
TREE = 12  # packages that need each other, so that a client fetches several at once


def tar(files):
    """A .tar.gz of {name: text}."""
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", mtime=0) as z, \
            tarfile.open(fileobj=z, mode="w") as t:
        for name, text in files.items():
            data = text.encode()
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(data), 0o755
            t.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for name, text in files.items():
            z.writestr(name, text)
    return out.getvalue()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


# --- npm ---------------------------------------------------------------------------

class Npm:
    """A registry, and lockfiles for it.  The lockfiles name the public registry,
    as those of real repositories do."""

    def __init__(self, site):
        self.site, self.found = site, {}
        for i in range(TREE):
            need = {"pkg%d" % (i + 1): "1.0.0"} if i + 1 < TREE else {}
            self.add("pkg%d" % i, {"dependencies": need},
                     {"index.js": "module.exports = %d\n" % i})

    def add(self, name, more, files):
        manifest = {"name": name, "version": "1.0.0"}
        manifest.update(more)
        files = {"package/" + n: t for n, t in files.items()}
        body = tar(dict(files, **{"package/package.json":
                                  json.dumps(manifest)}))
        integrity = "sha512-" + base64.b64encode(
            hashlib.sha512(body).digest()).decode()
        path = "/%s/-/%s-1.0.0.tgz" % (name, name)
        self.site.put("npm", path, body)
        dist = {"tarball": "https://%s%s" % (name_of("npm"), path),
                "integrity": integrity,
                "shasum": hashlib.sha1(body).hexdigest()}
        self.site.put("npm", "/" + name, json.dumps(
            {"name": name, "dist-tags": {"latest": "1.0.0"},
             "versions": {"1.0.0": dict(manifest, dist=dist)}}))
        lock = {"version": "1.0.0", "integrity": integrity,
                "resolved": "https://" + PUBLIC + path}
        if manifest.get("dependencies"):
            lock["dependencies"] = manifest["dependencies"]
        if "scripts" in more:
            lock["hasInstallScript"] = True
        self.found[name] = lock

    def repository(self, *names):
        """{file: text} of a project that needs these packages, and what they need."""
        app = {"name": "app", "version": "1.0.0",
               "dependencies": {n: "1.0.0" for n in names}}
        all_of, todo = {"": app}, list(names)
        while todo:
            name = todo.pop()
            all_of["node_modules/" + name] = lock = self.found[name]
            todo += lock.get("dependencies", {})
        return {"package.json": json.dumps(app),
                "package-lock.json": json.dumps(
                    {"name": "app", "version": "1.0.0", "lockfileVersion": 3,
                     "requires": True, "packages": all_of})}


# --- pip ---------------------------------------------------------------------------

def wheel(name, needs=()):
    info = "%s-1.0.dist-info/" % name
    meta = "Metadata-Version: 2.1\nName: %s\nVersion: 1.0\n" % name
    return zipped({
        name + ".py": "said = %r\n" % name,
        info + "METADATA": meta + "".join("Requires-Dist: %s\n" % n
                                          for n in needs),
        info + "WHEEL": "Wheel-Version: 1.0\nGenerator: test\n"
                        "Root-Is-Purelib: true\nTag: py3-none-any\n",
        info + "RECORD": ""})


def sdist(name, setup):
    top = "%s-1.0/" % name
    return tar({top + "setup.py": setup, top + name + ".py": "",
                top + "PKG-INFO": "Metadata-Version: 1.2\nName: %s\n"
                                  "Version: 1.0\n" % name})


def pip_put(site, name, file, body):
    """The index is one host, its files another, as PyPI's are."""
    site.put("files", "/packages/" + file, body)
    site.put("pypi", "/simple/%s/" % name,
             '<html><a href="https://%s/packages/%s#sha256=%s">%s</a></html>'
             % (name_of("files"), file, sha256(body), file))


# --- git, apt, go, cargo -------------------------------------------------------------

def git(directory, *words):
    subprocess.run(("git", "-c", "user.name=t", "-c", "user.email=t@t.example",
                    "-c", "init.defaultBranch=main", "-c", "gc.auto=0",
                    "-C", directory) + words, check=True, timeout=60,
                   capture_output=True)


def git_put(site, host, path, directory, files):
    """A repository with one commit, as files on a plain file server."""
    os.makedirs(directory)
    git(directory, "init", "-q")
    for name, text in files.items():
        to = os.path.join(directory, name)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        with open(to, "w") as f:
            f.write(text)
    git(directory, "add", ".")
    git(directory, "commit", "-q", "-m", "all")
    git(directory, "update-server-info")
    site.put_tree(host, path, os.path.join(directory, ".git"))


def deb_put(site, directory):
    """A flat archive with one package, unsigned."""
    os.makedirs(directory + "/DEBIAN")
    control = ("Package: hello-test\nVersion: 1.0\nArchitecture: all\n"
               "Maintainer: T <t@t.example>\nDescription: a test\n")
    with open(directory + "/DEBIAN/control", "w") as f:
        f.write(control)
    to = directory + ".deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", directory, to],
                   check=True, capture_output=True, timeout=60)
    with open(to, "rb") as f:
        body = f.read()
    packages = (control + "Filename: ./hello-test.deb\nSize: %d\nSHA256: %s\n\n"
                % (len(body), sha256(body))).encode()
    site.put("deb", "/hello-test.deb", body)
    site.put("deb", "/Packages", packages)
    site.put("deb", "/Release",
             "Date: Mon, 23 Nov 2026 00:00:00 UTC\nSHA256:\n %s %d Packages\n"
             % (sha256(packages), len(packages)))


def go_put(site):
    """A module proxy with one module."""
    module, at = "mod.example/thing", "/mod.example/thing/@v/"
    text = "module %s\n\ngo 1.18\n" % module
    top = module + "@v1.0.0/"
    site.put("goproxy", at + "list", "v1.0.0\n")
    site.put("goproxy", at + "v1.0.0.info",
             '{"Version": "v1.0.0", "Time": "2026-01-01T00:00:00Z"}')
    site.put("goproxy", at + "v1.0.0.mod", text)
    site.put("goproxy", at + "v1.0.0.zip", zipped(
        {top + "go.mod": text, top + "thing.go": "package thing\n"}))


def cargo_put(site, directory):
    """A registry with one crate: an index both sparse, and in git for a cargo
    that knows no other."""
    body = tar({"thing-1.0.0/Cargo.toml":
                '[package]\nname = "thing"\nversion = "1.0.0"\n'
                'edition = "2018"\n',
                "thing-1.0.0/src/lib.rs": "pub fn it() {}\n"})
    row = json.dumps({"name": "thing", "vers": "1.0.0", "deps": [],
                      "cksum": sha256(body), "features": {},
                      "yanked": False}) + "\n"
    site.put("crates", "/crates/thing/1.0.0/download", body)
    config = json.dumps({"dl": "https://%s/crates" % name_of("crates")})
    site.put("crates", "/config.json", config)
    site.put("crates", "/th/in/thing", row)
    git_put(site, "crates", "/index.git/", directory,
            {"config.json": config, "th/in/thing": row})
