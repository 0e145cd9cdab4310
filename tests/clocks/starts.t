#!/bin/sh
# What a start and a batch cost beside bwrap's: not what is aimed at, but what there is,
# as medians of pairs.
set -u
. "$SRC/tests/clocks/three.sh"
measure() { :; } # each judge measures
start_is_held() {
	OUT=$out/startup sh "$SRC/tests/bench/held.sh" 400 0.80 1.85 >"$out/text" 2>&1
	status=$?
	sed 's/^/# /' "$out/text" >&2
	awk '/^cupel\/(bwrap|floor) / { printf "%s%s %s", comma, $1, $2; comma = ", " }' \
		"$out/text"
	return $status
}
batch_is_held() {
	OUT=$out/batch sh "$SRC/tests/bench/batch.sh" 30 1.30 0.14 >"$out/text" 2>&1
	status=$?
	sed 's/^/# /' "$out/text" >&2
	tail -n 1 "$out/text" | tr -d '\n'
	return $status
}
timed 'a start takes at most 0.80 of bwrap, 1.85 of the bare floor' start_is_held
timed 'a batch makes 1.30 times as many runs as bwrap' batch_is_held
echo "1..$n"
