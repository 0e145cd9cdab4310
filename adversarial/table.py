"""table.py -- the tables of attacks, and what must happen.

A section is one attack: [name], with the keys in KEYS.  Expectations are terms that
must all be true; alternatives are separated by " or ":

    says A|B        the verdict's word
    status S|T      of the result; "ran" is any that is not INTERNAL_ERROR
    syscall NAME    of the violation
    rc N|M          of cupel itself
    payload P       payload_status
    code C          payload_error.code
    host W, host !W what the fixture saw
    text T, !text T in stdout (T may not have spaces in it)
    key K=V         of the result, by dotted path, as JSON or a word
    error T         in the line that refused the run (usage)
    absent A        this machine has no way for the attack A at all: run alone,
                    outside of any vessel, it ends by a segmentation fault
                    (int80 where the processor's 32-bit entry is not emulated)
"""
import configparser
import json
import os
import shlex
import signal

import lib

KEYS = {"tries", "wall", "run", "opt", "setup", "held", "drop", "won",
        "behind", "alone", "bare", "twin", "twin_opt", "only", "repo"}
NEEDED = {"tries", "wall", "run", "held"}


class Attack:
    def __init__(self, group, name, keys):
        self.group, self.name = group, name
        for key in KEYS:
            setattr(self, key, keys.get(key))

    def users(self, all_users):
        return [u for u in all_users if self.only in (None, u)]

    def control(self):
        for kind in ("drop", "bare", "twin"):
            if getattr(self, kind) is not None:
                return kind
        return None


def read_tables(folder):
    """All attacks of all tables, in order; ValueError names a bad one."""
    attacks = []
    for file in sorted(os.listdir(folder)):
        if not file.endswith(".ini"):
            continue
        ini = configparser.RawConfigParser(delimiters=("=",))
        ini.optionxform = str
        ini.read(os.path.join(folder, file), encoding="utf-8")
        for name in ini.sections():
            keys = dict(ini[name])
            place = "%s: [%s]" % (file, name)
            if set(keys) - KEYS:
                raise ValueError("%s: unknown %s" % (place, set(keys) - KEYS))
            if NEEDED - set(keys):
                raise ValueError("%s: lacks %s" % (place, NEEDED - set(keys)))
            a = Attack(file[:-4], name, keys)
            if a.control() is None or "won" not in keys:
                raise ValueError("%s: an attack without a control" % place)
            attacks.append(a)
    return attacks


def words(text, fixture):
    return [fixture.words_in(w) for w in shlex.split(text or "")]


def _key(result, text):
    path, _, want = text.partition("=")
    try:
        got = result.get(path)
    except (KeyError, IndexError, TypeError, ValueError):
        return False
    return want in (str(got), json.dumps(got))


def _term(verb, what, result, fixture):
    if verb == "says":
        return result.says in what.split("|")
    if verb == "rc":
        return str(result.rc) in what.split("|")
    if verb == "host":
        return (not fixture.host(what[1:]) if what[0] == "!"
                else fixture.host(what))
    if verb == "absent":
        alone = lib.run([fixture.repo + "/attack", what], fixture.user)
        return alone.rc == -signal.SIGSEGV
    if verb == "error":
        return fixture.words_in(what).encode() in result.err
    if result.json is None:
        return False
    if verb == "status":
        return (result.status in what.split("|") or
                (what == "ran" and result.status != "INTERNAL_ERROR"))
    if verb == "syscall":
        return (result.json["violation"] or {}).get("syscall") == what
    if verb == "payload":
        return result.json["payload_status"] in what.split("|")
    if verb == "code":
        return ((result.json["payload_error"] or {}).get("code")
                in what.split("|"))
    if verb in ("text", "!text"):
        found = fixture.words_in(what) in result.json["stdout"]
        return found == (verb == "text")
    if verb == "key":
        return _key(result, fixture.words_in(what))
    raise ValueError("no term is called %r" % verb)


def holds(expected, result, fixture):
    """Whether the run went as the table expects."""
    for way in expected.split(" or "):
        terms = way.split()
        pairs = list(zip(terms[::2], terms[1::2]))
        if len(terms) % 2:
            raise ValueError("odd number of words: %r" % way)
        if all(_term(v, w, result, fixture) for v, w in pairs):
            return True
    return False
