"""cache_fixture.py -- a cache (--cache) of the launcher, and what the host finds in
it after the attack.
"""
import fcntl
import os
import stat

import lib

LARGE = 32 << 20


class Cache:
    """For fixture.Fixture: @CACHE@ is the directory, @LINK@ a link to it."""

    def make_cache(self, name):
        path = os.path.join(self.dir, name)
        os.mkdir(path, 0o700)
        lib.give(self.user, path)
        return path

    def tree(self):
        """The tree that the next run sees; None before the first run."""
        try:
            with open(os.path.join(self.cache, "current")) as f:
                return os.path.join(self.cache, f.read().strip())
        except OSError:
            return None

    def look_at(self, path):
        """The faults of one kept name: what must never be kept."""
        st = os.lstat(path)
        if stat.S_ISLNK(st.st_mode):
            to = os.path.normpath(os.path.join(os.path.dirname(path),
                                               os.readlink(path)))
            if not to.startswith(self.tree() + "/"):
                self.seen.add("link")
        elif not stat.S_ISREG(st.st_mode) and not stat.S_ISDIR(st.st_mode):
            self.seen.add("special")
        elif st.st_mode & 0o7022:
            self.seen.add("mode")
        if stat.S_ISREG(st.st_mode) and os.listxattr(path):
            self.seen.add("xattr")
        if st.st_size >= LARGE:
            self.seen.add("large")
        if "\n" in os.path.basename(path):
            self.seen.add("newline")

    def look(self):
        tree = self.tree()
        if tree is not None:
            self.seen.add("kept")
            for top, dirs, files in os.walk(tree):
                for name in dirs + files:
                    self.look_at(os.path.join(top, name))
        with open(os.path.join(self.dir, "secret")) as f:
            if f.read() != self.secret:
                self.seen.add("secret-changed")

    def want_cache(self):
        self.cache = self.make_cache("cache")
        self.words["@CACHE@"] = self.cache
        self.words["@LINK@"] = os.path.join(self.dir, "link")
        os.symlink("cache", self.words["@LINK@"])
        self.closers.append(self.look)

    def cache_run(self, *command):
        r = lib.cupel(["--repo", self.repo, "--profile", "test", "--cache",
                       self.cache], list(command), self.user)
        if r.json is None or r.json["cache"]["state"] != "saved":
            raise RuntimeError("nothing was kept: " + r.brief())

    def want_earlier(self):
        """The cache has what an earlier hostile run left."""
        self.want_cache()
        self.cache_run("sh", "-c", "cp /repo/attack /cache/tool; "
                       "echo poisoned >/cache/f; mkdir /cache/d; "
                       "echo >/cache/d/f")

    def want_hard(self):
        """A kept file has a second name, which belongs to the caller."""
        self.want_earlier()
        other = os.path.join(self.dir, "hard")
        os.link(self.tree() + "/f", other)

        def look():
            with open(other) as f:
                if f.read() != "poisoned\n" or \
                        os.fstat(f.fileno()).st_mode & 0o7022:
                    self.seen.add("through")

        self.closers.append(look)

    def want_keeper(self):
        """Another run is keeping its own tree."""
        fd = os.open(self.cache, os.O_RDONLY)
        fcntl.flock(fd, fcntl.LOCK_EX)
        self.closers.append(lambda: os.close(fd))

    def want_swapped(self):
        """The name of the tree leads to a directory of the host."""
        self.want_earlier()
        os.rename(self.tree(), self.tree() + ".old")
        os.symlink(self.dir, self.tree())
        self.closers.remove(self.look)

    def want_home(self):
        """A directory that is full of the caller's own files."""
        home = self.make_cache("home")
        self.put("home/notes", "mine", 0o600)
        self.words["@HOME@"] = os.path.join(self.dir, "to-home")
        os.symlink("home", self.words["@HOME@"])
        self.closers.append(lambda: len(os.listdir(home)) > 1 and
                            self.seen.add("home-written"))

    def want_another(self):
        """A directory of another user; for a user who cannot make one, root's /usr."""
        if os.geteuid() == 0:
            path = self.make_cache("another")
            os.chown(path, 12345, 12345)
        else:
            path = "/usr"
        self.words["@ANOTHER@"] = path

    def want_inside(self):
        """The cache lies in the repository, where its code can find and write it."""
        os.mkdir(self.repo + "/inside", 0o700)
        lib.give(self.user, self.repo + "/inside")
