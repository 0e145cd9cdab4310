# tests.sh -- what a vessel costs three real test suites of a second or more.
# usage: SRC= BUILD= OUT= sh tests/bench/tests.sh ROUNDS
#
# Each suite bare, under cupel with its profile, and under bwrap with every
# namespace (which has no filter, limits, capture or result), interleaved in
# random order; prints medians, quartiles and the ratios taken within a round.
#   pytest	python3-mpmath's own tests, out of Debian's package
#   node-test	light-my-request's own tests, out of npm's
#   ctest	the unit tests of base and boundary in this tree, C programs
# Nobody has caches of compiled Python: the first run of a checkout is meant.
# What is not here is fetched by name into OUT/suites, unpacked and not
# installed, its scripts not run.  The promise is 5%.
set -eu
rounds=$1
. "$SRC/tests/as.sh"
mkdir -p "$OUT"
suites=$OUT/suites

. "$SRC/tests/bench/suites.sh"

links=
for d in bin sbin lib lib32 lib64; do # as the host has them
	[ ! -h "/$d" ] || links="$links --symlink usr/$d /$d"
	[ -h "/$d" ] || [ ! -d "/$d" ] || links="$links --ro-bind /$d /$d"
done

one() { # one PROFILE SHELL -- the same line in each contender's repository
	name=$1 line=$2
	echo "== $name: $line"
	cd "$tmp/$name"
	as_user 65534 "$BUILD/tests/bench/measure" "$rounds" "$tmp/tests-$name" \
		cupel/none,bwrap/none,cupel/bwrap \
		none /bin/sh -c "$line" -- \
		bwrap "$bwrap" --unshare-all --ro-bind /usr /usr $links \
			${prefix:+--ro-bind "$prefix" "$prefix"} \
			--bind "$tmp/$name" /repo --chdir /repo --proc /proc \
			--dev /dev --tmpfs /tmp /bin/sh -c "$line" -- \
		cupel "$BUILD/cupel" run --json --profile "$name" \
			--wall-time-s 300 --cpu-time-s 300 \
			${prefix:+--runtime "$prefix"} --- /bin/sh -c "$line"
	cp "$tmp/tests-$name.json" "$tmp/tests-$name.dat" "$OUT"
	column=1 # the first is the round
	for who in none bwrap cupel; do
		column=$((column + 1))
		grep -v '^#' "$tmp/tests-$name.dat" |
			awk -v c=$column '{ print $c }' | sort -n |
			awk -v who=$who '{ us[NR] = $1 } END {
				printf "%-8s quartiles %d to %d us\n", who,
					us[int((NR + 3) / 4)],
					us[int((3 * NR + 3) / 4)] }'
	done
	cd /
}

bwrap=$(command -v bwrap) || {
	echo 'tests: bwrap is not installed (./bootstrap deps bench)' >&2
	exit 2
}
suites_make
stage_for 65534
cp -R "$suites/." "$tmp"
[ "$(id -u)" != 0 ] || chown -R 65534:65534 "$tmp"

for suite in pytest node-test ctest; do
	case $left_out in
	*"$suite"*) echo "tests: no $suite suite here: left out" >&2; continue ;;
	esac
	one "$suite" "$(suite_line "$suite")"
done
[ -z "$left_out" ] || exit 1
