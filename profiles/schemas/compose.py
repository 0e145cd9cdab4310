#!/usr/bin/env python3
"""compose.py ROWS SHARED SOURCE PROFILE... -- print the schema SOURCE, complete.

ROWS is what src/cli/schema_rows says of the tables of options and walls, SHARED the
definitions that several schemas use, PROFILE the shipped profiles.  A source may say

  "$ref": "shared:NAME"         a definition of SHARED, which comes into "$defs"
  "$options": "spec"            among properties: the options that a spec, or a
                                profile, may have; what SHARED says of one in
                                "options" stands in place of what the table says
  "$walls": SCHEMA              among properties: every wall with this schema,
  "$rlimits": SCHEMA            every resource limit with this schema
  "$same": {"in": "#/x", "keys": [...]}
                                among properties: keys that are as those of #/x
  "enum": "$walls"              the names of the walls (also "required"),
  "enum": "$profiles"           of the profiles of tests that have no way to the
                                network

A key that a source writes itself is not replaced.  What comes out refers to nothing
that is not published."""
import json
import os
import sys


def fail(why):
    sys.exit("compose.py: " + why)


def read(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def tests_of(paths):
    """The profiles default and test, and what extends test, without a network of the
    host's."""
    profiles = {os.path.basename(p)[:-len(".json")]: read(p) for p in paths}

    def says(name, key):
        while key not in profiles[name]:
            name = profiles[name]["extends"]
        return profiles[name][key]

    return [name for name, p in profiles.items()
            if (name == "default" or "extends" in p) and
            says(name, "network") != "scoped"]


class Composer:
    """One schema, and what it takes from elsewhere."""

    def __init__(self, rows, shared, profiles):
        self.rows = rows
        self.shared = shared
        self.lists = {"$walls": rows["walls"], "$profiles": tests_of(profiles)}
        self.defs = {}

    def ref(self, to):
        if to.startswith("shared:"):
            name = to[len("shared:"):]
            if name not in self.shared["$defs"]:
                fail("%s: no such definition" % to)
            if name not in self.defs:
                self.defs[name] = None  # it may refer to itself
                self.defs[name] = self.value(self.shared["$defs"][name])
            return "#/$defs/" + name
        return to

    def options(self, kind):
        return {key: self.shared["options"].get(key, row["schema"])
                for key, row in self.rows["options"].items()
                if row["in_" + kind]}

    def many(self, key, value):
        """The properties that a key with a '$' stands for."""
        if key == "$options":
            return self.options(value)
        if key in ("$walls", "$rlimits"):
            return {name: value for name in self.rows[key[1:]]}
        if key == "$same":
            return {k: {"$ref": value["in"] + "/" + k} for k in value["keys"]}
        return fail("%s: not known among properties" % key)

    def properties(self, source):
        done = {}
        for key, value in source.items():
            more = self.many(key, value) if key[0] == "$" else {key: value}
            for name, schema in more.items():
                if key[0] != "$" or name not in source:
                    done[name] = self.value(schema)
        return done

    def value(self, source):
        if isinstance(source, list):
            return [self.value(v) for v in source]
        if not isinstance(source, dict):
            return source
        done = {}
        for key, value in source.items():
            if key == "properties":
                done[key] = self.properties(value)
            elif key == "$ref":
                done[key] = self.ref(value)
            elif key in ("enum", "required") and isinstance(value, str):
                done[key] = self.lists[value]
            else:
                done[key] = self.value(value)
        return done

    def schema(self, source):
        done = self.value(source)
        for name in self.defs:
            if name in done.get("$defs", {}):
                fail("$defs/%s: is in the schema, and shared" % name)
        if self.defs:
            done.setdefault("$defs", {}).update(self.defs)
        return done


def text(value, indent=""):
    """JSON with a line for each key, as the sources have it."""
    inner = indent + "\t"
    if isinstance(value, dict) and value:
        lines = ["%s: %s" % (json.dumps(k), text(v, inner))
                 for k, v in value.items()]
    elif isinstance(value, list) and any(isinstance(v, dict) for v in value):
        lines = [text(v, inner) for v in value]
    else:
        return json.dumps(value, ensure_ascii=False)
    ends = "{}" if isinstance(value, dict) else "[]"
    return "%s\n%s%s\n%s%s" % (ends[0], inner, (",\n" + inner).join(lines),
                              indent, ends[1])


def main(argv):
    composer = Composer(read(argv[1]), read(argv[2]), argv[4:])
    print(text(composer.schema(read(argv[3]))))


main(sys.argv)
