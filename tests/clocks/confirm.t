#!/bin/sh
# The bench of confirm runs, and warm witnesses are worth their name.
#
# The promise is 7 times the rate of bwrap, on a quiet machine (./bootstrap bench
# confirm).  Here the line is 2: below it a copy costs what a start does.
set -u
. "$SRC/tests/clocks/three.sh"
measure() {
	OUT=$out sh "$SRC/tests/bench/confirm.sh" 5 >"$out/text" 2>&1 || status=$?
	sed 's/^/# /' "$out/text"
}
is_worth() {
	awk '$1 == "bwrap/warm" { printf "%s%s", n++ ? ", " : "", $2; good += $2 > 2 }
		END { exit good != 2 }' "$out/text"
}
measure
is 'it runs every contender' test $status = 0
timed 'a copy is worth its name, one at a time and two' is_worth
echo "1..$n"
