# gate.sh -- what a gate adds to its phases, what a phase adds to a run, what a
# record costs.
# usage: SRC= BUILD= OUT= sh tests/bench/gate.sh ROUNDS
#
# As uid 65534 when root starts it; everything interleaved in random order.
#   phases	one, two and four phases of /bin/true against a run of it: the root,
#		the overlay and the scratch are made once, namespaces for each phase
#   attempt	cupel gate run over two phases of /bin/true with a trace, judged by
#		build, trace and policy, against cupel run of the same two phases.
#		Promised: under 60 ms
#   suite	the same over a suite of seconds. Promised: under 3%
#   ledger	a record with its sync, and 10,000 that are verified. Promised: under
#		2 ms and 0.2 s
set -eu
rounds=$1
. "$SRC/tests/as.sh"
mkdir -p "$OUT"
suites=$OUT/suites
. "$SRC/tests/bench/suites.sh"
make_ctest || { echo 'gate: no test programs here' >&2; exit 2; }
stage_for 65534
cp -R "$suites/ctest" "$tmp/suite"
mkdir "$tmp/small" "$tmp/ledger"
echo '{"name": "app", "version": "1.0.0"}' >"$tmp/small/package.json"
cp "$tmp/small/package.json" "$tmp/suite"
[ "$(id -u)" != 0 ] || chown -R 65534:65534 "$tmp"
rules=$(grep -m1 -o 'blake3:[0-9a-f]\{64\}' "$SRC/profiles/gates/shipped.yaml")

# phases_write NAME N COMMAND... -- a request of N phases over $tmp/NAME
phases_write() {
	name=$1 n=$2
	shift 2
	{
		printf '{"repo": "%s", "phases": [' "$tmp/$name"
		for i in $(seq "$n"); do
			[ "$i" = 1 ] || printf ', '
			printf '{"name": "p%d", "profile": "test", "report": "none", ' "$i"
			printf '"trace": "exec,connect", "wall_time_s": 300, '
			printf '"cpu_time_s": 300, "command": %s}' "$1"
			[ $# = 1 ] || shift
		done
		printf ']}\n'
	} >"$tmp/$name$n.json"
}

# gate_write NAME FIRST SECOND -- the same two phases, as a gate
gate_write() {
	cat >"$tmp/$1.yaml" <<-END
	gates:
	  $1:
	    phases:
	      - {name: p1, profile: test, report: none, trace: "exec,connect",
	         wall_time_s: 300, cpu_time_s: 300, command: $2}
	      - {name: p2, profile: test, report: none, trace: "exec,connect",
	         wall_time_s: 300, cpu_time_s: 300, command: $3}
	    signals:
	      build: {phase: p2}
	      trace: {}
	      policy: {blake3: "$rules"}
	    required: [build, trace, policy]
	END
}

cupel=$BUILD/cupel
cupel_gate() { # cupel_gate VERB NAME -- its first words
	echo "$cupel gate $1 --quiet --worktree $tmp/$2 --catalogue $tmp/$2.yaml"
}

measure() { as_user 65534 "$BUILD/tests/bench/measure" "$@"; }

# against NAME ROUNDS -- the gate against its phases, bare
against() {
	as_user 65534 $(cupel_gate baseline "$1") "$1" "$tmp/$1.base"
	measure "$2" "$tmp/gate-$1" gate/phases \
		phases "$cupel" run --json --spec "$tmp/${1}2.json" -- \
		gate $(cupel_gate run "$1") --json --baseline "$tmp/$1.base" \
			--state "$tmp/$1.state" "$1"
	cp "$tmp/gate-$1.json" "$tmp/gate-$1.dat" "$OUT"
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# added FILE -- the median of what is added within a round, and of the phases alone
added() {
	echo "$(grep -v '^#' "$1" | awk '{ print $3 - $2 }' | median)" \
		"$(grep -v '^#' "$1" | awk '{ print $2 }' | median)"
}

true='["/bin/true"]'
suite='["sh", "-c", "for t in ./*.t; do $t >/dev/null 2>&1 || exit 1; done"]'
for n in 1 2 4; do phases_write small "$n" "$true"; done
gate_write small "$true" "$true"
phases_write suite 2 "$true" "$suite"
gate_write suite "$true" "$suite"
cd "$tmp/small"

echo '== phases of /bin/true against a run of it'
measure "$((rounds * 3))" "$tmp/gate-phases" p1/run,p2/run,p4/run \
	run "$cupel" run --json --profile test --report none \
		--repo-mode overlay --trace exec,connect --- /bin/true -- \
	p1 "$cupel" run --json --spec "$tmp/small1.json" -- \
	p2 "$cupel" run --json --spec "$tmp/small2.json" -- \
	p4 "$cupel" run --json --spec "$tmp/small4.json"
grep -v '^#' "$tmp/gate-phases.dat" |
	awk '{ print ($5 - $3) / 3 / $2 }' | median |
	awk '{ printf "a phase more: %.2f of a run\n", $1 }'
cp "$tmp/gate-phases.json" "$tmp/gate-phases.dat" "$OUT"

echo '== an attempt without a suite'
against small "$rounds"
added "$tmp/gate-small.dat" |
	awk '{ printf "the gate adds %.1f ms to %.1f ms (promised: under 60): %s\n",
		$1 / 1e3, $2 / 1e3, $1 < 60000 ? "kept" : "NOT kept" }'

echo '== an attempt with a suite'
against suite "$(((rounds + 3) / 4))"
added "$tmp/gate-suite.dat" |
	awk '{ printf "the gate adds %.1f ms to %.1f ms, %.1f%% (promised: under 3%%): %s\n",
		$1 / 1e3, $2 / 1e3, 100 * $1 / $2,
		$1 < 0.03 * $2 ? "kept" : "NOT kept" }'

echo '== the ledger'
as_user 65534 "$BUILD/tests/bench/ledger" "$((rounds * 10))" "$tmp/ledger" \
	"$tmp/gate-ledger"
cp "$tmp/gate-ledger.json" "$OUT"
