# network.sh -- what scoped egress costs: a start, a stream, short connections.
# usage: SRC= BUILD= OUT= sh tests/bench/network.sh ROUNDS
#
# As uid 65534 when root starts it.  First whole runs of /bin/true, interleaved:
# what scoped adds to loopback is promised to be 1 ms at its start.  Then the same
# client directly and in a vessel (network.py).
set -eu
rounds=$1
. "$SRC/tests/as.sh"
stage_for 65534
mkdir -p "$OUT"
as_user 65534 mkdir "$tmp/repo" "$tmp/out"
cp "$BUILD/tests/bench/traffic" "$BUILD/tests/bench/floor_relay" "$tmp/repo"
chmod 755 "$tmp/repo/traffic" "$tmp/repo/floor_relay"
cd "$tmp/repo"

status=0
as_user 65534 "$BUILD/tests/bench/measure" "$((rounds * 4))" \
	"$tmp/out/network-start" scoped/loopback \
	loopback "$BUILD/cupel" run --json --network loopback --- /bin/true -- \
	scoped "$BUILD/cupel" run --json --network scoped \
		--egress host.example:443 --- /bin/true || status=$?
as_user 65534 python3 "$SRC/tests/bench/network.py" "$rounds" "$tmp/repo" \
	"$tmp/out/network.json" || status=$?
cp "$tmp"/out/network*.json "$OUT"
exit $status
