"""tell_gate.py -- what a gate came to, for GitHub: the log, the job's summary, the
outputs.

usage: tell_gate.py RC DIRECTORY     exits with RC, or 1 when that is 0 without
                                     an outcome; the directory is gate.sh's

Must:     show names and texts from inside as tell.py does
Must not: believe an outcome that disagrees with how the command ended
"""
import json
import os
import sys

sys.dont_write_bytecode = True
import tell  # noqa: E402

OUTCOME_OF_RC = {0: "passed", 11: "escalate", 12: "failed_unrecoverable"}
SHOWN_BYTES = 1 << 20


def read_text(path, most):
    """The beginning of a file that may not be there."""
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read(most)
    except OSError:
        return ""


def read_gate(path, rc):
    """The gate's object, or None: cupel's own text, held against its status."""
    text = read_text(path, tell.RESULT_BYTES + 1)
    try:
        gate = json.loads(text)
    except ValueError:
        return None
    good = (isinstance(gate, dict) and len(text) <= tell.RESULT_BYTES and
            rc in OUTCOME_OF_RC and gate.get("outcome") == OUTCOME_OF_RC[rc]
            and isinstance(gate.get("attempts"), list))
    return gate if good else None


def summary(gate, shown):
    """The verdict, and below it what `cupel gate show` prints, from its start."""
    rows = [("gate", gate.get("gate")), ("outcome", gate["outcome"]),
            ("reason", gate.get("reason")),
            ("attempts", len(gate["attempts"])),
            ("isolation_class", gate.get("isolation_class"))]
    out = ["### cupel gate: %s\n\n" % tell.cell(gate["outcome"]),
           "| | |\n|---|---|\n"]
    out += ["| %s | %s |\n" % (k, tell.cell(v)) for k, v in rows]
    kept = shown[:tell.SUMMARY_BYTES]
    return "".join(out) + "\n" + tell.tail(
        "cupel gate show" + ("" if kept == shown else ", its beginning"), kept)


def main():
    rc, top = int(sys.argv[1]), sys.argv[2]
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    tell.say("cupel", read_text(top + "/errors", 65536))
    gate = read_gate(top + "/result.json", rc)
    if gate is None:
        print("::error::cupel: the gate has no outcome (exit status %d)" % rc)
        return rc or 1
    shown = read_text(top + "/shown", SHOWN_BYTES)
    tell.say("cupel gate show", shown)
    tell.append("GITHUB_STEP_SUMMARY", summary(gate, shown))
    tell.append("GITHUB_OUTPUT", "outcome=%s\nrc=%d\nresult=%s\nstate=%s\n" % (
        gate["outcome"], rc, top + "/result.json", top + "/state"))
    if os.path.exists(top + "/gate.html"):
        tell.append("GITHUB_OUTPUT", "page=%s\n" % (top + "/gate.html"))
    if rc != 0:
        print("::error::cupel: the gate says %s (%d)" % (gate["outcome"], rc))
    return rc


if __name__ == "__main__":
    sys.exit(main())
