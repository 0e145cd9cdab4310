# fleet.sh -- what many workers do with a hundred thousand requests: a bench of
# the server alone, and a simulation.  Prints tables; leaves *.dat and fleet-*.svg
# in OUT.
# usage: SRC= BUILD= OUT= sh tests/fleet/fleet.sh CYCLES
#
# CYCLES requests go through the server for each row of its table.  CUPEL_MANY in
# the environment: how many requests are simulated.  Minutes, on one processor.
set -eu
cycles=$1
mkdir -p "$OUT"
here=$SRC/tests/fleet
export PYTHONDONTWRITEBYTECODE=1

rm -f "$OUT/server.dat"
if [ -x "$BUILD/tests/fleet/server" ] &&
	(PATH=$PATH:/usr/sbin; command -v nats-server) >/dev/null 2>&1; then
	python3 "$here/server.py" "$cycles" "$OUT"
	# The best of those with an answer of the usual size.
	us=$(awk -F '\t' 'NR > 1 && $2 < 60000 && $4 > best { best = $4 }
		END { printf "%.0f", 1e6 / best }' "$OUT/server.dat")
else
	us=500
	echo "fleet: no libnats or no nats-server: $us us a request are assumed" >&2
fi
echo "one request keeps the server busy for $us us"
python3 "$here/simulate.py" "$OUT" "$us" ${CUPEL_MANY:+"$CUPEL_MANY"}
if command -v gnuplot >/dev/null 2>&1; then
	(cd "$OUT" && gnuplot "$here/fleet.gp")
	echo "plots: $OUT/fleet-backlog.svg fleet-queue.svg fleet-day.svg"
fi
