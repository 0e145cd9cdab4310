#!/bin/sh
# The gate bench runs, and neither a phase nor a gate has become dear.
#
# What is promised (60 ms an attempt, 3% of a suite, 2 ms a record) is for a quiet
# machine: ./bootstrap bench gate.  Here what is held is what no load explains: a phase
# is not much dearer than a run, a record asks for one sync and takes little beside it,
# and the ledger is verified in no multiple of its time.
set -u
. "$SRC/tests/clocks/three.sh"
measure() {
	OUT=$out/gate sh "$SRC/tests/bench/gate.sh" 4 >"$out/text" 2>&1
	status=$?
	sed 's/^/# /' "$out/text"
}
phase_is_cheap() {
	awk '/^a phase more:/ { found = 1; bad = $4 + 0 > 1.5; printf "%s", $4 }
		END { exit !found || bad }' "$out/text"
}
record_is_cheap() {
	awk '/^a record asks for/ { found = 1; bad = $9 + 0 >= 2000; printf "%s us", $9 }
		END { exit !found || bad }' "$out/text"
}
verify_is_quick() {
	awk '/records .* verified in/ { found = 1; bad = $(NF - 1) + 0 > 1
			printf "%s s", $(NF - 1) }
		END { exit !found || bad }' "$out/text"
}
measure
is 'it runs every part' test $status = 0
is 'its JSON is JSON' sh -c 'for f in phases small suite ledger; do
	python3 -m json.tool "$1/gate-$f.json" /dev/null || exit 1; done' - "$out/gate"
is 'a record asks for one sync' grep -q '^a record asks for 1\.00 ' "$out/text"
timed 'a phase more is no dearer than a run and a half' phase_is_cheap
timed 'a record takes under 2 ms beside its sync' record_is_cheap
timed '10,000 records are verified in a second' verify_is_quick
echo "1..$n"
