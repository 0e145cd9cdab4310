#!/bin/sh
# What ./bootstrap check says of itself: how many cases passed and failed, and which rows
# were not the same each time.
. "$SRC/tests/cli/lib.sh"
. "$SRC/tests/check.sh"

counts() { # counts RC LINE WORD... -- of a file with a case for each word
	rc=$1 line=$2
	shift 2
	mkdir -p "$work/tests"
	printf ':test-result: %s a case\n' "$@" >"$work/tests/a.trs"
	trees=$work checks=$work/none
	mkdir -p "$work/none" "$work/adversarial"
	got=$(tally)
	[ $? = "$rc" ] && [ "$got" = "$line" ]
	ok "counted: $*"
}
counts 0 '2 passed, 0 failed' PASS XFAIL
counts 0 '1 passed, 0 failed, 1 skipped' PASS SKIP
for word in FAIL XPASS ERROR; do
	counts 1 '1 passed, 1 failed' PASS $word
done
counts 1 '0 passed, 0 failed, 1 skipped' SKIP

# rounds OTHER -- three rounds of a program with two rows, of which the second one ends
# in the second round as OTHER
rounds() {
	(
		say() { echo "$*"; }
		step() { shift; "$@"; }
		plain_build() { :; }
		suites() { echo tests/live/x.t; }
		jobs_count() { echo 2; }
		run_in() {
			end=PASS
			[ "$i" != 2 ] || end=$other
			printf ':test-result: PASS first, %s s\n:test-result: %s second\n' \
				"$i" $end >build/tests/live/x.trs
		}
		other=$1 checks=build/checks trees=build
		cd "$work" && mkdir -p build/tests/live build/adversarial
		again 3
	) >"$work/rounds" 2>&1
}
rounds PASS
grep -qx '0 rows were not the same in 3 rounds' "$work/rounds"
ok 'rows that are the same each time, whatever figures they print'
rounds FAIL
[ $? = 1 ] &&
	grep -qx 'tests/live/x.trs:2: FAIL in 1 of 3 rounds' "$work/rounds" &&
	grep -qx '2 rows were not the same in 3 rounds' "$work/rounds"
ok 'a row that failed once is named, and is a failure'

# Every part of check-all is a function, and help names each.
parts_of() {
	(. "$SRC/tests/check_all.sh"; echo $parts | tr ' ' '\n')
}
sh "$SRC/bootstrap" help >"$work/help"
for part in $(parts_of); do
	grep -q "^part_$part()" "$SRC/tests/check_all.sh" &&
		grep -qw "$part" "$work/help" || echo "$part"
done >"$work/lost"
sed -n 's/^[^#].* part=\([a-z]*\)$/\1/p' "$SRC/tests/tests.list" | sort -u |
	while read -r part; do
		parts_of | grep -qx "$part" || echo "$part"
	done >>"$work/lost"
[ ! -s "$work/lost" ]
ok 'every part of check-all can be run, and help names it'

finish
