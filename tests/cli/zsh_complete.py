"""zsh_complete.py -- how zsh completes a line.

usage: zsh_complete.py DIR LINE...   DIR holds _cupel

Prints the line after the tab, for each LINE; exits 1 when zsh does not answer.
"""
import os
import pty
import re
import select
import signal
import sys
import time

CLOCK_S = 120
SETUP = r"""
fpath=(%s $fpath); autoload -Uz compinit; compinit -u -D
show() { print; print -r -- "GOT<$BUFFER>" }
zle -N show; bindkey '^I' complete-word; bindkey '^X' show
print REA''DY
"""


class Shell:
    def __init__(self, folder):
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"],
                       dict(os.environ, TERM="dumb", ZDOTDIR=folder))
        self.pid, self.fd = pid, fd
        setup = " ; ".join((SETUP % folder).strip().splitlines())
        self.ask(setup.encode() + b"\n", rb"READY\r\n")

    def ask(self, text, answer):
        """Type text; return the match of the pattern answer in what comes back."""
        os.write(self.fd, text)
        got, end = b"", time.monotonic() + CLOCK_S
        while time.monotonic() < end:
            if select.select([self.fd], [], [], 0.2)[0]:
                got += os.read(self.fd, 4096)
            found = re.search(answer, got)
            if found:
                return found
        raise TimeoutError(got)

    def complete(self, line):
        # ^U empties the line first
        text = b"\x15" + line.encode() + b"\t\x18"
        return self.ask(text, rb"GOT<([^>\r]*)>\r").group(1).decode()

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def main():
    shell = Shell(os.path.abspath(sys.argv[1]))
    try:
        for line in sys.argv[2:]:
            print(shell.complete(line))
    finally:
        shell.close()


main()
