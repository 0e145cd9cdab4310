"""archive.py -- source packages of this system's archive, for tests over real
projects."""
import os
import shutil
import subprocess

import lib

CLOCK_S = 300  # the limit for one download


def quiet(argv, env=None, **kw):
    """Run a program with the caller's environment, for a proxy and certificates."""
    try:
        return subprocess.run(argv, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=CLOCK_S, env=dict(os.environ, **env or {}),
                              **kw)
    except (OSError, subprocess.TimeoutExpired) as e:
        return subprocess.CompletedProcess(argv, 1, b"", str(e).encode())


class Archive:
    """The sources of this system's packages, with package lists of our own."""

    def __init__(self, top):
        self.conf = os.path.join(top, "apt.conf")
        self.why = None
        found = quiet(["apt-get", "indextargets", "--format",
                       "$(SITE) $(RELEASE) $(COMPONENT)",
                       "Created-By: Packages"]).stdout.decode().split("\n")
        rows = sorted({tuple(r.split()) for r in found if len(r.split()) == 3})
        for d in ("lists/partial", "archives/partial", "state"):
            os.makedirs(os.path.join(top, d))
        with open(os.path.join(top, "sources.list"), "w") as f:
            f.writelines("deb-src [signed-by=/usr/share/keyrings/"
                         "debian-archive-keyring.gpg] %s %s %s\n" % r
                         for r in rows)
        open(os.path.join(top, "state", "status"), "w").close()
        with open(self.conf, "w") as f:
            f.write('Dir::Etc::sourcelist "%s/sources.list";\n'
                    'Dir::Etc::sourceparts "-";\n'
                    'Dir::State "%s/state";\n'
                    'Dir::State::lists "%s/lists";\nDir::Cache "%s";\n'
                    'APT::Sandbox::User "root";\n' % ((top,) * 4))
        r = self.apt(top, "update")
        if not rows or r.returncode != 0 or b"Failed" in r.stderr:
            self.why = "no sources of packages are available"

    def apt(self, cwd, *words):
        return quiet(["apt-get", "-q"] + list(words), cwd=cwd,
                     env={"APT_CONFIG": self.conf})

    def versions(self, top, package):
        """All versions in the lists, the newest first as apt has them."""
        r = quiet(["apt-cache", "showsrc", "--only-source", package], cwd=top,
                  env={"APT_CONFIG": self.conf})
        found = [w.split()[1] for w in r.stdout.decode().split("\n")
                 if w.startswith("Version: ")]
        return list(dict.fromkeys(found))

    def tar(self, place, package):
        """The file name of the upstream sources.  A mirror may lack some versions that
        its lists name."""
        for version in self.versions(place, package):
            self.apt(place, "source", "--only-source", "--download-only",
                     "--tar-only", "%s=%s" % (package, version))
            tars = [n for n in os.listdir(place) if ".orig.tar." in n
                    and not n.endswith(".asc")]
            if tars:
                return tars[0]
        return None

    def fetch(self, top, package):
        """The unpacked upstream sources, or None."""
        place = os.path.join(top, package)
        os.makedirs(place + "/repo")
        tar = self.tar(place, package)
        if tar is None or quiet(["tar", "-xf", tar, "-C", "repo",
                                 "--strip-components=1"],
                                cwd=place).returncode != 0:
            return None
        return place


def open_archive(is_due):
    """The archive; or None, after the line that skips the test and says why."""
    archive, why = None, None
    if not is_due:
        why = "only check-all fetches projects"
    elif os.geteuid() != 0 or not shutil.which("apt-get"):
        why = "apt-get as root is wanted for lists of our own"
    else:
        archive = Archive(lib.make_dir("root"))
        why = archive.why
    if why is not None:
        print("1..0 # SKIP " + why)
    return archive if why is None else None
