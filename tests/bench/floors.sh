#!/bin/sh
# floors.sh -- the least of a limit under which a runner's hello-world suite
# still passes, by bisection, beside what its profile grants.
#
#	tests/bench/floors.sh [RUNNER...]
#
# CUPEL names the command; NODE_MODULES a node_modules directory that has jest,
# vitest and mocha; XDIST a directory of Python packages that has pytest-xdist;
# RUNTIME a prefix outside /usr that has cargo.  A runner that the machine lacks is
# said and left out.  A figure is the machine's: more CPUs mean more processes.
# LIMITS names those to measure ("pids_max nofile"; default: all).
# xdist-8, jest-8, vitest-8, mocha-8 and ctest-8 have eight workers and more files
# than that; make-8 is make -j 8, each recipe a shell and a sleep, under the profile
# test.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
suites=$here/../data/suites
: "${CUPEL:=cupel}" "${NODE_MODULES:=}" "${RUNTIME:=}" "${XDIST:=}"
: "${LIMITS:=mem_bytes data_bytes as_bytes pids_max nofile scratch_bytes cpu_time_s}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# command_of RUNNER: what is run inside, and what it is run with
command_of() {
	options= script= clock=20 # Node hangs below its floors
	profile=$1 suite=$1
	case $1 in
	pytest) script='pytest -q' ;;
	xdist-8) script='pytest -q -n 8' profile=pytest suite=pytest
		options="--ro $XDIST:/xdist
			--env PYTHONPATH=/repo:/etc/cupel:/xdist" ;;
	jest-8) script='node node_modules/.bin/jest --maxWorkers 8'
		profile=jest suite=jest clock=120 ;;
	mocha-8) script='node node_modules/.bin/mocha --parallel --jobs 8'
		profile=mocha suite=mocha clock=120 ;;
	vitest-8) script='VITEST_MAX_THREADS=8 VITEST_MAX_FORKS=8 VITEST_MAX_WORKERS=8 \
			node node_modules/vitest/vitest.mjs run'
		profile=vitest suite=vitest clock=120 ;;
	ctest-8) script='cmake -S . -B /scratch/b >/dev/null &&
		cmake --build /scratch/b >/dev/null &&
		ctest -j 8 --test-dir /scratch/b' profile=ctest suite=ctest clock=60 ;;
	make-8) script='make -s -j 8 -f /repo/many.mk' profile=test suite= ;;
	unittest) script='python3 -m unittest' ;;
	node-test) script='node --test' ;;
	automake) script='autoreconf -i >/dev/null 2>&1 &&
		./configure >/dev/null && make check' clock=60 ;;
	prove) script=prove ;;
	tap) script='sh hello.sh' ;;
	jest | vitest | mocha)
		script="node node_modules/.bin/$1"
		[ "$1" != vitest ] || script='node node_modules/vitest/vitest.mjs run' ;;
	go-test) script='go test ./...' clock=120 ;;
	cargo-test)
		script='cargo test'
		[ -z "$RUNTIME" ] || options="--runtime $RUNTIME" ;;
	ctest) script='cmake -S . -B /scratch/b >/dev/null &&
		cmake --build /scratch/b >/dev/null && ctest --test-dir /scratch/b' ;;
	*) echo "floors.sh: no runner $1" >&2; exit 2 ;;
	esac
}

# passes RUNNER OPTION...: whether the suite does
passes() {
	runner=$1
	shift
	case ${1:-} in --pids-max | '') ;; *) set -- --pids-max 512 "$@" ;; esac
	# shellcheck disable=SC2086
	"$CUPEL" run --profile "$profile" --repo "$work/$runner" --quiet \
		--wall-time-s "$clock" --cpu-time-s 300 $options "$@" -- \
		sh -c "$script" >"$work/out" 2>&1
}

# floor RUNNER OPTION LOW HIGH STEP: the least multiple of STEP that passes,
# LOW being known to fail and HIGH to pass
floor() {
	low=$3 high=$4
	if ! passes "$1" "--$2" "$high"; then
		echo "-"
		return
	fi
	while [ $((high - low)) -gt "$5" ]; do
		mid=$(((low + high) / 2 / $5 * $5))
		[ "$mid" -gt "$low" ] || mid=$((low + $5))
		if passes "$1" "--$2" "$mid"; then high=$mid; else low=$mid; fi
	done
	echo "$high"
}

granted() {
	"$CUPEL" profile show "$profile" | sed -n "s/^ *\"$1\": *\([^,]*\),*$/\1/p"
}

# make_many FILE: a makefile of 40 targets
make_many() {
	{
		echo "all: $(seq -s ' ' -f 't%g' 40)"
		printf 't%%:\n\tsleep 0.1; :\n'
	} >"$1"
}

# files_more DIR: nine more copies of each of its test files
files_more() {
	for file in "$1"/*.test.* "$1"/test/*.*; do
		[ ! -f "$file" ] || for i in 1 2 3 4 5 6 7 8 9; do
			cp "$file" "${file%/*}/more$i${file##*/}"
		done
	done
}

# measure RUNNER LIMIT LOW HIGH STEP
measure() {
	case " $LIMITS " in *" $2 "*) ;; *) return 0 ;; esac
	option=$(echo "$2" | tr _ -)
	printf '%-11s %-13s %12s %12s\n' "$1" "$2" \
		"$(floor "$1" "$option" "$3" "$4" "$5")" "$(granted "$2")"
}

[ $# -gt 0 ] || set -- pytest xdist-8 unittest node-test jest jest-8 vitest vitest-8 \
	mocha mocha-8 go-test cargo-test ctest ctest-8 automake prove tap make-8
mib=1048576
printf '%-11s %-13s %12s %12s\n' runner limit floor granted
for r in "$@"; do
	command_of "$r"
	mkdir -p "$work/$r"
	[ -z "$suite" ] || cp -R "$suites/$suite/." "$work/$r/"
	[ -n "$suite" ] || make_many "$work/$r/many.mk"
	case $suite in
	jest | vitest | mocha)
		if [ ! -d "$NODE_MODULES/$suite" ]; then
			echo "$r: NODE_MODULES has none"
			continue
		fi
		cp -R "$NODE_MODULES" "$work/$r/node_modules"
		case $r in *-8) files_more "$work/$r" ;; esac ;;
	esac
	[ "$r" != ctest-8 ] || for i in 1 2 3 4 5 6 7 8 9; do
		echo "add_test(NAME more$i COMMAND sleep 0.3)"
	done >>"$work/$r/CMakeLists.txt"
	chmod -R a+rX "$work"
	if ! passes "$r"; then
		echo "$r: does not pass as it stands, is it installed?"
		sed 's/^/	/' "$work/out" | tail -n 3
		continue
	fi
	measure "$r" mem_bytes $mib $((4096 * mib)) $((8 * mib))
	measure "$r" data_bytes $mib $((4096 * mib)) $((8 * mib))
	measure "$r" as_bytes $mib $((65536 * mib)) $((64 * mib))
	measure "$r" pids_max 0 512 1
	measure "$r" nofile 3 1024 1
	measure "$r" scratch_bytes 0 $((1024 * mib)) $mib
	measure "$r" cpu_time_s 0 300 1
done
