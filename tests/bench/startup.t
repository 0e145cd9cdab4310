#!/bin/sh
# The start-up bench runs, and cupel has not become slow.
#
# The promise is 0.60 of bwrap, measured on a quiet machine with
# ./bootstrap bench.  It is not kept yet (see README, What it costs).  Here the
# fastest of few rounds is compared, and the line is 1.25 of bwrap: what crosses it
# is no noise but a new cost on the way of every run, such as a filter built at run
# time (about +0.4) or a grace period for each mount (about +1).
set -u
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
n=0
is() { # is NAME COMMAND...
	n=$((n + 1)) name=$1
	shift
	if "$@"; then echo "ok $n - $name"; else echo "not ok $n - $name"; fi
}

OUT=$out/startup sh "$SRC/tests/bench/startup.sh" 60 >"$out/text" 2>&1
status=$?
sed 's/^/# /' "$out/text"
is 'it runs every contender' test $status = 0
is 'it prints the ratios' grep -q '^cupel/bwrap [0-9]' "$out/text"
is 'it draws the plot' grep -q '<svg' "$out/startup/startup.svg"
is 'its JSON is JSON' python3 -m json.tool "$out/startup/startup.json" \
	/dev/null
is 'at its fastest, cupel is not far from bwrap' awk '
	$1 == "cupel" { cupel = $4 }
	$1 == "bwrap" { bwrap = $4 }
	END { exit !(cupel > 0 && bwrap > 0 && cupel < 1.25 * bwrap) }' "$out/text"
echo "1..$n"
