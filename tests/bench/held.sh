# held.sh -- fails when a start costs more than a part of what others cost.
# usage: SRC= BUILD= OUT= sh tests/bench/held.sh ROUNDS BWRAP FLOOR
#
# BWRAP and FLOOR are the highest ratios to bwrap and to the bare floor that
# pass (startup.sh), as medians of pairs in one interleaved run.  They are not
# what is promised, which is less: they keep what there is.  Nothing else may
# run beside it.
set -eu
mkdir -p "$OUT"
sh "$SRC/tests/bench/startup.sh" "$1" >"$OUT/held.txt" 2>&1 || {
	cat "$OUT/held.txt" >&2
	exit 1
}
cat "$OUT/held.txt"
awk -v bwrap="$2" -v floor="$3" '
	function hold(limit) {
		seen++
		if ($2 + 0 > 0 && $2 + 0 <= limit + 0)
			return
		printf "held: %s is %s, above %s\n", $1, $2, limit
		bad++
	}
	$1 == "cupel/bwrap" { hold(bwrap) }
	$1 == "cupel/floor" { hold(floor) }
	END {
		if (seen != 2)
			print "held: the bench did not say both ratios"
		exit bad > 0 || seen != 2
	}' "$OUT/held.txt" >&2
