#!/bin/sh
# The gate bench runs, and neither a phase nor a gate has become dear.
#
# What is promised (60 ms an attempt, 3% of a suite, 2 ms a record) is for a quiet
# machine: ./bootstrap bench gate.  Here, beside other tests, what is held is what
# no load explains: a phase is not much dearer than a run, a record asks for one sync
# and takes little beside it, and the ledger is verified in no multiple of its time.
set -u
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
n=0
is() { # is NAME COMMAND...
	n=$((n + 1)) name=$1
	shift
	if "$@"; then echo "ok $n - $name"; else echo "not ok $n - $name"; fi
}

OUT=$out/gate sh "$SRC/tests/bench/gate.sh" 4 >"$out/text" 2>&1
status=$?
sed 's/^/# /' "$out/text"
is 'it runs every part' test $status = 0
is 'its JSON is JSON' sh -c 'for f in phases small suite ledger; do
	python3 -m json.tool "$1/gate-$f.json" /dev/null || exit 1; done' - "$out/gate"
is 'a phase more is no dearer than a run and a half' awk '
	/^a phase more:/ { found = 1; bad = $4 + 0 > 1.5 }
	END { exit !found || bad }' "$out/text"
is 'a record asks for one sync, and takes under 2 ms beside it' awk '
	/^a record asks for/ { found = 1; bad = $5 != "1.00" || $9 + 0 >= 2000 }
	END { exit !found || bad }' "$out/text"
is '10,000 records are verified in a second' awk '
	/records .* verified in/ { found = 1; bad = $(NF - 1) + 0 > 1 }
	END { exit !found || bad }' "$out/text"
echo "1..$n"
