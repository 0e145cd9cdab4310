#!/usr/bin/env python3
"""compat.t -- programs that ordinary users need work inside: a wall that
breaks them would only make users turn it off."""
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

PYTHON = {
    "threads": "import threading as t; x=[t.Thread(target=print,args=(i,)) "
               "for i in range(4)]; [y.start() for y in x]",
    "subprocess": "import subprocess as s; print(s.run(['id','-un'],"
                  "capture_output=True,text=True,check=True).stdout)",
    "multiprocessing": "import multiprocessing as m\n"
                       "with m.Pool(3) as p: print(p.map(abs, [-1, -2]))",
    "multiprocessing spawn":
        "import multiprocessing as m\n"
        "if __name__ == '__main__':\n"
        " m.set_start_method('spawn')\n"
        " q = m.Queue(); p = m.Process(target=print, args=('in child',))\n"
        " p.start(); p.join(); assert p.exitcode == 0",
    "shared memory": "from multiprocessing import shared_memory as s\n"
                     "x = s.SharedMemory(create=True, size=4096)\n"
                     "x.close(); x.unlink()",
    "asyncio": "import asyncio\n"
               "async def main():\n"
               " p = await asyncio.create_subprocess_exec('true')\n"
               " assert await p.wait() == 0\n"
               " await asyncio.sleep(0.01)\n"
               "asyncio.run(main())",
    "unix sockets": "import socket as s\n"
                    "a = s.socket(s.AF_UNIX); a.bind('/tmp/s'); a.listen()\n"
                    "b = s.socket(s.AF_UNIX); b.connect('/tmp/s')\n"
                    "s.socketpair()",
    "unix sockets in the repository overlay":
        "import socket as s, os\n"
        "assert not os.access('/repo/x', 0)",
    "tempfile": "import tempfile as t; f = t.NamedTemporaryFile(); "
                "f.write(b'x'); d = t.mkdtemp(); print(d)",
    "locks": "import fcntl; f = open('/tmp/l','w'); fcntl.flock(f, 2); "
             "fcntl.lockf(f, 2)",
    "mmap": "import mmap; m = mmap.mmap(-1, 1 << 20); m[0] = 1",
    "ctypes": "import ctypes; print(ctypes.CDLL(None).getpid())",
    "getpass": "import getpass, os, pwd; assert getpass.getuser() == 'cupel'",
    "cpu count": "import os; assert os.cpu_count() >= 1",
    "urandom": "import os, secrets; secrets.token_bytes(16); os.urandom(9)",
    "zoneinfo": "import time; assert time.tzname[0] == 'UTC'",
    "sqlite": "import sqlite3; c = sqlite3.connect('/tmp/db'); "
              "c.execute('create table t(x)'); c.commit()",
    "ssl": "import ssl; ssl.create_default_context()",
    "select": "import select, os; e = select.epoll(); r, w = os.pipe(); "
              "e.register(r); os.write(w, b'x'); assert e.poll(1)",
    "signal": "import signal, time\n"
              "signal.signal(signal.SIGALRM, lambda *a: None)\n"
              "signal.setitimer(signal.ITIMER_REAL, .05); time.sleep(.2)",
    "pty": "import os\n"
           "try: os.openpty()\n"
           "except OSError as e: print(e)",
    "inotify falls back": "import ctypes; ctypes.CDLL(None).inotify_init1(0)",
    "resource": "import resource as r; assert r.getrlimit(r.RLIMIT_CORE)[1] "
                "== 0",
    "hostname": "import socket; assert socket.gethostname() == 'cupel'",
    "localhost by name": "import socket; "
                         "assert socket.gethostbyname('localhost')"
                         " == '127.0.0.1'",
}
# What one function or probe may do alone.  There, waiting for another thread means
# asking again and again, and locks and flushes do nothing.
FUNCTION = {
    "sqlite": "import sqlite3; c = sqlite3.connect('/scratch/db'); "
              "c.execute('pragma journal_mode=wal'); "
              "c.execute('create table t(x)'); c.commit(); c.close()",
    "lockf and fsync": "import fcntl, os; f = open('/scratch/l', 'w'); "
                       "fcntl.lockf(f, fcntl.LOCK_EX); os.fsync(f.fileno()); "
                       "fcntl.flock(f, fcntl.LOCK_EX)",
    "socket pairs": "import asyncio, socket as s\n"
                    "a, b = s.socketpair(); a.settimeout(1)\n"
                    "a.setsockopt(s.SOL_SOCKET, s.SO_SNDBUF, 1 << 20)\n"
                    "a.sendall(b'x'); assert b.recv(1) == b'x'\n"
                    "asyncio.run(asyncio.sleep(0))",
    "flush of a map": "import mmap\n"
                      "f = open('/scratch/m', 'w+b'); f.truncate(4096)\n"
                      "m = mmap.mmap(f.fileno(), 4096); m[0] = 1; m.flush()",
}
PROBE = {
    "threads": "import threading as t\n"
               "x = [t.Thread(target=sum, args=([i],)) for i in range(4)]\n"
               "[y.start() for y in x]; [y.join() for y in x]",
    "executor": "from concurrent.futures import ThreadPoolExecutor as E\n"
                "with E(3) as e: assert list(e.map(abs, [-1])) == [1]",
    "multiprocessing": "import multiprocessing as m\n"
                       "with m.Pool(2) as p: p.map(abs, [-1, -2])",
    "subprocess": "import subprocess as s; s.run(['true'], check=True)",
}
SERVER = ("import socket as s, threading as t\n"
          "a = s.socket(); a.setsockopt(s.SOL_SOCKET, s.SO_REUSEADDR, 1)\n"
          "a.setsockopt(s.IPPROTO_TCP, s.TCP_NODELAY, 1)\n"
          "a.setsockopt(s.SOL_SOCKET, s.SO_RCVBUF, 1 << 20)\n"
          "a.bind(('127.0.0.1', 0)); a.listen(511)\n"
          "u = s.socket(type=s.SOCK_DGRAM)\n"
          "u.setsockopt(s.SOL_SOCKET, s.SO_BROADCAST, 1)\n"
          "u.setsockopt(s.IPPROTO_IP, s.IP_MULTICAST_TTL, 2)\n"
          "import http.server as h, urllib.request as r\n"
          "w = h.ThreadingHTTPServer(('127.0.0.1', 0),"
          " h.SimpleHTTPRequestHandler)\n"
          "t.Thread(target=w.serve_forever, daemon=True).start()\n"
          "r.urlopen('http://127.0.0.1:%d/' % w.server_port).read()")
WORKERS = ("const {Worker} = require('worker_threads');"
           "const w = new Worker(\"const {parentPort} = "
           "require('worker_threads'); const a = new Int32Array(new "
           "SharedArrayBuffer(4)); Atomics.wait(a, 0, 0, 10);"
           "parentPort.postMessage(1)\", {eval: true});"
           "w.on('message', (m) => process.exit(m === 1 ? 0 : 1))")
LOOPBACK = ("import socket as s, threading as t\n"
            "a = s.create_server(('127.0.0.1', 0))\n"
            "t.Thread(target=lambda: a.accept()[0].sendall(b'x')).start()\n"
            "assert s.create_connection(a.getsockname()).recv(1) == b'x'")
NODE = ("const {Worker} = require('worker_threads'); const fs = require('fs');"
        "fs.writeFileSync('/tmp/n','x'); require('child_process')"
        ".execFileSync('true'); new Worker('process.exit(0)',{eval:true});"
        "new WebAssembly.Memory({initial:1}); console.log('ok')")
SHELL = {
    "gcc": "cd /scratch && printf 'int main(void){return 0;}' >a.c && "
           "gcc -pthread -o a a.c && ./a",
    "make": "cd /scratch && printf 'all:\\n\\ttrue\\n' >Makefile && make -j2",
    "pipes": "yes | head -1000 | sort -u | grep -q y",
    "tar": "cd /scratch && tar cf t.tar -C /usr/share/doc/bash . && "
           "tar tf t.tar >/dev/null",
    "heredoc": "cat <<E\nx\nE",
    "job control": "sleep 0.01 & wait",
    "find": "find /repo -type f | xargs ls -l >/dev/null",
    "perl": "perl -e 'print 1'",
    "awk by alternatives": "awk 'BEGIN{print 1}'",
    "process substitution": "bash -c 'diff <(echo 1) <(echo 1)'",
    "dev stdin": "echo x | cat /dev/stdin >/dev/null; echo >/dev/stderr",
    "timeout": "timeout 5 true",
    "git": "cd /scratch && git init -q g && cd g && "
           "git config user.email a@b && git config user.name a && "
           "echo x >y && git add y && git commit -qm x && git gc -q && "
           "git clone -q . ../h",
    "g++": "cd /scratch && printf '#include <thread>\\nint main(){std::thread "
           "t([]{}); t.join();}' >t.cc && g++ -pthread -o t t.cc && ./t",
    "dd and sync": "cd /scratch && dd if=/dev/zero of=z bs=1k count=3 "
                   "conv=fsync 2>/dev/null && cp z y && sync z",
    "sqlite3": "cd /scratch && sqlite3 d 'create table t(x)'",
    "go": "cd /scratch && HOME=/scratch go version",
    "cargo": "cd /scratch && HOME=/scratch cargo --version",
    "nice and chrt": "nice -n 5 true",
}


def has(name):
    return shutil.which(name, path="/usr/local/bin:/usr/bin:/bin")


def check(tap, user, options, name, *command):
    r = lib.go(user, options, *command)
    tap.ok(r.json and r.json["status"] == "OK", "%s %s [%s]"
           % (name, options, user), r.brief())


def main():
    tap = lib.Tap()
    for user in lib.users():
        for options in ("", "--profile test"):
            for name, text in PYTHON.items():
                check(tap, user, options, "python " + name, "python3", "-c",
                      text)
            for name, text in SHELL.items():
                if has(name.split()[0]) or " " in name:
                    check(tap, user, options, name, "sh", "-ec", text)
            if has("node"):
                check(tap, user, options, "node", "node", "-e", NODE)
        for name, text in (("loopback", LOOPBACK), ("server", SERVER)):
            check(tap, user, "--profile test", "python " + name, "python3",
                  "-c", text)
        for name, text in FUNCTION.items():
            for profile in ("python-function", "default"):
                check(tap, user, "--profile " + profile, "python " + name,
                      "python3", "-c", text)
        for name, text in PROBE.items():
            check(tap, user, "--profile probe", "python " + name, "python3",
                  "-c", text)
        for text in ("import json, ast, traceback, asyncio; print(1)",
                     "assert sum(range(10)) == 45"):
            check(tap, user, "--profile python-function", "python function",
                  "python3", "-c", text)
        if has("node"):
            check(tap, user, "--profile node-function", "node function",
                  "node", "--max-old-space-size=512", "-e", "console.log(1)")
            check(tap, user, "--profile node-function --nproc unlimited",
                  "node workers", "node", "--max-old-space-size=512", "-e",
                  WORKERS)
            check(tap, user, "--profile test", "node workers", "node", "-e",
                  WORKERS)
    tap.done()


main()
