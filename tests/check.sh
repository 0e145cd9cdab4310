# check.sh -- every suite, and one line that counts them.  Read by bootstrap.
# usage: check quick|full
#
# A suite is one test program.  Automake's TAP driver leaves a .trs file with
# a line for each case; the second pass, as an unprivileged user, and the
# fuzzers are run by tests/pass.sh and tests/fuzz/run.sh, which leave files of
# the same form.  A suite without a file, or without a case, did not run: that
# is a failure.
others=65534 # the unprivileged user of the second pass
left_out='^$' # an expression: test programs that are not run
checks=build/checks # what the steps leave, beside the test programs
trees='build build/asan' # that tests run in
beside= # the process that builds beside the tests, if any
export PYTHONDONTWRITEBYTECODE=1 # nothing is left in the tree

# step TITLE COMMAND... -- run it, say how long it took; keeps the status
step() {
	title=$1 began=$(date +%s)
	shift
	status=0
	"$@" || status=$?
	say "$title: $(($(date +%s) - began)) s$([ $status = 0 ] || echo ', FAILED')"
	return $status
}

# broken NAME -- count one failure that no test program could report
broken() {
	printf ':test-result: FAIL %s\n' "$1" >>"$checks/steps.trs"
	say "FAILED: $1"
}

# slowness -- how many times slower than usual this machine is, 1 to 8: usually a process
# takes half a millisecond.  Tests wait so many times longer for what another process
# has to do (tests/live/lib.py), and believe a record that says that a clock ended it.
slowness() {
	began=$(date +%s%N) n=0
	case $began in *N*) echo 1; return ;; esac
	while [ $n -lt 200 ]; do
		/bin/true
		n=$((n + 1))
	done
	times=$((($(date +%s%N) - began) / 200 / 500000))
	[ $times -ge 1 ] || times=1
	[ $times -le 8 ] || times=8
	echo $times
}

# suites DIR -- the test programs of a build tree
suites() {
	make -s -C "$1" --no-print-directory print-tests | grep -vE "$left_out"
}

# compile DIR -- everything in it, the test programs too; shows errors only
compile() {
	{ make_in "$1" && make_in "$1" check-programs; } >"$1/make.out" 2>&1 && return
	grep -E 'error|warning|Error|undefined|No rule' "$1/make.out" |
		head -n 40 >&2
	return 1
}

# tests_in DIR MORE -- build and run what `make check` runs there, but for what measures
# time; MORE at once than there are processors
tests_in() {
	find "$1/tests" "$1/adversarial" -name '*.trs' -exec rm -f {} + \
		2>/dev/null || :
	compile "$1" || {
		broken "build in $1"
		return 1
	}
	run_in "$1" -v "$(($(jobs_count) + $2))"
}

# timed_in DIR -- run what measures time, one at a time; nothing may run beside it
timed_in() {
	run_in "$1" -F 1
}

# timed DIR -- the tests that measure time
timed() {
	make -s -C "$1" --no-print-directory print-timed
}

# run_in DIR OPTION AT_ONCE -- run test programs of a build tree.  OPTION is grep's, with
# the list of tests that measure time: -F runs those, -v all others.
run_in() {
	bad=0
	ours=$(suites "$1" | grep "$2" -xF "$(timed "$1")")
	make -s -k -C "$1" -j"$3" check TESTS="$(echo "$ours" | tr '\n' ' ')" \
		>"$1/check$2.out" 2>&1 || bad=1
	for t in $ours; do
		[ -s "$1/${t%.t}.trs" ] || broken "$1: $t did not run"
	done
	return $bad
}

# one_way DIR -- the tests that depend on the kernel and ran as root only.  Many
# tests run each case as root and as a user by themselves: the output of their first
# pass shows it.
one_way() {
	suites "$1" | grep -E '^(tests/(live|fault|cli)|adversarial)/' |
	while read -r t; do
		grep -qE '\[user\]|uid 65534|^(not )?ok [0-9]+ - user: ' \
			"$1/${t%.t}.log" || echo "$t"
	done
}

# the_other_way DIR OPTION -- as root: run tests once more as an unprivileged user.
# OPTION is grep's, with the list of tests that measure time: -F runs those, one at
# a time, because they need the machine for themselves; -v runs all others, two at a
# time.
the_other_way() {
	[ "$(id -u)" = 0 ] || {
		say 'not root: the tests ran as this user only'
		printf ':test-result: SKIP launched by root\n' \
			>>"$checks/steps.trs"
		return 0
	}
	at_once=2
	[ "$2" != -F ] || at_once=1
	SRC=$top BUILD=$top/$1 OUT=$top/$checks/user AT_ONCE=$at_once \
		sh tests/pass.sh "$others" \
		$(one_way "$1" | grep "$2" -xF "$(timed "$1")")
}

# shipped -- releases, packages, containers: what takes minutes each
shipped() {
	SRC=$top BUILD=$top/build OUT=$top/$checks/kit sh tests/pass.sh \
		"$(id -u)" \
		$(make -s -C build --no-print-directory print-kit-tests)
}

# clang_reads HOOKS LEAST -- let clang check the C files that are named on stdin, at
# least so many, for warnings, without writing object files.  The settings are those of
# the plain build, which has found the libraries.
clang_reads() {
	hooks=$1 least=$2
	cat >$checks/clang.files
	[ "$(wc -l <$checks/clang.files)" -ge "$least" ] || return 1
	eval "set -- $(sed -n 's/^\(CUPEL_CFLAGS\|DEFS\|[A-Z0-9_]*_CFLAGS\) = //p' \
		build/Makefile | sed 's/\$([A-Z_]*)//g' | tr '\n' ' ')"
	xargs -n 25 -P "$(jobs_count)" clang -fsyntax-only "$@" "$hooks" -Isrc \
		-Ibuild/src -Itests -Itests/unit <$checks/clang.files
}

# hooked -- the C files of src that say something else without the tests' hooks: they
# name the macro, or include a header that does
hooked() {
	headers=$(grep -rl --include='*.h' CUPEL_TEST_HOOKS src | sed 's,^src/,,' |
		paste -sd '|' -)
	grep -rlE --include='*.c' "CUPEL_TEST_HOOKS|^#include \"($headers)\"" src
}

# In the full tier clang builds everything.  Otherwise it only checks the sources with
# the tests' hooks, and as they are installed where that is another text.  The fuzzers
# are built later.
clang_is_content() {
	if [ "$CUPEL_TIER" = full ]; then
		configure_tree build/clang --enable-werror --disable-shared \
			CC=clang 'CFLAGS=-O0'
		compile build/clang
	else
		find src tests adversarial -name '*.c' |
			clang_reads -DCUPEL_TEST_HOOKS 800 &&
			hooked | clang_reads -UCUPEL_TEST_HOOKS 80
	fi
}

# complaints -- what failed, with the notes of its test program
complaints() {
	grep -lE '^:test-result: (FAIL|XPASS|ERROR)' $(results) /dev/null |
	while read -r trs; do
		log=${trs%.trs}.log
		echo "== ${trs%.trs}"
		grep -E '^:test-result: (FAIL|XPASS|ERROR)' "$trs" | head -n 20
		[ ! -f "$log" ] || grep -E -e '^(#|not ok|ERROR|Bail)|[Ss]anitizer' \
			-e '^(  File|[A-Za-z.]+(Error|Exit|Exception):)' "$log" |
			head -n 40
	done >&2
}

results() {
	for t in $trees; do
		find "$t/tests" "$t/adversarial" -name '*.trs' 2>/dev/null || :
	done
	find "$checks" -name '*.trs'
}

# beside NICE COMMAND -- begin COMMAND beside the next step.  With NICE 19 it gets the
# processor time that tests leave over, and they wait a lot.
beside() {
	nice=$1
	shift
	(
		renice -n "$nice" -p "$(exec sh -c 'echo $PPID')" >/dev/null
		"$@"
	) >$checks/beside.out 2>&1 &
	beside=$!
}

# tree_of PID -- it and what came of it
tree_of() {
	echo "$1"
	for child in $(ps -o pid= --ppid "$1"); do
		tree_of "$child"
	done
}

# beside_stops -- what is begun by `&` ignores an interrupt
beside_stops() {
	[ -z "$beside" ] || kill $(tree_of "$beside") 2>/dev/null || :
}

# beside_ends TITLE -- wait for it, and show what it said
beside_ends() {
	step "$1" wait "$beside" || :
	beside=
	cat $checks/beside.out >&2
}

asan_build() {
	configure_tree build/asan --enable-werror --disable-shared \
		--enable-sanitize=asan 'CFLAGS=-O1 -g1'
	compile build/asan
}

fuzz() {
	SRC=$top BUILD=$top/build OUT=$top/$checks/fuzz \
		nice -n 10 sh tests/fuzz/run.sh "$@"
}

# The cases that take seconds, on another kernel: qemu emulates, which is one
# processor's work; the fuzzers have their time whoever runs beside.
vm_quick() {
	SRC=$top BUILD=$top/build OUT=$top/$checks/vm sh tests/pass.sh \
		"$(id -u)" tests/vm/quick.t
}

# Alone, when all else has ended: 0.80 of bwrap, 1.85 of the bare floor.
start_is_held() {
	SRC=$top BUILD=$top/build OUT=$top/$checks/startup \
		sh tests/bench/held.sh 400 0.80 1.85
}

# Alone too.  Not what is aimed at, but what there is (docs/copies.md).
batch_is_held() {
	SRC=$top BUILD=$top/build OUT=$top/$checks/batch \
		sh tests/bench/batch.sh 30 1.30 0.14
}

clang_and_fuzz_build() {
	step 'clang -Werror' clang_is_content || broken 'clang -Werror'
	fuzz --build
	sh tests/vm/run 6.1 - || : # the kernel; quick.t says if there is none
}

check() { # check TIER
	CUPEL_TIER=$1
	[ "$1" != full ] || CUPEL_TEST_SECONDS=5400
	export CUPEL_TIER
	[ "$1" != full ] || export CUPEL_TEST_SECONDS
	started=$(date +%s)
	CUPEL_TEST_SLOW=${CUPEL_TEST_SLOW:-$(slowness)}
	export CUPEL_TEST_SLOW
	[ "$CUPEL_TEST_SLOW" = 1 ] ||
		say "this machine is slow: tests wait $CUPEL_TEST_SLOW times as long"
	rm -rf "$checks"
	mkdir -p "$checks"
	trap 'beside_stops; exit 130' INT
	trap 'beside_stops; exit 143' TERM
	configure_tree build --enable-werror 'CFLAGS=-O2 -g1'
	step 'plain build' compile build || :
	beside 19 asan_build
	step 'plain tests' tests_in build 1 || :
	beside_ends 'what was built beside them'
	step 'and what measures time' timed_in build || :
	beside 19 clang_and_fuzz_build
	# That each attack can succeed is shown by the plain build's controls, and
	# who launches makes no difference to the parsers.
	export CUPEL_CONTROLS=no
	step 'ASan and UBSan' tests_in build/asan 1 || :
	unset CUPEL_CONTROLS
	step 'as an unprivileged user' the_other_way build -v ||
		broken 'the pass as an unprivileged user'
	beside_ends 'what was built beside them'
	export CUPEL_CONTROLS=no
	step 'what measures time, ASan and UBSan' timed_in build/asan || :
	unset CUPEL_CONTROLS
	step 'what measures time, unprivileged' the_other_way build -F ||
		broken 'the timed tests as an unprivileged user'
	beside 0 vm_quick
	step 'fuzz' fuzz || broken 'fuzz'
	beside_ends 'on another kernel'
	[ -s $checks/vm/tests/vm/quick.trs ] || broken 'on another kernel'
	[ "$1" != full ] || step 'what is shipped' shipped ||
		broken 'what is shipped'
	[ "$1" != full ] || step 'what a start costs' start_is_held ||
		broken 'what a start costs'
	[ "$1" != full ] || step 'what a batch costs' batch_is_held ||
		broken 'what a batch costs'
	complaints
	say "$(($(date +%s) - started)) s in all"
	tally
}

tally() {
	cat $(results) | awk '
		$1 != ":test-result:" { next }
		$2 == "PASS" || $2 == "XFAIL" { passed++; next }
		$2 == "SKIP" { skipped++; next }
		{ failed++ }
		END {
			printf "%d passed, %d failed", passed, failed
			if (skipped) printf ", %d skipped", skipped
			print ""
			exit failed > 0 || passed == 0
		}'
}
