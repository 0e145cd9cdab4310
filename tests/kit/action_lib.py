"""action_lib.py -- what the tests of the GitHub action share: how a runner reads a
log, steps with an environment of their own, hostile text."""
import html.parser
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../live"))
import lib  # noqa: E402

ACTION = os.path.join(lib.SRC, ".github/actions/cupel")
HOSTILE = [
    "::set-output name=rc::0", "  ::add-mask::e", "\r::error::from inside",
    "a\r\n::stop-commands::b", "::endgroup::", "##[add-path]/evil",
    "text ##[set-output name=status]OK", "\x1b]0;title\x07\x1b[2J",
    "\u2028::warning::w", "\x85::debug::d", "\u202egnp.exe", "\ud800",
    "</pre></details><script>alert(1)</script>", "```\n# head\n", "| a | b |",
    "@everyone", "EOF\nstatus=OK", "%0A::error::x", "[x](javascript:1)",
    "\x00::group::nul", "\x0b::group::vt", "::", "\u00a0::error::nbsp",
    "a,line=1::set-output name=rc::0", "x::y", "%25%0A::error::twice",
    "![i](https://x.example/i.png)", "www.x.example", "**b** _i_ `c` ~~d~~",
    "<img src=x onerror=alert(1)>", "&lt;script&gt;", "a\\|b", "#1 GH-1",
]


def commands(log):
    """The lines that GitHub's runner would take for commands, split as .NET splits
    lines; a command while commands are stopped counts too, with its name in ()."""
    found, stop = [], None
    for line in re.split("\r\n|\r|\n", log):
        m = re.match(r"\s*::([^:\s]*)[^:]*::(.*)", line)
        if m and m.group(1) == stop:
            stop = None
        elif m and m.group(1) == "stop-commands":
            stop = m.group(2)
            found.append("stop-commands")
        elif m or "##[" in line:
            found.append("(%s)" % line if stop else m.group(1) if m else line)
    return found


class Tags(html.parser.HTMLParser):
    """Every tag of a text."""

    def __init__(self, text):
        super().__init__()
        self.seen = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)


def folder():
    path = lib.make_dir("user")
    for name in ("out", "summary", "env"):
        open(os.path.join(path, name), "w").close()
    return path


def env_of(path, more):
    env = lib.clean_env({
        "GITHUB_ACTION_PATH": ACTION, "GITHUB_OUTPUT": path + "/out",
        "GITHUB_STEP_SUMMARY": path + "/summary", "GITHUB_ENV": path + "/env",
        "RUNNER_TEMP": path, "CUPEL_RUN": "true", "CUPEL_PROFILE": "test",
        "CUPEL_ARGS": "", "CUPEL_REPO": path, "CUPEL_GATE": "",
        "CUPEL_WORKTREE": path, "CUPEL_BASE": "", "CUPEL_BASELINE": "",
        "CUPEL_CATALOGUE": "", "GITHUB_WORKSPACE": path, "LC_ALL": "C",
        "PYTHONDONTWRITEBYTECODE": "1"})
    env.update(more)
    return env


def step(script, path, **more):
    p = subprocess.run(["sh", os.path.join(ACTION, script)],
                       env=env_of(path, more), stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       timeout=lib.CLOCK_S)
    return p.returncode, p.stdout.decode("utf-8", "surrogateescape")


def read(path, name):
    with open(os.path.join(path, name), encoding="utf-8") as f:
        return f.read()
