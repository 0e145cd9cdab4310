# three.sh -- rows of a bench, for the tests of this folder to read: what compares times
# is measured three times before it is red.
# The test defines measure(), which leaves $out/text and its own status in $status.
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
n=0 status=0

is() { # is NAME COMMAND... -- a row that compares no times
	n=$((n + 1)) name=$1
	shift
	if "$@"; then echo "ok $n - $name"; else echo "not ok $n - $name"; fi
}

# timed NAME JUDGE... -- JUDGE prints the figure; while it fails, it is measured again
timed() {
	n=$((n + 1)) name=$1 tries=1
	shift
	until figure=$("$@"); do
		[ $tries -lt 3 ] || {
			echo "not ok $n - $name ($figure; $tries tries)"
			return
		}
		tries=$((tries + 1))
		measure
	done
	echo "ok $n - $name ($figure; try $tries)"
}
