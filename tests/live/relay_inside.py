"""relay_inside.py PROGRAM TESTING [CASE...] -- cupel-relay alone, in namespaces
of its own, where relay.t starts it.  TAP, a case for each promise."""
import contextlib
import os
import resource
import socket
import sys
import threading
import time
import traceback

import relay_hello  # noqa: F401, each adds its cases to the list
import relay_hostile  # noqa: F401
import relay_names  # noqa: F401
import relay_streams  # noqa: F401
import relay_walls  # noqa: F401
from relay_world import CASES, HAS_V6, Programs, read_all


def serve_echo(s):
    with s, contextlib.suppress(ConnectionError):
        first = s.recv(1 << 20)
        s.sendall(b"echo ")  # several at once; their output is printed when all have ended
        s.sendall(first + read_all(s))


def server_start(port):
    """An echo server at every address of the outside."""
    family = socket.AF_INET6 if HAS_V6 else socket.AF_INET
    listener = socket.create_server(("", port), family=family, backlog=1024,
                                    dualstack_ipv6=HAS_V6)

    def run():
        while True:
            s, _ = listener.accept()
            threading.Thread(target=serve_echo, args=(s,), daemon=True).start()

    threading.Thread(target=run, daemon=True).start()


def case_run(n, function):
    started = time.monotonic()
    try:
        function()
    except Exception:
        print("# " + traceback.format_exc().rstrip().replace("\n", "\n# "))
        print("not ok %d - %s" % (n, function.__name__), flush=True)
        return False
    took = " # %.1f s" % (time.monotonic() - started)
    print("ok %d - %s%s" % (n, function.__name__,
                            took if sys.argv[3:] else ""), flush=True)
    return True


def main():
    Programs.plain, Programs.testing = sys.argv[1:3]
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for port in (80, 443, 8443):
        server_start(port)
    cases = [c for c in CASES if not sys.argv[3:] or
             c.__name__ in sys.argv[3:]]
    good = [case_run(n, c) for n, c in enumerate(cases, 1)]
    print("1..%d" % len(cases), flush=True)
    os._exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
