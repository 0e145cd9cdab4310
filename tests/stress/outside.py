#!/usr/bin/env python3
"""outside.py -- what a process still gets of what the host counts for a user, or
for all: run by the same user as a vessel, outside of it.  Prints JSON, {name: what
it got}; two answers that differ show what the vessel has used up."""
import ctypes
import errno
import fcntl
import json
import os
import select
import signal
import socket
import struct
import tempfile

LIBC = ctypes.CDLL(None, use_errno=True)
F_GETPIPE_SZ, F_SETPIPE_SZ = 1032, 1031
SO_ATTACH_FILTER = 26
RETURN_ALL = struct.pack("HBBI", 6, 0, 0, 0xffffffff)


def checked(r):
    if r < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return r


def pipe_size():
    a, _ = os.pipe()
    return fcntl.fcntl(a, F_GETPIPE_SZ)


def pipe_large():
    a, _ = os.pipe()
    return fcntl.fcntl(a, F_SETPIPE_SZ, 1 << 20)


def epoll_watch():
    a, _ = os.pipe()
    select.epoll().register(a)


def inotify_watch():
    with tempfile.TemporaryDirectory() as d:
        fd = checked(LIBC.inotify_init1(0))
        checked(LIBC.inotify_add_watch(fd, d.encode(), 0xfff))
        os.close(fd)


def inotify_instances():
    """How many; others of this user's may have some."""
    fds = []
    while len(fds) < 1000:
        fd = LIBC.inotify_init1(0)
        if fd < 0:
            break
        fds.append(fd)
    for fd in fds:
        os.close(fd)
    return len(fds)


def in_flight():
    a, b = socket.socketpair()
    socket.send_fds(a, [b"x"], [0])
    b.close()


class Value(ctypes.Union):
    _fields_ = [("number", ctypes.c_int), ("pointer", ctypes.c_void_p)]


def queued_signal():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
    for _ in range(64):
        checked(LIBC.sigqueue(os.getpid(), signal.SIGRTMIN, Value(0)))


def socket_filter():
    a, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    code = ctypes.create_string_buffer(RETURN_ALL * 200)
    a.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER,
                 struct.pack("HL", 200, ctypes.addressof(code)))


def locked_memory():
    room = ctypes.create_string_buffer(32768)
    checked(LIBC.mlock(room, 4096))


def fork():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def tcp():
    """A connection that takes a MiB before it is read."""
    s = socket.create_server(("127.0.0.1", 0))
    c = socket.create_connection(s.getsockname(), timeout=5)
    a, _ = s.accept()
    sent = c.send(bytes(1 << 16)) + c.send(bytes(1 << 16))
    a.close()
    return sent


def udp():
    s, c = (socket.socket(type=socket.SOCK_DGRAM) for _ in range(2))
    s.bind(("127.0.0.1", 0))
    s.settimeout(5)
    c.sendto(bytes(1000), s.getsockname())
    return len(s.recv(2000))


def segment():
    LIBC.shmctl(checked(LIBC.shmget(0, 4096, 0o1600)), 0, None)


def file_and_lock():
    with tempfile.TemporaryFile() as f:
        fcntl.lockf(f, fcntl.LOCK_EX)


TRIES = (pipe_size, pipe_large, epoll_watch, inotify_watch,
         inotify_instances, in_flight, queued_signal, socket_filter, locked_memory, fork, tcp, udp, segment,
         file_and_lock)


def main():
    got = {}
    for f in TRIES:
        try:
            got[f.__name__] = f() or "yes"
        except OSError as e:
            got[f.__name__] = errno.errorcode.get(e.errno, str(e))
    print(json.dumps(got))


main()
