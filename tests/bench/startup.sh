# startup.sh -- what it costs to start and end a run.  Prints a table; leaves
# startup.json, startup.dat and startup.svg in OUT.
# usage: SRC= BUILD= OUT= sh tests/bench/startup.sh ROUNDS
#
# As uid 65534 when root starts it, from a small directory of that user's own.
# The command is /bin/true; the contenders, interleaved in random order:
#   none	posix_spawn of it
#   floor	bare clone3 of all seven namespaces, id maps, exec of it
#   bwrap	every namespace, /usr read-only, proc, dev, tmpfs; no filter, no
#		limits, no capture, no result
#   cupel	cupel run --json, default profile, all of it
set -eu
rounds=$1
. "$SRC/tests/as.sh"
real_build=$BUILD
stage_for 65534
mkdir -p "$OUT"
as_user 65534 sh -c 'mkdir "$TMPDIR/repo" && echo "int x;" >"$TMPDIR/repo/x.c"'
cd "$tmp/repo"

bwrap=$(command -v bwrap) || {
	echo 'startup: bwrap is not installed (./bootstrap deps bench)' >&2
	exit 2
}
links=
for d in bin sbin lib lib32 lib64; do # as the host has them
	[ ! -h "/$d" ] || links="$links --symlink usr/$d /$d"
	[ -h "/$d" ] || [ ! -d "/$d" ] || links="$links --ro-bind /$d /$d"
done

status=0
as_user 65534 "$BUILD/tests/bench/measure" "$rounds" "$tmp/startup" \
	cupel/bwrap,cupel/floor,cupel/none,bwrap/floor \
	none /bin/true -- \
	floor "$BUILD/tests/bench/floor" /bin/true -- \
	bwrap "$bwrap" --unshare-all --ro-bind /usr /usr $links \
		--proc /proc --dev /dev --tmpfs /tmp /bin/true -- \
	cupel "$BUILD/cupel" run --json --- /bin/true || status=$?
[ $status = 0 ] || exit $status
cp "$tmp/startup.json" "$tmp/startup.dat" "$OUT"
if command -v gnuplot >/dev/null 2>&1; then
	(cd "$OUT" && gnuplot "$SRC/tests/bench/startup.gp")
	echo "plot: $OUT/startup.svg"
fi
