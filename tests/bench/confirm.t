#!/bin/sh
# The bench of confirm runs, and warm witnesses are worth their name.
#
# The promise is 7 times the rate of bwrap, on a quiet machine (./bootstrap bench
# confirm).  Here, beside other tests, the line is 2: below it a copy costs what
# a start does.
set -u
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
OUT=$out sh "$SRC/tests/bench/confirm.sh" 5 >"$out/text" 2>&1
status=$?
sed 's/^/# /' "$out/text"
[ $status = 0 ] || printf 'not '
echo 'ok 1 - it runs every contender'
awk '$1 == "bwrap/warm" && $2 > 2 { n++ } END { exit n != 2 }' "$out/text" ||
	printf 'not '
echo 'ok 2 - a copy is worth its name, one at a time and two'
echo 1..2
