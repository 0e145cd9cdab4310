#!/usr/bin/env python3
"""policy.py -- the shipped policies from their sources and the table of calls.

    policy.py expand TABLE NAME.json.in   the policy NAME on standard output
    policy.py check TABLE NAME.json.in... whether table and policies agree

A source is an OCI policy in which an entry may say "options": "prctl" in the
place of "args": it becomes one entry for each value that the table has for
prctl.  What is written is plain OCI JSON.
"""
import errno
import json
import os
import sys

FULL = 0xffffffff
ALLOW, NOTHING = "allow", "nothing"
KEYS = ("costs", "bound", "says")


class TableError(Exception):
    """A line of the table, or a policy, is wrong."""


class Options:
    """One "options" section: the number of the argument, and the rows."""

    def __init__(self, call, words, place):
        self.call, self.rows, self.mask, self.prefix = call, [], FULL, None
        try:
            rest = list(words)
            if "&" in rest:
                at = rest.index("&")
                self.mask = int(rest[at + 1], 0)
                del rest[at:at + 2]
            if rest[2:3] == ["="]:
                self.prefix = (int(rest[1]), int(rest[3], 0))
                del rest[:4]
            self.arg = int(rest[1])
            self.otherwise = getattr(errno, rest[3])
            if rest[0] != "arg" or rest[2] != "else" or len(rest) != 4:
                raise ValueError
        except (ValueError, IndexError, AttributeError):
            raise TableError("%s: options CALL arg N [= V arg M] [& MASK] "
                             "else ERRNO is wanted" % place) from None

    def condition(self, value):
        """The args of an OCI entry for one value."""
        args = [] if self.prefix is None else [
            masked(self.prefix[0], FULL, self.prefix[1])]
        return args + [masked(self.arg, self.mask, value)]


class Row:
    """Names (of options with their values), and what the row says about them."""

    def __init__(self, names, place):
        self.names, self.place, self.said = names, place, {}

    def verdict(self, policy):
        """ALLOW, NOTHING or the name of an errno, for one policy."""
        for part in self.said.get("says", ALLOW).split(","):
            word, *where = part.split()
            if not where or (where[0] == "in" and policy in where[1:]):
                return word
        raise TableError("%s: does not say what %s does" % (self.place, policy))


def masked(index, mask, value):
    return {"index": index, "op": "SCMP_CMP_MASKED_EQ", "value": mask,
            "valueTwo": value}


def option_value(word, place):
    name, _, value = word.partition("=")
    try:
        return name, int(value, 0)
    except ValueError:
        raise TableError("%s: %s: expected NAME=NUMBER"
                         % (place, word)) from None


def read_table(path):
    """The rows of calls, and the sections of options; every row checked."""
    calls, sections, rows, here = [], [], None, None
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()
    for number, line in enumerate(lines, 1):
        place = "%s:%d" % (os.path.basename(path), number)
        words = line.split()
        if not words or line.startswith("#"):
            continue
        if line.startswith("calls "):
            rows, here = calls, None
        elif line.startswith("options "):
            sections.append(Options(words[1], words[2:], place))
            rows, here = sections[-1].rows, sections[-1]
        elif not line.startswith("\t"):
            if rows is None:
                raise TableError("%s: a row before any section" % place)
            names = words if here is None else [option_value(w, place)
                                                for w in words]
            rows.append(Row(names, place))
        elif not rows or words[0] not in KEYS or len(words) < 2 or \
                words[0] in rows[-1].said:
            raise TableError("%s: expected costs, bound or says, once, "
                             "with text" % place)
        else:
            rows[-1].said[words[0]] = " ".join(words[1:])
    for row in calls + [r for s in sections for r in s.rows]:
        check_row(row)
    return calls, sections


def check_row(row):
    for key in ("costs", "bound"):
        if key not in row.said:
            raise TableError("%s: no %s" % (row.place, key))
    for part in row.said.get("says", ALLOW).split(","):
        word = part.split()[0]
        if word not in (ALLOW, NOTHING) and not hasattr(errno, word):
            raise TableError("%s: %s: expected allow, nothing or an errno"
                             % (row.place, word))
    refused = row.said["bound"].startswith("refused")
    if refused and "says" not in row.said:
        raise TableError("%s: refused, without a row of says" % row.place)


def action(verdict, is_plain_errno):
    """The OCI word for a verdict; None if the call's "otherwise" has it."""
    if verdict == ALLOW:
        return {"action": "SCMP_ACT_ALLOW"}
    if is_plain_errno:
        return None
    number = 0 if verdict == NOTHING else getattr(errno, verdict)
    return {"action": "SCMP_ACT_ERRNO", "errnoRet": number}


def entries(entry, policy, sections):
    """The entries that replace one entry with "options"."""
    call = entry["options"]
    mine = [s for s in sections if s.call == call]
    if entry["names"] != [call] or not mine:
        raise TableError("%s.json.in: options of %s" % (policy, call))
    if len({s.otherwise for s in mine}) != 1:
        raise TableError("%s: has two errnos for other values" % call)
    out = []
    for section in mine:
        for row in section.rows:
            verdict = row.verdict(policy)
            number = getattr(errno, verdict, None)
            act = action(verdict, number == section.otherwise)
            for name, value in row.names if act else ():
                out.append({"comment": name, "names": [call], **act,
                            "args": section.condition(value),
                            "otherwiseErrnoRet": section.otherwise})
    if out and "comment" in entry:
        out[0]["comment"] = "%s %s" % (entry["comment"], out[0]["comment"])
    return out


def read_policy(path):
    name = os.path.basename(path)
    if not name.endswith(".json.in"):
        raise TableError("%s: expected NAME.json.in" % path)
    with open(path, encoding="utf-8") as f:
        return name[:-len(".json.in")], json.load(f)


def expand(table, path):
    """The policy in the form of OCI."""
    sections = read_table(table)[1]
    name, policy = read_policy(path)
    out = []
    for entry in policy["syscalls"]:
        out += entries(entry, name, sections) if "options" in entry \
            else [entry]
    policy.pop("source", None)  # about the source form only
    return dict(policy, syscalls=out)


def write(policy):
    """The text, with one entry a line, so that a person can read it."""
    head = {k: v for k, v in policy.items() if k != "syscalls"}
    text = json.dumps(head, indent="\t")[:-2]
    lines = ["\t\t" + json.dumps(e) for e in policy["syscalls"]]
    return '%s,\n\t"syscalls": [\n%s\n\t]\n}\n' % (text, ",\n".join(lines))


def check_double(sections):
    """A value that is in one section twice would have two verdicts."""
    for section in sections:
        values = [(v, row) for row in section.rows for _, v in row.names]
        for i, (value, row) in enumerate(values):
            if value & ~section.mask:
                raise TableError("%s: %#x is outside the mask"
                                 % (row.place, value))
            if value in [v for v, _ in values[:i]]:
                raise TableError("%s: %#x again" % (row.place, value))


def check(table, paths):
    """Every allowed call has its row or its options, and no row is left over."""
    calls, sections = read_table(table)
    check_double(sections)
    rows = {}
    for row in calls:
        for name in row.names:
            if name in rows:
                raise TableError("%s: %s again" % (row.place, name))
            rows[name] = row.place
    options = {s.call for s in sections}
    used = set()
    for path in paths:
        policy, text = read_policy(path)
        for entry in text["syscalls"]:
            if entry.get("action") != "SCMP_ACT_ALLOW" and \
                    "options" not in entry and entry.get("errnoRet") != 0:
                continue
            for name in entry["names"]:
                used.add(name)
                if name not in rows and name not in options:
                    raise TableError("%s allows %s, which has no row"
                                     % (policy, name))
    left = sorted((set(rows) | options) - used)
    if left:
        raise TableError("no policy allows %s" % " ".join(left))


def main(argv):
    try:
        if len(argv) == 4 and argv[1] == "expand":
            sys.stdout.write(write(expand(argv[2], argv[3])))
        elif len(argv) > 3 and argv[1] == "check":
            check(argv[2], argv[3:])
        else:
            raise TableError(__doc__)
    except TableError as e:
        sys.stderr.write("policy.py: %s\n" % e)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
