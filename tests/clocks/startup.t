#!/bin/sh
# The start-up bench runs, and cupel has not become slow.
#
# What is promised (cupel-limits(7)) is measured on a quiet machine with ./bootstrap bench.
# Here the fastest of few rounds is compared, and the line is 1.25 of bwrap: what crosses it
# is no noise but a new cost on the way of every run, such as a filter built at run
# time (about +0.4) or a grace period for each mount (about +1).
set -u
. "$SRC/tests/clocks/three.sh"
measure() {
	OUT=$out/startup sh "$SRC/tests/bench/startup.sh" 60 >"$out/text" 2>&1
	status=$?
	sed 's/^/# /' "$out/text"
}
is_near() {
	awk '$1 == "cupel" { cupel = $4 }
		$1 == "bwrap" { bwrap = $4 }
		END {
			if (cupel > 0 && bwrap > 0)
				printf "%.2f of bwrap", cupel / bwrap
			exit !(cupel > 0 && bwrap > 0 && cupel < 1.25 * bwrap)
		}' "$out/text"
}
measure
is 'it runs every contender' test $status = 0
is 'it prints the ratios' grep -q '^cupel/bwrap [0-9]' "$out/text"
is 'it draws the plot' grep -q '<svg' "$out/startup/startup.svg"
is 'its JSON is JSON' python3 -m json.tool "$out/startup/startup.json" \
	/dev/null
timed 'at its fastest, cupel is not far from bwrap' is_near
echo "1..$n"
