# check.sh -- the tests that every change has to pass, and one line that counts them.
# Read by bootstrap.
# usage: check; again N
#
# A suite is one test program.  Automake's TAP driver leaves a .trs file with
# a line for each case.  A suite without a file, or without a case, did not run: that
# is a failure.  Nothing here compares times: a bound of time only ends what hangs.
# Everything that takes longer is in check_all.sh.
checks=build/checks # what the steps leave, beside the test programs
trees='build build/asan' # that tests run in
beside= # the process that builds beside the tests, if any
export PYTHONDONTWRITEBYTECODE=1 # nothing is left in the tree

# What reads hostile bytes, and so runs once more with ASan and UBSan: boundary,
# parsers, relay, the readers of options, specs and jobs, and every fuzzer's corpus.
# Those that read megabytes to show what that costs are in check-all's part asan.
hostile='^tests/(fuzz/|unit/(base|boundary|json|jobs|parsers|relay|spec|result)_)'
large='_(large|memory|intake)\.t$'
# What has to do with the kernel, and might go another way the next time.
live='^(tests/(live|fault|cli)|adversarial)/'

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

# suites DIR [EXPRESSION] -- the test programs of a build tree
suites() {
	make -s -C "$1" --no-print-directory print-tests | grep -E "${2:-.}"
}

hostile_suites() { suites build/asan "$hostile" | grep -vE "$large"; }

# make_quiet DIR TARGET... -- shows errors only
make_quiet() {
	make_in "$@" >"$1/make.out" 2>&1 && return
	grep -E 'error|warning|Error|undefined|No rule' "$1/make.out" |
		head -n 40 >&2
	return 1
}

# compile DIR [TARGET...] -- what is installed, and the test programs: all of `make
# check`, or those that are named
compile() {
	dir=$1
	shift
	[ $# -gt 0 ] || set -- check-programs
	make_quiet "$dir" && make_quiet "$dir" "$@"
}

# programs TEST... -- those that have to be built
programs() {
	for t; do
		[ -f "$top/$t" ] || echo "$t"
	done
}

# run_in DIR AT_ONCE TEST... -- run test programs of a build tree
run_in() {
	dir=$1 at_once=$2 bad=0
	shift 2
	for t; do rm -f "$dir/${t%.t}.trs"; done
	make -s -k -C "$dir" -j"$at_once" check TESTS="$*" >>"$dir/check.out" 2>&1 ||
		bad=1
	for t; do
		[ -s "$dir/${t%.t}.trs" ] || broken "$dir: $t did not run"
	done
	return $bad
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

# forget -- no result of an earlier check is counted
forget() {
	rm -rf "$checks"
	mkdir -p "$checks"
	for t in $trees; do
		find "$t/tests" "$t/adversarial" -name '*.trs' -exec rm -f {} + \
			2>/dev/null || :
		rm -f "$t/check.out"
	done
}

# beside COMMAND -- begin COMMAND beside the next step: tests wait a lot
beside() {
	"$@" >$checks/beside.out 2>&1 &
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

# beside_ends -- wait for it, and show what it said
beside_ends() {
	status=0
	wait "$beside" || status=$?
	beside=
	cat $checks/beside.out >&2
	return $status
}

plain_build() {
	configure_tree build --enable-werror 'CFLAGS=-O2 -g1'
	compile build
}

asan_configure() {
	configure_tree build/asan --enable-werror --disable-shared \
		--enable-sanitize=asan 'CFLAGS=-O1 -g1'
}

# Only what the sanitized tests are linked with: the command is not.  The programs that
# the library holds are never sanitized, and the filters are data: those of the plain
# build are taken.
asan_build() {
	asan_configure
	made='src/plan/filter_data.c src/boundary/metaschemas.inc'
	made="$made $(cd build && echo cupel-*.bin)"
	mkdir -p build/asan/src/plan build/asan/src/boundary
	for f in $made; do cp "build/$f" "build/asan/$f"; done
	set -- $(printf -- '-o %s ' $made)
	make_quiet build/asan "$@" built-sources &&
		make_quiet build/asan "$@" \
			$(programs $(hostile_suites))
}

# lint_selftest -- that each lint can fail: only when a lint or its test has changed
# since it was last seen, which tests/lint/selftest.seen says
lint_selftest() {
	seen=$(cat tests/lint/selftest.seen 2>/dev/null) || seen=
	now=$(cat $(git ls-files tests/lint 2>/dev/null | grep -vE '\.(seen|tbl)$') |
		cksum)
	[ "$seen" != "$now" ] || return 0
	say 'a lint has changed: its own test runs, too'
	run_in build 1 tests/lint/selftest.t &&
		say "it passed: write '$now' to tests/lint/selftest.seen"
}

check() {
	CUPEL_TIER=quick
	export CUPEL_TIER
	started=$(date +%s)
	forget
	trap 'beside_stops; exit 130' INT
	trap 'beside_stops; exit 143' TERM
	step 'plain build' plain_build || broken 'plain build'
	beside asan_build
	step 'plain tests' run_in build "$(($(jobs_count) * 3))" $(suites build) || :
	step 'the lints themselves' lint_selftest || :
	step 'what was built beside them' beside_ends || broken 'build/asan'
	step 'ASan and UBSan' run_in build/asan "$(($(jobs_count) * 3))" \
		$(hostile_suites) || :
	complaints
	say "$(($(date +%s) - started)) s in all; 480 are meant for two processors"
	tally
}

# again N -- run what has to do with the kernel N times, and name each row that was not
# the same each time
again() {
	CUPEL_TIER=quick
	export CUPEL_TIER
	forget
	step 'plain build' plain_build || die 'it does not build'
	i=0
	while [ $i -lt "$1" ]; do
		i=$((i + 1))
		step "round $i" run_in build "$(($(jobs_count) * 3))" \
			$(suites build "$live") || complaints
		(cd build && find tests adversarial -name '*.trs' |
			xargs grep -Hn '^:test-result:') |
			sed 's,^\([^:]*:[0-9]*\)::test-result: \([A-Z]*\).*,\1 \2,' |
			sort >"$checks/round.$i"
	done
	# A number of rounds in which the row had that end, its program and its line.
	cat "$checks"/round.* | sort | uniq -c |
		awk -v n="$1" '$1 != n { print $2 ": " $3 " in " $1 " of " n " rounds" }' \
			>"$checks/differ"
	cat "$checks/differ" >&2
	say "$(wc -l <"$checks/differ") rows were not the same in $1 rounds"
	[ ! -s "$checks/differ" ] || broken 'rows that are not the same each time'
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
