#!/bin/sh
# The gather bench runs, and a gather has not become slow.
#
# The bars (2 ms for each probe, hashing and 20 ms, 5 s for 50 MiB) are for a
# quiet machine: ./bootstrap bench gather.  Here what is held is what no load explains:
# a warm gather below a cold one, a cold one below Python's, and the lockfile within its
# memory.
set -u
. "$SRC/tests/clocks/three.sh"
measure() {
	OUT=$out/gather sh "$SRC/tests/bench/gather/gather.sh" 3 >"$out/text" 2>&1
	status=$?
	sed 's/^/# /' "$out/text"
}
fastest() { # fastest NAME A B -- whether A's fastest round is below B's
	awk -v a="$1 $2" -v b="$1 $3" '
		$1 " " $2 == a { x = $7 }
		$1 " " $2 == b { y = $7 }
		END { printf "%s and %s", x, y; exit !(x > 0 && y > 0 && x < y) }' \
		"$out/text"
}
measure
is 'it runs every contender' test $status = 0
is 'it draws the plot' grep -q '<svg' "$out/gather/gather.svg"
is 'its JSON is JSON' python3 -m json.tool "$out/gather/gather.json" /dev/null
is 'a 50 MiB lockfile is parsed' grep -q 'MiB: status OK, 0 errors' "$out/text"
is 'within its memory' grep -q 'MiB: memory .*held' "$out/text"
timed 'a warm gather of a workspace is faster than a cold one' \
	fastest workspace warm cold
timed 'a cold gather is faster than Python in a fork for each probe' \
	fastest workspace cold peer
echo "1..$n"
