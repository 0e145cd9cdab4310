"""tell.py -- a result for GitHub: the log, annotations, the job's summary, the
outputs.

usage: tell.py RC RESULT ERRORS     exits with RC

Must:     show what was written inside so that nobody takes it for anything but
          text: not the runner (workflow commands), not a terminal, not Markdown
          or HTML, not a later step (outputs)
Must not: trust a byte of the result's texts; believe a result that disagrees
          with how the command ended
"""
import html
import json
import os
import re
import secrets
import sys
import unicodedata

STATUSES = """OK FAILED TIMEOUT CPU_LIMIT MEM_LIMIT OUTPUT_LIMIT FILE_SIZE_LIMIT
FORBIDDEN_SYSCALL KILLED_TERM KILLED_KILL SIGNALED INTERNAL_ERROR""".split()
SUMMARY_BYTES = 16384  # of each stream; a step's summary may have 1 MiB
RESULT_BYTES = 64 << 20
ANNOTATIONS = 10  # the errors of a step that GitHub shows
ROWS_SHOWN = 100  # failed tests in the summary
TEXT_SHOWN = 300  # characters of a name or a message
COUNTS = ("total", "passed", "failed", "skipped")
ROWS = ["status", "rc", "reason", "backend", "isolation_class", "duration_ms",
        "usage.cpu_user_ms", "usage.cpu_system_ms", "usage.max_rss_kib",
        "usage.processes"]


def plain(line):
    """One line, with all that is not a printable character escaped: \\r starts
    a new line for the runner, ESC moves the terminal's cursor, and some letters
    turn the direction of others."""
    out = []
    for c in line:
        if c == "\t" or (unicodedata.category(c)[0] not in "CZ" or c == " "):
            out.append(c)
        elif ord(c) < 256:
            out.append("\\x%02x" % ord(c))
        else:
            out.append("\\u{%x}" % ord(c))
    # The runner's older commands may be anywhere in a line.
    return "".join(out).replace("##[", "##\\[")


def lines(text):
    rows = text.split("\n")
    return rows[:-1] if rows[-1] == "" else rows


def say(title, text):
    """Text for the log: no line of it starts as a command would, and while it
    is written the runner listens to one word that nobody inside can know."""
    if not text:
        return
    token = secrets.token_hex(16)
    print("::group::%s" % title)
    print("::stop-commands::%s" % token)
    for line in lines(text):
        print("| " + plain(line))
    print("::%s::" % token)
    print("::endgroup::")


def find(result, path):
    at = result
    for key in path.split("."):
        at = at.get(key) if isinstance(at, dict) else None
    return at


def cell(value):
    """A value in a table of the summary: words and numbers, nothing else."""
    text = "-" if value is None else str(value)
    return text if re.fullmatch(r"[A-Za-z0-9_.:-]{1,64}", text) else "?"


def tail(title, text):
    """The end of a stream, as text in HTML that ends where we say."""
    if not text:
        return ""
    kept = text[-SUMMARY_BYTES:]
    shown = "\n".join(plain(x) for x in lines(kept))
    more = "" if kept == text else " (its end)"
    return "<details><summary>%s%s</summary>\n<pre>\n%s\n</pre>\n</details>\n" % (
        title, more, html.escape(shown).replace("@", "&#64;"))


def count(value):
    """A number of tests as a word, or nothing."""
    good = type(value) is int and 0 <= value <= 10 ** 6
    return str(value) if good else ""


def tests_of(result):
    """A typed payload about tests, or {}."""
    tests = find(result, "payload.tests")
    return tests if isinstance(tests, dict) else {}


def failures_of(tests):
    """(name, message, file, line) of each failure that is told, as texts; line is
    a number or None."""
    rows = []
    names, told = tests.get("failures"), tests.get("details")
    told = told if isinstance(told, list) else []
    for i, name in enumerate(names if isinstance(names, list) else []):
        more = told[i] if i < len(told) and isinstance(told[i], dict) else {}
        message, path, line = (more.get(k) for k in ("message", "file", "line"))
        line = line if type(line) is int and 0 < line <= 10 ** 7 else None
        rows.append(tuple(plain(x)[:TEXT_SHOWN] if isinstance(x, str) else ""
                          for x in (name, message, path)) + (line,))
    return rows


def data(text):
    """Text for the message of a workflow command."""
    return plain(text).replace("%", "%25").replace("\r", "%0D").replace(
        "\n", "%0A")


def word(text):
    """Text for a property of one, which ends at a comma or a colon."""
    return data(text).replace(":", "%3A").replace(",", "%2C")


def place(path):
    """A file of the run as GitHub knows it, below the workspace, or nothing."""
    top = os.environ.get("GITHUB_WORKSPACE", "")
    repo = os.environ.get("CUPEL_REPO", "")
    if not path or not top or os.path.isabs(path) or ".." in path.split("/"):
        return ""
    whole = os.path.relpath(os.path.join(repo, path), top)
    return "" if whole.split("/")[0] == ".." else whole


def annotate(tests):
    """An annotation for each of the first failures."""
    for name, message, path, line in failures_of(tests)[:ANNOTATIONS]:
        where = place(path)
        words = ["title=" + word(name)]
        if where:
            words.insert(0, "file=" + word(where))
            if line is not None:
                words.insert(1, "line=%d" % line)
        print("::error %s::%s" % (",".join(words), data(message or "failed")))


def code(text):
    """Text in a cell of a table: whatever Markdown, HTML or a link is made of
    stands there as a number, inside an element in which nobody is mentioned."""
    shown = "".join(c if c.isascii() and (c.isalnum() or c == " ") else
                    "&#%d;" % ord(c) for c in text)
    return "<code>%s</code>" % shown if text.strip() else "-"


def tests_table(tests):
    """Counts, and a row for each failure."""
    if not tests:
        return ""
    out = ["| %s |\n|%s\n| %s |\n\n" % (
        " | ".join(COUNTS), "---|" * len(COUNTS),
        " | ".join(count(tests.get(k)) or "?" for k in COUNTS))]
    rows = failures_of(tests)
    if rows:
        out.append("| failed | where | message |\n|---|---|---|\n")
    for name, message, path, line in rows[:ROWS_SHOWN]:
        where = path if line is None else "%s:%d" % (path, line)
        out.append("| %s | %s | %s |\n" % (
            code(name), code(where if path else ""), code(message)))
    if len(rows) > ROWS_SHOWN:
        out.append("\n%d more failed.\n" % (len(rows) - ROWS_SHOWN))
    return "".join(out) + "\n"


def summary(result, profile):
    out = ["### cupel: %s\n\n" % cell(result["status"]),
           "| | |\n|---|---|\n", "| profile | %s |\n" % cell(profile)]
    out += ["| %s | %s |\n" % (k, cell(find(result, k))) for k in ROWS]
    missing = sorted(k for k, v in result.get("enforced", {}).items()
                     if isinstance(v, dict) and v.get("requested")
                     and not v.get("applied"))
    out.append("| not in force | %s |\n\n" % (
        " ".join(cell(k) for k in missing) or "-"))
    out += [tests_table(tests_of(result)), tail("stdout", result["stdout"]),
            tail("stderr", result["stderr"])]
    return "".join(out)


def read_result(path, rc):
    """The result, or None: cupel's own text, but held against what is known."""
    with open(path, "rb") as f:
        raw = f.read(RESULT_BYTES + 1)
    try:
        result = json.loads(raw.decode())
    except ValueError:
        return None
    good = (isinstance(result, dict) and len(raw) <= RESULT_BYTES and
            result.get("status") in STATUSES and result.get("rc") == rc and
            all(isinstance(result.get(k), str) for k in ("stdout", "stderr"))
            and isinstance(result.get("enforced"), dict))
    return result if good else None


def append(name, text):
    with open(os.environ[name], "a", encoding="utf-8") as f:
        f.write(text)


def main():
    rc, path, errors = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    with open(errors, encoding="utf-8", errors="replace") as f:
        say("cupel", f.read(65536))
    result = read_result(path, rc)
    if result is None:
        print("::error::cupel: no result (exit status %d)" % rc)
        return rc or 1
    say("stdout", result["stdout"])
    say("stderr", result["stderr"])
    append("GITHUB_STEP_SUMMARY",
           summary(result, os.environ.get("CUPEL_PROFILE", "")))
    tests = tests_of(result)
    annotate(tests)
    append("GITHUB_OUTPUT", "status=%s\nrc=%d\nresult=%s\n" % (
        result["status"], rc, path))
    append("GITHUB_OUTPUT", "tests_total=%s\ntests_passed=%s\n"
           "tests_failed=%s\ntests_skipped=%s\n" % tuple(
               count(tests.get(k)) for k in COUNTS))
    if rc != 0:
        print("::error::cupel: %s (%d)" % (result["status"], rc))
    return rc


if __name__ == "__main__":
    sys.exit(main())
