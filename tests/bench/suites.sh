# suites.sh -- read by benches that run real test suites of a second or more.
#
# suites_make -- makes $suites/pytest, node-test and ctest; what cannot be made
# is in $left_out.  node and prefix are the interpreter's and its installation's
# where that is no part of the system's.
# suite_line NAME -- how it is run, below its directory.
# What is not here is fetched by name into $suites, unpacked and not installed, its
# scripts not run.
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

# Only for this: a virtual environment's or a version manager's interpreter is
# shown by cupel alone.
prefix=
node=$(readlink -f "$(command -v node)") || node=
case $node in /usr/* | '') ;; *) prefix=$(dirname "$(dirname "$node")") ;; esac

suites_make() {
	left_out=
	fetch_pytest || left_out="$left_out pytest"
	[ -n "$node" ] && fetch_node || left_out="$left_out node-test"
	make_ctest || left_out="$left_out ctest"
}

suite_line() {
	case $1 in
	pytest) echo 'PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m pytest -q -p no:cacheprovider mpmath/tests/test_functions.py mpmath/tests/test_linalg.py mpmath/tests/test_matrices.py' ;;
	node-test) echo "${node:-node} --test test/" ;;
	ctest) echo 'for t in ./*.t; do $t >/dev/null 2>&1 || exit 1; done' ;;
	esac
}
