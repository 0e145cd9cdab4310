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
# xdist-8 and jest-8 have eight workers; make-8 is make -j 8, each recipe a shell
# and a sleep, under the profile test.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
suites=$here/../data/suites
: "${CUPEL:=cupel}" "${NODE_MODULES:=}" "${RUNTIME:=}" "${XDIST:=}"
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

[ $# -gt 0 ] || set -- pytest xdist-8 unittest node-test jest jest-8 vitest mocha \
	go-test cargo-test ctest automake prove tap make-8
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
		[ "$r" != jest-8 ] || for i in 1 2 3 4 5 6 7 8 9; do
			cp "$suites/jest/hello.test.js" "$work/$r/more$i.test.js"
		done ;;
	esac
	chmod -R a+rX "$work"
	if ! passes "$r"; then
		echo "$r: does not pass as it stands, is it installed?"
		sed 's/^/	/' "$work/out" | tail -n 3
		continue
	fi
	printf '%-11s %-13s %12s %12s\n' \
		"$r" mem_bytes "$(floor "$r" mem-bytes $mib $((4096 * mib)) $((8 * mib)))" \
		"$(granted mem_bytes)" \
		"$r" data_bytes "$(floor "$r" data-bytes $mib $((4096 * mib)) $((8 * mib)))" \
		"$(granted data_bytes)" \
		"$r" as_bytes "$(floor "$r" as-bytes $mib $((65536 * mib)) $((64 * mib)))" \
		"$(granted as_bytes)" \
		"$r" pids_max "$(floor "$r" pids-max 0 512 1)" "$(granted pids_max)" \
		"$r" nofile "$(floor "$r" nofile 3 1024 1)" "$(granted nofile)" \
		"$r" scratch_bytes "$(floor "$r" scratch-bytes 0 $((1024 * mib)) $mib)" \
		"$(granted scratch_bytes)" \
		"$r" cpu_time_s "$(floor "$r" cpu-time-s 0 300 1)" \
		"$(granted cpu_time_s)"
done
