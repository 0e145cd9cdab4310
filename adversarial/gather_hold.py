"""gather_hold.py -- the host's half of a hostile repository, and what must be true
about a gather over it.

A table (gather/*.ini) has a section for each attack, with the keys

    tries   what is attempted, in a sentence
    wall    what holds
    make    steps of gather_make.py, one a line: the hostile repository
    while   what somebody does to it meanwhile, again and again
    hold    terms, one a line: what must be true afterwards
    lost    probes that may lose facts about the honest files beside it
    twin    steps: the same without what makes it hostile (the control)
    won     terms: what the twin must show, so that `hold` means something
    drop    walls to take down: names of test_wall_is_down, or with "vessel:" in
            front names of hooks/drop.c; `make` is then done again without them
    fell    terms that must be true then, and must not be with the walls
    opt     options of cupel gather
    exit    its exit status (0)
    seconds its time (20), a figure for tests/clocks
    only    root or user
    first   steps before a first gather; `make` then comes after it
    verify  exit status of `cupel audit verify` afterwards (0)
    rounds  how many gathers in a row (1)

Terms:

    note PROBE error|warning CODE|.. [SOURCE]   such a note is there
    noted PROBE CODE|.. [SOURCE]    an error or a warning; no-note PROBE CODE
    says PROBE TEXT             in the message of an error
    fact PROBE PATH=VALUE       a path of the slice, * is any item; no-fact
    slice PROBE null
    confidence PROBE WORD|..
    markers PROBE N             at least so many
    event NAME                  no-event
    stderr TEXT                 no-stderr
    report TEXT                 no-report
    harm                        the report has more in it than plain text
    record PROBE KEY=VALUE      of the run record
    host PATH=TEXT              a file beside the repository has that text
"""
import configparser
import json
import os
import secrets
import stat

import gather_make
import lib

KEYS = {"tries", "wall", "make", "while", "hold", "lost", "twin", "won",
        "drop", "fell", "opt", "exit", "seconds", "only", "first", "rounds",
        "verify"}
NEEDED = {"tries", "wall", "make", "hold"}
CROWD = 500  # names of a directory that are only counted
RSS_KIB = 640 << 10  # a vessel has 512 MiB, cupel itself the rest

HONEST = {
    "ok/package.json": '{"name": "fine", "scripts": {"fine": "fine-build"}, '
                       '"dependencies": {"fine-dep": "1.0.0"}, '
                       '"devDependencies": {"jest": "29.0.0"}}',
    "ok/src/fine.ts": "export {}\n",
    "ok/src/fine.test.ts": "test('fine', () => {})\n",
    "ok/tsconfig.json": '{"compilerOptions": {"strict": true}}',
    "ok/.nvmrc": "20\n",
    ".github/workflows/0ok.yml": "name: fine\non: push\njobs:\n  fine-job:\n"
                                "    runs-on: x\n    steps:\n"
                                "      - run: npm test\n",
    "ok/chart/Chart.yaml": "apiVersion: v2\nname: fine-chart\n"
                           "version: 1.0.0\n",
    "ok/k8s/pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata:\n  name: fine\n"
                       "spec:\n  containers:\n    - name: c\n"
                       "      image: fine/image:1\n",
    "ok/Dockerfile": "FROM fine/base:1\n",
}


class Host:
    """A repository with honest files, and secrets of the host beside it."""

    def __init__(self, user):
        self.user, self.closers, self.honest = user, [], HONEST
        self.secret = "sc" + secrets.token_hex(8)
        self.dir = lib.make_dir(user, "g-" + secrets.token_hex(5))
        self.repo = os.path.join(self.dir, "repo")
        self.out = os.path.join(self.repo, ".cupel")
        self.cache = os.path.join(self.dir, "cache")
        self.words = {"@HOST@": self.dir, "@SECRET@": self.secret,
                      "@REPO@": self.repo, "@CACHE@": self.cache}
        for path in (self.repo, self.cache, self.dir + "/host",
                     self.dir + "/probes"):
            os.mkdir(path, 0o755)
            lib.give(user, path)
        for path, text in HONEST.items():
            lib.put(user, gather_make.at(self, path), text)
        lib.put(user, self.dir + "/host/secret", self.secret, 0o600)
        lib.put(user, self.dir + "/host/package.json",
                '{"name": "%s"}' % self.secret)
        os.mkdir(self.dir + "/host/dir")
        lib.give(user, self.dir + "/host/dir")
        lib.put(user, self.dir + "/host/dir/package.json",
                '{"name": "%s"}' % self.secret)

    def words_in(self, text):
        for word, value in self.words.items():
            text = text.replace(word, value)
        return text

    def steps(self, lines):
        for line in (lines or "").splitlines():
            if line.strip():
                gather_make.do(self, split(line))

    def state(self, top, skip=()):
        """Everything below top: kinds, modes, owners, sizes and times."""
        seen = {}
        top = os.fsencode(top)
        for base, dirs, names in os.walk(top):
            dirs[:] = [d for d in dirs if os.path.join(base, d) not in skip]
            if len(names) + len(dirs) > CROWD:  # a table made them
                seen[base] = (len(names), len(dirs))
                dirs[:] = []
                continue
            for name in dirs + names:
                path = os.path.join(base, name)
                if path in skip:
                    continue
                try:
                    st = os.lstat(path)
                except OSError:
                    continue  # deeper than a path can be
                seen[path] = (st.st_mode, st.st_uid)
                if not stat.S_ISDIR(st.st_mode):
                    seen[path] += (st.st_size, st.st_nlink, st.st_mtime_ns)
        return seen

    def close(self):
        while self.closers:
            self.closers.pop()()


class Outcome:
    """One gather: how it ended, and everything that it left."""

    def __init__(self, host, r, rss_kib):
        self.host, self.r, self.rss_kib = host, r, rss_kib
        self.context, self.record, self.report = None, None, ""
        self.events = []
        out = host.out
        try:
            with open(out + "/repo-context.json", "rb") as f:
                self.context = json.loads(f.read().decode())
            with open(out + "/CONTEXT_REPORT.md", "rb") as f:
                self.report = f.read().decode()
            runs = sorted(n for n in os.listdir(out + "/runs")
                          if n.endswith("Z-" + n[-17:]) and n[0] == "2")
            with open(os.path.join(out, "runs", runs[-1]), "rb") as f:
                self.record = json.loads(f.read().decode())
        except (OSError, ValueError, IndexError) as e:
            self.missing = e
        try:
            with open(host.dir + "/events", "rb") as f:
                self.events = [json.loads(x)["event"] for x in f]
        except OSError:
            pass

    def probe(self, name):
        return ((self.context or {}).get("probes") or {}).get(name)

    def brief(self):
        notes = {n: [(k, x["code"], x["source"] or x["message"]) for k in
                     ("errors", "warnings") for x in p[k]][:6]
                 for n, p in ((self.context or {}).get("probes") or
                              {}).items()}
        return "rc %s after %.1f s, %d MiB; %s; err %r" % (
            self.r.rc, self.r.seconds, self.rss_kib >> 10,
            {n: x for n, x in notes.items() if x}, self.r.err[-400:])


def split(line):
    return line.split()


def all_text(host, r):
    """Everything that a gather wrote or printed, as bytes."""
    parts = [r.out, r.err]
    if os.path.exists(host.dir + "/events"):
        with open(host.dir + "/events", "rb") as f:
            parts.append(f.read())
    for top in (host.out, host.cache):
        if os.path.islink(top):
            continue
        for base, _, names in os.walk(os.fsencode(top)):
            for name in names:
                path = os.path.join(base, name)
                if not os.path.islink(path) and os.path.isfile(path):
                    with open(path, "rb") as f:
                        parts.append(f.read(32 << 20))
    return b"\n".join(parts)


def without_role(v):
    """v without its role: that depends on the files beside it."""
    return {k: x for k, x in v.items() if k not in ("role", "role_reason")}


def honest_facts(probe):
    """Each fact about an honest file, as text."""
    found = set()

    def walk(v):
        if isinstance(v, dict):
            # an inferred fact is true only while no file says otherwise
            if v.get("source") in HONEST and not v.get("inferred"):
                found.add(json.dumps(without_role(v), sort_keys=True))
            for x in v.values():
                walk(x)
        elif isinstance(v, list):
            for x in v:
                walk(x)

    s = dict((probe or {}).get("slice") or {})
    languages = s.pop("languages", None)  # counts change with every file
    walk(s)
    for row in languages or ():
        if row["name"] == "TypeScript":
            found.add("TypeScript")
    return found


def report_is_harmless(text):
    """Code spans end on their line, and there is no HTML and nothing invisible."""
    for line in text.split("\n"):
        if line.count("`") % 2:
            return "a code span that does not end: %r" % line[:200]
        outside = "".join(line.split("`")[::2])
        if "<" in outside or "](" in outside:
            return "markup outside of a code span: %r" % line[:200]
        if any(ord(c) < 32 or ord(c) == 127 or c in "\u202e\u2028\ufeff"
               for c in line):
            return "a character that is not seen: %r" % line[:200]
    return None


def _paths(v, steps):
    """All values at a path, in which * is any item."""
    if not steps:
        return [v]
    if steps[0] == "*":
        items = v if isinstance(v, list) else []
        return [x for i in items for x in _paths(i, steps[1:])]
    if isinstance(v, dict) and steps[0] in v:
        return _paths(v[steps[0]], steps[1:])
    return []


def _fact(probe, text):
    path, _, want = text.partition("=")
    got = _paths((probe or {}).get("slice") or {}, path.split("."))
    return want in [x if isinstance(x, str) else json.dumps(x) for x in got]


def _noted(probe, kind, codes, source=None):
    return any(n["code"] in codes.split("|") and
               source in (None, n["source"])
               for n in (probe or {}).get(kind + "s", ()))


def term(words, o):
    verb, rest = words[0], [gather_make.unescape(o.host.words_in(w)).decode()
                            for w in words[1:]]
    no = verb.startswith("no-")
    verb = verb[3:] if no else verb
    p = o.probe(rest[0]) if rest else None
    record = {x["name"]: x for x in (o.record or {}).get("probes", ())}
    if verb == "note":
        got = (_noted(p, "error", rest[1]) or _noted(p, "warning", rest[1])
               if no else _noted(p, *rest[1:]))
    elif verb == "noted":
        got = _noted(p, "error", *rest[1:]) or _noted(p, "warning", *rest[1:])
    elif verb == "says":
        got = any(rest[1] in n["message"] for n in (p or {"errors": ()})[
            "errors"])
    elif verb == "fact":
        got = _fact(p, rest[1])
    elif verb == "slice":
        got = p is not None and p["slice"] is None
    elif verb == "confidence":
        got = p is not None and p["confidence"] in rest[1].split("|")
    elif verb == "markers":
        got = p is not None and p["prompt_injection_marker_count"] >= int(
            rest[1])
    elif verb == "event":
        got = rest[0] in o.events
    elif verb == "stderr":
        got = rest[0].encode() in o.r.err
    elif verb == "report":
        got = rest[0] in o.report
    elif verb == "harm":
        got = report_is_harmless(o.report) is not None
    elif verb == "record":
        key, _, want = rest[1].partition("=")
        got = want in (str(record[rest[0]][key]),
                       json.dumps(record[rest[0]][key]))
    elif verb == "host":
        path, _, want = rest[0].partition("=")
        try:
            with open(os.path.join(o.host.dir, path)) as f:
                got = f.read() == want
        except FileNotFoundError:
            got = False
    else:
        raise ValueError("no term is called %r" % verb)
    return got != no


class Attack:
    def __init__(self, group, name, keys):
        self.group, self.name = group, name
        for key in KEYS:
            setattr(self, key + "_" * (key == "while"), keys.get(key))

    @property
    def full(self):
        return "%s/%s" % (self.group, self.name)


def read_tables(folder):
    """All attacks of all tables, in order; ValueError names a bad one."""
    attacks = []
    for name in sorted(os.listdir(folder)):
        ini = configparser.RawConfigParser(delimiters=("=",),
                                           comment_prefixes=(";",))
        ini.optionxform = str
        ini.read(os.path.join(folder, name), encoding="utf-8")
        for section in ini.sections():
            keys = dict(ini[section])
            place = "%s: [%s]" % (name, section)
            if set(keys) - KEYS:
                raise ValueError("%s: unknown %s" % (place, set(keys) - KEYS))
            if NEEDED - set(keys):
                raise ValueError("%s: lacks %s" % (place, NEEDED - set(keys)))
            if (("twin" in keys) != ("won" in keys) or
                    ("drop" in keys) != ("fell" in keys)):
                raise ValueError("%s: half a control" % place)
            attacks.append(Attack(name[:-4], section, keys))
    return attacks
