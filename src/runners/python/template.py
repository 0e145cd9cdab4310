"""template.py -- makes the program that it goes before a template.

Decision 0012.  Descriptor 0: the socket for orders; 5: the shared object that
makes the copies; 6: their plan.  Nothing here or before become() touches the
repository.
"""


def become():
    """Return in each copy: a vessel of its own, confined, with the descriptors
    of its own run.  Not in the template."""
    import os
    import sys

    # Not ctypes, which makes a call back at once: on some systems that is
    # memory shared by all copies.  No other module stays known.
    before = set(sys.modules)
    import _ctypes

    class Long(_ctypes._SimpleCData):
        _type_ = "l"

    class Call(_ctypes.CFuncPtr):
        _flags_ = 1 | 4  # C calls that keep the interpreter's lock
        _restype_ = Long

    def function(handle, name):
        return Call(_ctypes.dlsym(handle, name))

    own = _ctypes.dlopen(None, 0)
    made = _ctypes.dlopen("/proc/self/fd/5", 2)  # RTLD_NOW
    os.close(5)
    serve = function(made, "template_serve")
    before_fork = function(own, "PyOS_BeforeFork")
    after_fork = function(own, "PyOS_AfterFork_Child")
    fork = Long(_ctypes.dlsym(own, "fork"))
    for name in set(sys.modules) - before:
        del sys.modules[name]

    def is_shared(line):
        access = line.split()[1]
        return access[1] == "w" and access[3] == "s"

    # What a copy could write to and the next would see.
    with open("/proc/self/maps") as f:
        if any([is_shared(line) for line in f]):
            os._exit(71)
    if len(os.listdir("/proc/self/task")) != 1:
        os._exit(71)

    before_fork()
    if serve(Long(0), Long(6), fork) != 1:
        os._exit(0)
    after_fork()
    os.close(4)
