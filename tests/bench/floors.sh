#!/bin/sh
# floors.sh -- the least of a limit under which a runner's hello-world suite
# still passes, by bisection, beside what its profile grants.
#
#	tests/bench/floors.sh [RUNNER...]
#
# CUPEL names the command; NODE_MODULES a node_modules directory that has jest
# and vitest; RUNTIME a prefix outside /usr that has cargo.  A runner that the
# machine lacks is said and left out.  A figure is the machine's: more CPUs mean
# more processes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
suites=$here/../data/suites
: "${CUPEL:=cupel}" "${NODE_MODULES:=}" "${RUNTIME:=}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# command_of RUNNER: what is run inside, and what it is run with
command_of() {
	options= script= clock=20 # Node hangs below its floors
	case $1 in
	pytest) script='pytest -q' ;;
	unittest) script='python3 -m unittest' ;;
	node-test) script='node --test' ;;
	automake) script='autoreconf -i >/dev/null 2>&1 &&
		./configure >/dev/null && make check' clock=60 ;;
	prove) script=prove ;;
	tap) script='sh hello.sh' ;;
	jest | vitest)
		script="node node_modules/.bin/$1"
		[ "$1" = jest ] || script='node node_modules/vitest/vitest.mjs run' ;;
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
	# shellcheck disable=SC2086
	"$CUPEL" run --profile "$runner" --repo "$work/$runner" --quiet \
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
	"$CUPEL" profile show "$1" | sed -n "s/^ *\"$2\": *\([^,]*\),*$/\1/p"
}

[ $# -gt 0 ] || set -- pytest unittest node-test jest vitest go-test cargo-test \
	ctest automake prove tap
mib=1048576
printf '%-11s %-13s %12s %12s\n' runner limit floor granted
for r in "$@"; do
	command_of "$r"
	mkdir -p "$work/$r"
	cp -R "$suites/$r/." "$work/$r/"
	if [ "$r" = jest ] || [ "$r" = vitest ]; then
		if [ ! -d "$NODE_MODULES/$r" ]; then
			echo "$r: NODE_MODULES has none"
			continue
		fi
		cp -R "$NODE_MODULES" "$work/$r/node_modules"
	fi
	chmod -R a+rX "$work"
	if ! passes "$r"; then
		echo "$r: does not pass as it stands, is it installed?"
		sed 's/^/	/' "$work/out" | tail -n 3
		continue
	fi
	printf '%-11s %-13s %12s %12s\n' \
		"$r" mem_bytes "$(floor "$r" mem-bytes $mib $((4096 * mib)) $((8 * mib)))" \
		"$(granted "$r" mem_bytes)" \
		"$r" data_bytes "$(floor "$r" data-bytes $mib $((4096 * mib)) $((8 * mib)))" \
		"$(granted "$r" data_bytes)" \
		"$r" as_bytes "$(floor "$r" as-bytes $mib $((65536 * mib)) $((64 * mib)))" \
		"$(granted "$r" as_bytes)" \
		"$r" pids_max "$(floor "$r" pids-max 0 512 1)" "$(granted "$r" pids_max)" \
		"$r" nofile "$(floor "$r" nofile 3 1024 1)" "$(granted "$r" nofile)" \
		"$r" scratch_bytes "$(floor "$r" scratch-bytes 0 $((1024 * mib)) $mib)" \
		"$(granted "$r" scratch_bytes)" \
		"$r" cpu_time_s "$(floor "$r" cpu-time-s 0 300 1)" \
		"$(granted "$r" cpu_time_s)"
done
