#!/bin/sh
# The bench of confirm runs, and warm witnesses are worth their name.
#
# The promise is 7 times the rate of bwrap, on a quiet machine (./bootstrap bench
# confirm).  Here the line is 2: below it a copy costs what a start does.  Where five
# rounds do not show it, nine are measured, and those decide.
set -u
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
status=0
measure() { # measure ROUNDS
	OUT=$out sh "$SRC/tests/bench/confirm.sh" "$1" >"$out/text" 2>&1 || status=$?
	sed 's/^/# /' "$out/text"
}
is_worth() {
	awk '$1 == "bwrap/warm" && $2 > 2 { n++ } END { exit n != 2 }' "$out/text"
}
measure 5
is_worth || measure 9
[ $status = 0 ] || printf 'not '
echo 'ok 1 - it runs every contender'
is_worth || printf 'not '
echo 'ok 2 - a copy is worth its name, one at a time and two'
echo 1..2
