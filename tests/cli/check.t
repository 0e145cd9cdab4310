#!/bin/sh
# What ./bootstrap check says of itself: how slow the machine is, and how many cases
# passed and failed; and what runs at the same time.
. "$SRC/tests/cli/lib.sh"
. "$SRC/tests/check.sh"

# The clock of slowness: 0, and END nanoseconds when its processes have ended; an END
# that ends in N is what a date(1) without nanoseconds always writes.
date() {
	case $END-${n:-0} in
	*N-* | *-200) echo "$END" ;;
	*) echo 0 ;;
	esac
}

slow() { # slow TIMES US -- processes that take so long are so many times slower
	END=$(($2 * 200000))
	[ "$(unset n; slowness)" = "$1" ]
	ok "a process takes $2 us: $1 times slower than usual"
}
slow 1 0
slow 1 999
slow 2 1000
slow 3 1950
slow 8 4000
slow 8 100000
END=5N
[ "$(unset n; slowness)" = 1 ]
ok "a clock without nanoseconds says nothing of that"

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

# The steps that measure time, each with what runs beside it.
(
	unset -f date
	say() { :; }
	configure_tree() { :; }
	compile() { :; }
	tests_in() { :; }
	fuzz() { :; }
	complaints() { :; }
	tally() { :; }
	beside() { beside=$2; }
	beside_ends() { beside=; }
	timed_in() { echo "$1: $beside"; }
	the_other_way() { [ "$2" != -F ] || echo "$1, user: $beside"; }
	checks=$work/steps CUPEL_TEST_SLOW=1
	check quick
) >"$work/timed" 2>&1
[ "$(cat "$work/timed")" = 'build: 
build/asan: 
build, user: ' ]
ok 'what measures time has the machine for itself'

finish
