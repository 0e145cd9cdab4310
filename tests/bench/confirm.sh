# confirm.sh -- what a witness costs, and flags a second: cold, warm, and against
# bwrap with python3 doing the same call.
# usage: SRC= BUILD= OUT= sh tests/bench/confirm.sh ROUNDS
#
# As uid 65534 when root starts it.  First one call, one and two at once, the
# contenders interleaved in random order, ten calls each a round:
#   bwrap	every namespace, /usr read-only, proc, dev, tmpfs, the repository;
#		no filter, no limits, no capture, no result
#   cold	a vessel that starts an interpreter
#   warm	a vessel that is a copy of one
# Then whole runs of cupel confirm over flags that are no bugs, one and two jobs:
# a flag is its list of witnesses (cold, always) and every witness on it.  Last the
# shape of real use: 164 flags that confirm_shape.py makes, 78 of them bugs.
set -eu
rounds=$1
. "$SRC/tests/as.sh"
stage_for 65534
mkdir -p "$OUT"
bwrap=$(command -v bwrap) || {
	echo 'confirm: bwrap is not installed (./bootstrap deps bench)' >&2
	exit 2
}
as_user 65534 sh -c 'mkdir "$TMPDIR/repo" && cd "$TMPDIR/repo" &&
	printf "def probe():\n    return 1 // 1\n" >f.py &&
	printf "def g(a: int, b: int):\n    return a // b if b else 0\n" >g.py &&
	for i in 1 2 3 4; do
		echo "{\"file\": \"g.py\", \"function\": \"g\"," \
			"\"flag_class\": \"div-zero\", \"line\": 2}"
	done >flags'
as_user 65534 sh -c 'mkdir "$TMPDIR/shape" && python3 - "$TMPDIR/shape"' \
	<"$SRC/tests/bench/confirm_shape.py"
cd "$tmp/repo"
links=
for d in bin sbin lib lib32 lib64; do # as the host has them
	[ ! -h "/$d" ] || links="$links --symlink usr/$d /$d"
	[ -h "/$d" ] || [ ! -d "/$d" ] || links="$links --ro-bind /$d /$d"
done
{
	for jobs in 1 2; do
		as_user 65534 "$BUILD/tests/bench/confirm" "$rounds" 10 $jobs \
			"$tmp/repo" f.py "$bwrap" --unshare-all \
			--ro-bind /usr /usr $links --ro-bind "$tmp/repo" /repo \
			--proc /proc --dev /dev --tmpfs /tmp \
			python3 -B -c 'import sys
sys.path.insert(0, "/repo")
import f
f.probe()'
	done
	[ "$rounds" -ge 10 ] || exit 0 # in a test, calls alone
	few=$(((rounds + 9) / 10))
	set --
	for jobs in 1 2; do
		for how in cold warm; do
			flag=--quiet
			[ $how = warm ] || flag=--cold
			set -- "$@" "$how-$jobs" "$BUILD/cupel" confirm --quiet \
				$flag --jobs $jobs --repo "$tmp/repo" flags \
				"$tmp/log" --
		done
	done
	echo "cupel confirm, 4 flags:"
	as_user 65534 "$BUILD/tests/bench/measure" "$few" "$tmp/confirm" \
		cold-1/warm-1,cold-2/warm-2 "$@" |
		awk '{ print } NF == 4 && $1 ~ /-[12]$/ {
			printf "%-12s %.1f flags/s\n", $1, 4e6 / $2 }'
	[ "$few" -le 3 ] || few=3 # a minute each
	echo "cupel confirm, 164 flags, 86 of them without a bug:"
	for round in $(seq "$few"); do
		for jobs in 1 2; do
			start=$(date +%s%N)
			as_user 65534 "$BUILD/cupel" confirm --quiet \
				--jobs $jobs --repo "$tmp/shape" \
				"$tmp/shape/flags" "$tmp/shape/log" >/dev/null
			echo "shape-$jobs $start $(date +%s%N)" |
				awk '{ s = ($3 - $2) / 1e9
				printf "%-12s %.1f s %.1f flags/s\n", $1, s,
					164 / s }'
		done
	done
	# Rates of other verdicts are rates of nothing.
	awk -v runs="$few" '/"status":"confirmed-bug"/ { bugs++ }
		/"status":"no-bug-found"/ { none++ }
		END { r = NR / 164
		if (r < 2 * runs || bugs != 78 * r || none != 86 * r) {
			print "shape: other verdicts: " bugs ", " none
			exit 1
		} }' "$tmp/shape/log"
} | tee "$OUT/confirm.txt"
