"""tell.py -- a result for GitHub: the log, the job's summary, the outputs.

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
    # The runner's older commands may stand anywhere in a line.
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


def failed_tests(result):
    """A typed payload about tests, if there is one: counts and names."""
    tests = find(result, "payload.tests")
    if not isinstance(tests, dict):
        return ""
    counts = ", ".join("%s %s" % (cell(tests.get(k)), k) for k in
                       ("total", "passed", "failed", "skipped"))
    names = tests.get("failures")
    names = names if isinstance(names, list) else []
    rows = [n if isinstance(n, str) else (n or {}).get("name", "?")
            if isinstance(n, (dict, type(None))) else "?" for n in names]
    return counts + "\n\n" + tail("failed", "\n".join(map(str, rows[:200])))


def summary(result, profile):
    out = ["### cupel: %s\n\n" % cell(result["status"]),
           "| | |\n|---|---|\n", "| profile | %s |\n" % cell(profile)]
    out += ["| %s | %s |\n" % (k, cell(find(result, k))) for k in ROWS]
    missing = sorted(k for k, v in result.get("enforced", {}).items()
                     if isinstance(v, dict) and v.get("requested")
                     and not v.get("applied"))
    out.append("| not in force | %s |\n\n" % (
        " ".join(cell(k) for k in missing) or "-"))
    out += [failed_tests(result), tail("stdout", result["stdout"]),
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
    append("GITHUB_OUTPUT", "status=%s\nrc=%d\nresult=%s\n" % (
        result["status"], rc, path))
    if rc != 0:
        print("::error::cupel: %s (%d)" % (result["status"], rc))
    return rc


if __name__ == "__main__":
    sys.exit(main())
