#!/bin/sh
# cupel shell: on a terminal, and without one.
. "$SRC/tests/cli/lib.sh"
mkdir "$work/repo" && cd "$work/repo" || exit 1

is 'wants a terminal' 2 'cupel: shell: stdin is not a terminal' -- shell
timeout 120 python3 "$SRC/tests/cli/shell.py" "$cupel" >../tap 2>../err
ok 'all of shell.py'
grep '^not ok\|^#' ../tap | sed 's/^/# /'
sed 's/^/# /' ../err
[ "$(grep -c '^ok' ../tap)" = 16 ]
ok 'every case of it ran'
if command -v script >/dev/null; then
	for o in --json --stdout=x --stderr=x --stdin=x; do
		script -qec "'$cupel' shell $o" /dev/null </dev/null >../o
		grep -q "^cupel: ${o%=*}: cannot be used with shell" ../o
		ok "refuses ${o%=*}"
	done
fi
finish
