#!/bin/sh
# The gather bench runs, and a gather has not become slow.
#
# The bars (2 ms for each probe, hashing and 20 ms, 5 s for 50 MiB) are for a
# quiet machine: ./bootstrap bench gather.  Here, beside other tests, what is
# held is what no load explains: a warm gather below a cold one, a cold one
# below Python's, and the lockfile within its memory.
set -u
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
n=0
is() { # is NAME COMMAND...
	n=$((n + 1)) name=$1
	shift
	if "$@"; then echo "ok $n - $name"; else echo "not ok $n - $name"; fi
}

OUT=$out/gather sh "$SRC/tests/bench/gather/gather.sh" 3 >"$out/text" 2>&1
status=$?
sed 's/^/# /' "$out/text"
is 'it runs every contender' test $status = 0
is 'it draws the plot' grep -q '<svg' "$out/gather/gather.svg"
is 'its JSON is JSON' python3 -m json.tool "$out/gather/gather.json" /dev/null
fastest() { # fastest NAME A B -- whether A's fastest round is below B's
	awk -v a="$1 $2" -v b="$1 $3" '
		$1 " " $2 == a { x = $7 }
		$1 " " $2 == b { y = $7 }
		END { exit !(x > 0 && y > 0 && x < y) }' "$out/text"
}
is 'a warm gather of a workspace is faster than a cold one' \
	fastest workspace warm cold
is 'a cold gather is faster than Python in a fork for each probe' \
	fastest workspace cold peer
is 'a 50 MiB lockfile is parsed' grep -q 'MiB: status OK, 0 errors' "$out/text"
is 'within its memory' grep -q 'MiB: memory .*held' "$out/text"
echo "1..$n"
