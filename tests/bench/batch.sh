# batch.sh -- how many runs a batch makes in a second.  Prints a table; leaves
# batch.json and batch.dat in OUT.
# usage: SRC= BUILD= OUT= sh tests/bench/batch.sh ROUNDS [BWRAP NONE]
#
# As uid 65534 when root starts it.  Each contender makes RUNS runs of /bin/true
# at two places; a round has each of them once, in random order:
#   none	posix_spawn of it
#   bwrap	as in startup.sh: every namespace, no filter, no limits, no
#		capture, no result
#   batch	cupel batch --jobs 2: all of it, each answer read and looked at
# The ratios are of rates, and of pairs within a round: bwrap/batch 4 means that
# the batch makes four runs in the time of one of bwrap's.
# With CUPEL_LEAST=yes there are more: what the system calls alone cost (least.c),
# with a network namespace of each one's own (least) and without (least-net); four
# at once, because a batch does not wait for the ends of two.
# With BWRAP and NONE it fails when these are not reached: BWRAP times bwrap, and
# NONE of bare posix_spawn.
set -eu
rounds=$1
runs=${CUPEL_RUNS:-300}
. "$SRC/tests/as.sh"
stage_for 65534
mkdir -p "$OUT"
as_user 65534 sh -c 'mkdir "$TMPDIR/repo" && echo "int x;" >"$TMPDIR/repo/x.c"'
cd "$tmp/repo"
as_user 65534 awk -v n="$runs" 'BEGIN {
	for (i = 1; i <= n; i++)
		printf "{\"id\":\"%d\",\"command\":[\"/bin/true\"]}\n", i
	}' >"$tmp/lines"
chmod a+r "$tmp/lines"

bwrap=$(command -v bwrap) || {
	echo 'batch: bwrap is not installed (./bootstrap deps bench)' >&2
	exit 2
}
links=
for d in bin sbin lib lib32 lib64; do # as the host has them
	[ ! -h "/$d" ] || links="$links --symlink usr/$d /$d"
	[ -h "/$d" ] || [ ! -d "/$d" ] || links="$links --ro-bind /$d /$d"
done

many=$BUILD/tests/bench/many
least=$BUILD/tests/bench/least
more=
ratios=bwrap/batch,none/batch
if [ "${CUPEL_LEAST:-}" = yes ]; then
	more="least $least nmf 4 $runs /bin/true -- least-net $least mf 4 $runs \
		/bin/true --"
	ratios=$ratios,bwrap/least,bwrap/least-net
fi
as_user 65534 "$BUILD/tests/bench/measure" "$rounds" "$tmp/batch" \
	"$ratios" \
	none "$many" each 2 "$runs" /bin/true -- \
	bwrap "$many" each 2 "$runs" "$bwrap" --unshare-all \
		--ro-bind /usr /usr $links --proc /proc --dev /dev \
		--tmpfs /tmp /bin/true -- $more \
	batch "$many" lines "$runs" "$tmp/lines" \
		"$BUILD/cupel" batch --jobs 2 \
		>"$OUT/batch.txt" 2>"$OUT/batch.err" || {
	cat "$OUT/batch.err" "$OUT/batch.txt" >&2
	exit 1
}
cat "$OUT/batch.txt"
cp "$tmp/batch.json" "$tmp/batch.dat" "$OUT"
awk -v runs="$runs" 'NF == 4 && $2 > 0 {
	printf "%-12s %10.0f runs a second\n", $1, runs * 1e6 / $2
	}' "$OUT/batch.txt"
[ $# -ge 3 ] || exit 0
awk -v bwrap="$2" -v none="$3" '
	function hold(limit) {
		seen++
		if ($2 + 0 >= limit + 0)
			return
		printf "batch: %s is %s, below %s\n", $1, $2, limit
		bad++
	}
	$1 == "bwrap/batch" { hold(bwrap) }
	$1 == "none/batch" { hold(none) }
	END {
		if (seen != 2)
			print "batch: the bench did not say both ratios"
		exit bad > 0 || seen != 2
	}' "$OUT/batch.txt" >&2
