# pass.sh -- run test programs once more as another user.
# usage: SRC= BUILD= OUT= [AT_ONCE=2] sh tests/pass.sh UID TEST...
#
# Root runs this.  OUT gets the same counts as Automake's TAP driver would write.
set -eu
uid=$1
shift
mkdir -p "$OUT"
. "$SRC/tests/as.sh"
stage_for "$uid"

# one TEST -- run it; its output in OUT/....log, its cases in OUT/....trs
one() {
	name=${1%.t}
	prog=$SRC/$1
	[ -x "$BUILD/$1" ] && prog=$BUILD/$1
	mkdir -p "$OUT/${name%/*}"
	log=$OUT/$name.log
	status=0
	(cd "$tmp" && as_user "$uid" sh "$SRC/tests/bounded.sh" "$prog") >"$log" 2>&1 ||
		status=$?
	awk -v status="$status" -v suite="$1" '
		/^1\.\.[0-9]+/ { plan = substr($1, 4) + 0; planned = 1 }
		/^1\.\.0/ { print ":test-result: SKIP " suite; }
		/^(not )?ok/ {
			n++
			word = /^not/ ? "FAIL" : "PASS"
			if (toupper($0) ~ /# *SKIP/ && word == "PASS") word = "SKIP"
			if (word == "FAIL") bad++
			print ":test-result: " word " " $0
		}
		END {
			if (!planned || n + 0 != plan)
				print ":test-result: ERROR " suite ": planned " \
					plan + 0 ", ran " n + 0
			else if (status != 0 && !bad)
				print ":test-result: ERROR " suite ": exit " status
		}' "$log" >"$OUT/$name.trs"
	! grep -qE '^:test-result: (FAIL|ERROR)' "$OUT/$name.trs"
}

# stripe K N TEST... -- every N-th of them from the K-th on, one by one
stripe() {
	at=$1 step=$2 bad=0
	shift 2
	for t; do
		[ "$at" != 0 ] || {
			one "$t" || {
				bad=1
				echo "pass: $t failed as uid $uid" >&2
			}
			at=$step
		}
		at=$((at - 1))
	done
	return $bad
}

[ $# -gt 0 ] || exit 0
trap '' EXIT # of the stripes: what is staged is ours
bad=0 k=0 stripes=
while [ $k -lt "${AT_ONCE:-2}" ]; do
	stripe $k "${AT_ONCE:-2}" "$@" &
	stripes="$stripes $!"
	k=$((k + 1))
done
for k in $stripes; do wait "$k" || bad=1; done
trap stage_done EXIT
exit $bad
