"""Drive cupel shell on a pseudoterminal, as a person would; TAP."""
import fcntl, os, pty, re, select, struct, sys, termios, time

CUPEL = sys.argv[1]
count = bad = 0


def ok(good, name, note=""):
    global count, bad
    count += 1
    bad += not good
    print(f"{'ok' if good else 'not ok'} {count} - {name}", flush=True)
    if not good and note:
        print("#", repr(note)[-600:])


class Shell:
    def __init__(self, *args, size=(33, 99)):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execv(CUPEL, [CUPEL, "shell", *args])
        self.before = termios.tcgetattr(self.fd)
        self.resize(*size)
        self.seen = b""

    def resize(self, rows, cols):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ,
                    struct.pack("HHHH", rows, cols, 0, 0))

    def type(self, text):
        os.write(self.fd, text)

    def until(self, pattern, seconds=10):
        """What was printed, up to and including pattern; None if it never came."""
        end = time.monotonic() + seconds
        while not (m := re.search(pattern, self.seen)):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                return None
            try:
                more = os.read(self.fd, 65536)
            except OSError:
                more = b""
            if not more:
                return None
            self.seen += more
        out, self.seen = self.seen[:m.end()], self.seen[m.end():]
        return out

    def ask(self, command):
        """The output of a command, between two marks that echoing cannot produce."""
        self.type(b"echo BE''GIN; " + command + b"; echo E''ND$?\r")
        out = self.until(rb"BEGIN\r\n(?s:.*?)END\d+")
        if out is None:
            return None
        return re.search(rb"BEGIN\r\n(?s:(.*?))END\d+", out).group(1)

    def end(self, text=b"exit 7\r"):
        self.type(text)
        self.until(rb"(?!)")
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


s = Shell()
ok(s.until(rb"\$ "), "gives a prompt", s.seen)
ok(s.ask(b"tty") == b"/dev/pts/0\r\n", "on a terminal of its own")
out = s.ask(b"stty size")
ok(out == b"33 99\r\n", "of the size of the caller's", out)
s.resize(20, 70)
for _ in range(50):
    out = s.ask(b"stty size")
    if out != b"33 99\r\n":
        break
    time.sleep(0.1)
ok(out == b"20 70\r\n", "which follows the caller's", out)
s.type(b"sleep 100; echo wo''ken\r")
time.sleep(0.5)
s.type(b"\x03")
ok(s.until(rb"\$ ", 5), "Ctrl-C goes to what runs inside")
out = s.ask(b"readlink /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2")
ok(out == b"/dev/pts/0\r\n" * 3, "no other descriptor is a terminal's", out)
out = s.ask(b"ls /dev/pts /proc/self/fd | tr '\\n' ' '")
ok(out is not None and b"/dev/pts: 0 ptmx" in out.replace(b"\r\n", b" "),
   "the host's terminals are not there", out)
out = s.ask(b"id -u; cat /sys/kernel/x 2>&1 | wc -l; touch /repo/x 2>&1")
ok(out is not None and out.startswith(b"1000\r\n") and b"ead-only" in out,
   "in a vessel as any other", out)
out = s.ask(b"python3 -c 'import fcntl\n"
            b"try: fcntl.ioctl(0, 0x5412, b\"x\")\n"
            b"except OSError as e: print(\"errno\", e.errno)'")
ok(out is not None and re.search(rb"errno \d+\r\n$", out),
   "nothing can be typed into it from inside", out)
ok(s.end() == 7, "exits as the shell does")

s = Shell("--", "sh", "-c", "stty -a | grep -c isig; echo $TERM; exit 3")
out = s.until(rb"(?!)")
ok(os.waitstatus_to_exitcode(os.waitpid(s.pid, 0)[1]) == 3,
   "runs another command")

# our own terminal has its old settings
mother, child = pty.openpty()
before = termios.tcgetattr(child)
pid = os.fork()
if pid == 0:
    os.setsid()
    fcntl.ioctl(child, termios.TIOCSCTTY, 0)
    for n in range(3):
        os.dup2(child, n)
    os.execv(CUPEL, [CUPEL, "shell", "--wall-time-s", "0.5"])
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
ok(status == 124, "a wall clock that was asked for holds", status)
ok(termios.tcgetattr(child) == before, "the caller's terminal is as it was")
text = b""
while select.select([mother], [], [], 1)[0]:
    text += os.read(mother, 65536)
ok(b"cupel: TIMEOUT: " in text, "and why it ended is said", text)

s = Shell("--", "sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x; exit 4")
total = 0
while True:
    try:
        more = os.read(s.fd, 65536)
    except OSError:
        break
    total += more.count(b"x")
ok(total == 3000000, "no cap cuts what is shown", total)
ok(os.waitstatus_to_exitcode(os.waitpid(s.pid, 0)[1]) == 4, "to its end")
print(f"1..{count}")
sys.exit(bad != 0)
