#!/usr/bin/env python3
"""relay.t -- what cupel-relay does by itself, in a user namespace and network
namespaces of its own; the test plays its supervisor, the vessel, and the world
outside.  As root and as an ordinary user."""
import os
import subprocess
import sys

import lib

FILES = ("relay_dns.py", "relay_hello.py", "relay_hostile.py",
         "relay_inside.py", "relay_names.py", "relay_net.py",
         "relay_streams.py", "relay_walls.py", "relay_world.py")
CLOCK_S = 240


def place():
    """Copy the programs and the test to where every user may run them."""
    for name in FILES:
        path = os.path.join(lib.TMP, name)
        with open(os.path.join(lib.SRC, "tests/live", name), "rb") as f:
            lib.put("root", path, f.read())
    return os.path.join(lib.TMP, "relay_inside.py"), [
        lib.binary("cupel-relay"), lib.binary("cupel-relay-testing")]


def main():
    script, programs = place()
    n = bad = 0
    for user in lib.users():
        done = subprocess.run(
            lib.become(user) + ["unshare", "-Urn", "python3", "-B",
                                script] + programs + sys.argv[1:],
            stdout=subprocess.PIPE, text=True, timeout=CLOCK_S, cwd="/",
            env=lib.clean_env(), check=False)
        lines = done.stdout.splitlines()
        for line in lines:
            words = line.split(" - ", 1)
            if len(words) == 2 and words[0].startswith(("ok ", "not ok ")):
                n += 1
                bad += words[0].startswith("not")
                print("%s %d - %s: %s" % (words[0].rsplit(" ", 1)[0], n, user,
                                          words[1]))
            elif line.startswith("#"):
                print(line)
        if not lines or not lines[-1].startswith("1.."):
            n += 1
            bad += 1
            print("not ok %d - %s: it came to its end (status %d)"
                  % (n, user, done.returncode))
    print("1..%d" % n)
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
