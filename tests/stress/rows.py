"""rows.py -- which stressor runs in which profile, and how its figures are read."""

# Where not said otherwise a stressor runs in the default profile.  What probe and
# parser allow, default allows as well, and its limits are wider.
PROFILES = {
    "test": """udp-queues tcp-queues tcp-backlog tcp-time-wait memberships
        inet-options mptcp segments segments-empty inotify-events
        inotify-watches traces other-pages""".split(),
}

# What a function's vessel, of one process and few calls, is tried with as well.
FUNCTION = """vmas page-tables shared-pages pairs-stream pairs-small in-flight
    pipe-buffers socket-filters futex-slots filters epoll-watches
    sync-usr missing-usr proc-all""".split()

# A second each by ./bootstrap check: what holds in every build.
SMOKE = "heap contents barriers questions small-changes proc-host".split()

# Memory that the kernel takes back when somebody wants it: caches of names and
# of files.  It is printed, and not judged.
CACHES = "missing missing-usr missing-repo walks eviction proc-all".split()

# How the vessel must end; otherwise OK and MEM_LIMIT are right, by the figures.
ENDS = {"heap": ("MEM_LIMIT",), "contents": ("MEM_LIMIT",)}

# The stressors during which outside.py, the same user's, is asked.
COUNTERS = (
    ("pipes", "default"), ("in-flight", "default"),
    ("socket-filters", "default"), ("queued-signals", "default"),
    ("timers", "default"), ("locked", "default"),
    ("epoll-watches", "default"), ("inotify-watches", "test"),
    ("inotify-events", "test"), ("tcp-queues", "test"),
    ("tcp-backlog", "test"), ("udp-queues", "test"), ("segments-empty", "test"),
    ("zombies", "default"),
)

# Which memory a stressor takes, by the words of "uncounted" in a result.  What the
# result declares may pass the limit; a row whose result lacks the word fails.
UNCOUNTED = {
    "mappings": "vmas vmas-forked",
    "file_locks": "posix-locks",
    "shared_unmapped": "shared-pages",
    "epoll_watches": "epoll-watches",
    "ended_processes": "vforks",
}

# Whose work threads of the kernel do, by the words of "uncounted" of cpu_tree.  In the
# same way such a row may pass the bound of their time.
UNPAID = {"kernel_threads": "flight-cycles"}

# What is known to be counted for a user in all vessels and outside, and used up.
USED_UP = {
    "pipes": "pipe_size pipe_large",  # pipe-user-pages-soft
    # 16 of 128 a vessel: they are the user's all the same
    "inotify-events": "inotify_instances",
    "inotify-watches": "inotify_instances",
}


def is_declared(name, details, table):
    """Whether the run says that what this stressor takes is in no figure."""
    return any(name in names.split() and word in details.get("uncounted", ())
               for word, names in table.items())


def used_up(name):
    return USED_UP.get(name, "").split()


def profiles_of(name):
    given = [p for p, names in PROFILES.items() if name in names]
    more = ["python-function"] if name in FUNCTION else []
    return (given or ["default"]) + more
