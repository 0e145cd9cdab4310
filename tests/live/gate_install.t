#!/usr/bin/env python3
"""gate_install.t -- the installing phase of python-validate hands everything
that declares packages to pip, or fails: a change that was not installed is not
judged as if it were."""
import os
import subprocess
import sys
import tempfile

# In place of pip: says what it was given.
FAKE = "#!/bin/sh\nshift 5\necho \"pip $*\"\n"

PROJECT = "[project]\nname = 'p'\n"
# the files of a tree, and what pip is given; None: the phase fails
TREES = [
    ({"README": ""}, ""),
    ({"pyproject.toml": "[tool.black]\n"}, ""),
    ({"tests/data/requirements.txt": "a\n"}, ""),
    ({"requirements.txt": "a\n"}, "pip -r requirements.txt"),
    ({"requirements/tests.txt": "a\n", "requirements/docs.txt": "b\n"},
     "pip -r requirements/docs.txt -r requirements/tests.txt"),
    ({"requirements-dev.txt": "a\n", "requirements.txt": "b\n"},
     "pip -r requirements.txt -r requirements-dev.txt"),
    ({"dev_requirements.txt": "a\n"}, "pip -r dev_requirements.txt"),
    ({"setup.py": ""}, "pip ."),
    ({"setup.py": "", "requirements.txt": ""}, "pip -r requirements.txt ."),
    ({"setup.cfg": "[metadata]\nname = p\n"}, "pip ."),
    ({"setup.cfg": "[flake8]\n"}, ""),
    ({"pyproject.toml": PROJECT}, "pip ."),
    ({"pyproject.toml": "[build-system]\n"}, "pip ."),
    ({"pyproject.toml": "[tool.poetry]\n"}, "pip ."),
    ({"pyproject.toml": "\t[ project ]\n"}, "pip ."),
    ({"pyproject.toml": PROJECT, "uv.lock": ""}, None),
    ({"pyproject.toml": PROJECT, "poetry.lock": ""}, None),
    ({"pyproject.toml": PROJECT, "pdm.lock": ""}, None),
    ({"pylock.toml": ""}, None),
    ({"Pipfile": ""}, None),
    ({"Pipfile.lock": "{}"}, None),
    ({"requirements.in": "a\n"}, None),
    ({"sub/pyproject.toml": PROJECT}, None),
    ({"sub/requirements.txt": "a\n"}, None),
    ({"sub/setup.py": ""}, None),
]


def command():
    """The phase's script, as the shipped catalogue has it."""
    path = os.path.join(os.environ["SRC"], "profiles/gates/shipped.yaml")
    with open(path, encoding="utf-8") as f:
        text = f.read()
    text = text.split("  python-validate:\n")[1]
    lines = text.split("          - |\n")[1].split("\n")
    indent = " " * 12
    script = []
    for line in lines:
        if not line.startswith(indent):
            break
        script.append(line[len(indent):])
    return "\n".join(script)


def phase(script, files):
    """What pip is given, or None if the phase fails."""
    with tempfile.TemporaryDirectory() as top:
        for name, text in files.items():
            path = os.path.join(top, "repo", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        os.mkdir(os.path.join(top, "bin"))
        with open(os.path.join(top, "bin/python3"), "w",
                  encoding="utf-8") as f:
            f.write(FAKE)
        os.chmod(os.path.join(top, "bin/python3"), 0o755)
        p = subprocess.run(
            ["/bin/sh", "-c", script], cwd=os.path.join(top, "repo"),
            env={"PATH": top + "/bin:/usr/bin:/bin"}, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, universal_newlines=True)
    if p.returncode != 0:
        return None if p.stderr.startswith("install: ") else p.stderr
    return p.stdout.strip()


def main():
    script = command()
    failed = 0
    for i, (files, want) in enumerate(TREES):
        got = phase(script, files)
        failed += got != want
        print("%s %d - %s: %s" % (
            "ok" if got == want else "not ok", i + 1,
            " and ".join(sorted(files)),
            "refused" if want is None else want or "nothing to install"))
        if got != want:
            print("# got %r" % (got,))
    print("1..%d" % len(TREES))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
