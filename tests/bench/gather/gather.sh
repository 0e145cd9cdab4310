# gather.sh -- what a gather costs.  Prints tables; leaves gather.json,
# gather.dat and gather.svg in OUT.
# usage: SRC= BUILD= OUT= sh tests/bench/gather/gather.sh ROUNDS
#
# As uid 65534 when root starts it, see bench.py for the contenders.
set -eu
rounds=$1
. "$SRC/tests/as.sh"
stage_for 65534
mkdir -p "$OUT"
command -v bwrap >/dev/null ||
	echo 'gather: bwrap is not installed: no peer (./bootstrap deps bench)' >&2
# In memory: what a disk takes for the run record's fdatasync is the disk's.
shm=$(mktemp -d /dev/shm/cupel-bench.XXXXXX)
trap 'rm -rf "$shm"; stage_done' EXIT
[ "$(id -u)" != 0 ] || chown 65534:65534 "$shm"
as_user 65534 env TMPDIR="$shm" \
	python3 "$SRC/tests/bench/gather/bench.py" "$rounds" "$shm/out"
cp "$shm/out/gather.json" "$shm/out/gather.dat" "$OUT"
if command -v gnuplot >/dev/null 2>&1; then
	(cd "$OUT" && gnuplot "$SRC/tests/bench/gather/gather.gp")
	echo "plot: $OUT/gather.svg"
fi
