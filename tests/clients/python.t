#!/bin/sh
# python.t -- the Python package: over real vessels and over programs that are
# not cupel; its types; its installation.
set -u
. "$SRC/tests/clients/both.sh"
package=$SRC/src/clients/python
work=$(mktemp -d /tmp/cupel-python.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
# The one that has the system's modules, whatever stands before it in PATH.
python=/usr/bin/python3
[ -x $python ] || python=python3

# mypy_has FILE... -- what it says, with the settings of the package
mypy_has() {
	command -v mypy >/dev/null || { echo 'mypy is not installed'; return 77; }
	(cd "$package" && MYPYPATH=$package mypy --cache-dir "$work/mypy" "$@")
}

is_typed() { mypy_has cupel; }

# Each line that is marked, and no other.
misuse_is_found() {
	use=$SRC/tests/clients/python_use.py
	mypy_has "$use" >"$work/said"
	[ $? != 77 ] || { cat "$work/said"; return 77; }
	sed -n 's/.*\.py:\([0-9]*\): error.*/\1/p' "$work/said" | sort -nu \
		>"$work/found"
	grep -n '# wrong$' "$use" | sed 's/:.*//' >"$work/marked"
	cat "$work/said"
	cmp "$work/found" "$work/marked"
}

# In a fresh environment, from a copy: pip builds in the tree.
is_installed() {
	$python -c 'import ensurepip, setuptools, wheel' 2>/dev/null || {
		echo 'no venv, setuptools or wheel module here'
		return 77
	}
	cp -R "$package" "$work/package" &&
		$python -m venv --system-site-packages "$work/venv" &&
		env -u PYTHONPATH PIP_CONFIG_FILE=/dev/null "$work/venv/bin/pip" \
			install -q --no-index --no-build-isolation \
			--no-cache-dir --disable-pip-version-check \
			"$work/package" &&
		cd "$work/venv" && CUPEL=$BUILD/cupel "$work/venv/bin/python" - <<-END
	import importlib.metadata, os, cupel
	at = os.path.dirname(cupel.__file__)
	assert at.startswith("$work/venv/"), at
	assert os.path.exists(at + "/py.typed")
	got = cupel.SandboxClient().execute(
		{"command": ["echo", "1"], "repo_mode": "none"})
	assert got.stdout == "1\n", got
	assert importlib.metadata.version("cupel") == \
		cupel.SandboxClient().health().version, "another version"
	END
}

needs_nothing_new() {
	! grep -nE '^(import|from) ' "$package"/cupel/*.py |
		sed 's/.*:[0-9]*:[a-z]* \([a-zA-Z_.]*\).*/\1/' | sort -u |
		grep -vxE '__future__|asyncio|contextlib|dataclasses|decimal|errno|json|math|os|selectors|shutil|subprocess|sys|tempfile|time|typing|\._[a-z_]+'
}

one 'mypy is content with the package' is_typed
one 'mypy finds each misuse' misuse_is_found
one 'pip installs it without a network' is_installed
one 'the standard library is enough' needs_nothing_new
rm -rf "$work"
both 'python_runs python_many' 'python_runs python_many python_pytests python_answers python_confirms' \
	sh -c 'exec "$0" "$SRC/tests/clients/tap.py" "$@"' "$python"
finish
