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

fetch_pytest() {
	[ ! -d "$suites/pytest" ] || return 0
	rm -rf "$suites/new" && mkdir -p "$suites/new"
	(cd "$suites/new" && apt-get -qq download python3-mpmath 2>/dev/null &&
		dpkg-deb -x python3-mpmath_*.deb . &&
		mv usr/lib/python3/dist-packages/mpmath ..) || return 1
	rm -rf "$suites/new" && mkdir "$suites/pytest" &&
		mv "$suites/mpmath" "$suites/pytest"
}

fetch_node() {
	[ ! -d "$suites/node-test" ] || return 0
	rm -rf "$suites/new" && mkdir -p "$suites/new"
	(cd "$suites/new" && npm install --silent --ignore-scripts --no-audit \
		--no-fund light-my-request@6.6.0 end-of-stream@1.4.4 \
		express@4.21.2 form-auto-content@3.2.1 form-data@4.0.2 \
		formdata-node@4.4.1 multer@1.4.4 set-cookie-parser@2.6.0 \
		undici@6.21.0 &&
		for f in test index.js lib LICENSE; do
			cp -R "node_modules/light-my-request/$f" .
		done) >/dev/null 2>&1 || return 1
	mv "$suites/new" "$suites/node-test"
}

# What of our own needs neither a file of the tree nor a vessel.
make_ctest() {
	rm -rf "$suites/ctest" && mkdir -p "$suites/ctest"
	for t in "$BUILD"/tests/unit/base_*.t "$BUILD"/tests/unit/boundary_*.t; do
		[ -x "$t" ] || continue
		(cd "$suites/ctest" && env -i timeout 10 "$t") >/dev/null 2>&1 &&
			cp "$t" "$suites/ctest"
	done
	[ "$(find "$suites/ctest" -name '*.t' | wc -l)" -ge 8 ]
}

links=
for d in bin sbin lib lib32 lib64; do # as the host has them
	[ ! -h "/$d" ] || links="$links --symlink usr/$d /$d"
	[ -h "/$d" ] || [ ! -d "/$d" ] || links="$links --ro-bind /$d /$d"
done

# Only for this: a virtual environment's or a version manager's interpreter is
# shown by cupel alone.
prefix=
node=$(readlink -f "$(command -v node)") || node=
case $node in /usr/* | '') ;; *) prefix=$(dirname "$(dirname "$node")") ;; esac

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
left_out=
fetch_pytest || left_out="$left_out pytest"
[ -n "$node" ] && fetch_node || left_out="$left_out node-test"
make_ctest || left_out="$left_out ctest"
stage_for 65534
cp -R "$suites/." "$tmp"
[ "$(id -u)" != 0 ] || chown -R 65534:65534 "$tmp"

for suite in pytest node-test ctest; do
	case $left_out in
	*"$suite"*) echo "tests: no $suite suite here: left out" >&2; continue ;;
	esac
	case $suite in
	pytest) one pytest 'PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m pytest -q -p no:cacheprovider mpmath/tests/test_functions.py mpmath/tests/test_linalg.py mpmath/tests/test_matrices.py' ;;
	node-test) one node-test "${node:-node} --test test/" ;;
	ctest) one ctest 'for t in ./*.t; do $t >/dev/null 2>&1 || exit 1; done' ;;
	esac
done
[ -z "$left_out" ] || exit 1
