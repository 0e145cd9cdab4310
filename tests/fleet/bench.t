#!/bin/sh
# The fleet bench runs, for a hundredth of its requests, and its figures agree.
set -u
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
n=0
is() { # is NAME COMMAND...
	n=$((n + 1)) name=$1
	shift
	if "$@"; then echo "ok $n - $name"; else echo "not ok $n - $name"; fi
}

OUT=$out CUPEL_MANY=1000 sh "$SRC/tests/fleet/fleet.sh" 200 >"$out/text" 2>&1
status=$?
sed 's/^/# /' "$out/text"
is 'it runs' test $status = 0
cell() { # cell FILE ROW COLUMN -- of the row that begins so
	awk -v row="$2" -v column="$3" '$1 == row { print $column }' "$out/$1"
}
less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 < b + 0) }'; }
is 'two workers end a backlog before one does' \
	less "$(cell backlog-fast.dat 2 2)" "$(cell backlog-fast.dat 1 2)"
is 'slow requests take their time' \
	less "$(cell backlog-fast.dat 8 2)" "$(cell backlog-slow.dat 8 2)"
is 'one that always fails becomes a dead letter' \
	less 0 "$(cell troubles.dat poison_1 9)"
is 'one that kills its worker does, too' \
	test "$(cell troubles.dat five_that_kill 9)" = 5
is 'and nothing else does' test "$(cell troubles.dat losses_10 9)" = 0
echo '{"id": "a", "duration_ms": 3600}' >"$out/answers"
PYTHONDONTWRITEBYTECODE=1 python3 "$SRC/tests/fleet/simulate.py" "$out" 0 1000 \
	"$out/answers" >/dev/null
is 'a thousand requests as long as those of a file take a thousand times as long' \
	test "$(cell backlog-own.dat 1 2)" = 1
if command -v gnuplot >/dev/null 2>&1; then
	for plot in backlog day queue; do
		is "it draws $plot" grep -q '<svg' "$out/fleet-$plot.svg"
	done
else
	n=$((n + 1))
	echo "ok $n - it draws # SKIP gnuplot is not installed"
fi
if [ -s "$out/server.dat" ]; then
	is 'a larger answer is stored less often in a second' \
		less "$(awk '$2 == 900000 { print $4 }' "$out/server.dat")" \
			"$(awk '$1 == 16 && $2 < 60000 { print $4 }' "$out/server.dat")"
	is 'the server used processor time for each' \
		test "$(awk 'NR > 1 && $5 > 0' "$out/server.dat" | wc -l)" = 7
else
	n=$((n + 1))
	echo "ok $n - the server alone # SKIP no libnats or no nats-server"
fi
echo "1..$n"
