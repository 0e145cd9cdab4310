# steady.sh -- what the filter, and the whole vessel, cost while work is done.
# usage: SRC= BUILD= OUT= sh tests/bench/steady.sh ROUNDS
#
# For each workload: plain; under the default filter alone; in the vessel (its
# start included).  Same user, same files, interleaved.
set -eu
rounds=$1
. "$SRC/tests/as.sh"
stage_for 65534
mkdir -p "$OUT"
# Temporary files in memory on every side, as they are in the vessel.
shm=$(mktemp -d /dev/shm/cupel-bench.XXXXXX)
trap 'rm -rf "$shm"; stage_done' EXIT
[ "$(id -u)" != 0 ] || chown 65534:65534 "$shm"
as_user 65534 mkdir "$tmp/repo"
cp "$SRC/tests/bench/sample_test.py" "$SRC/src/cupel.h" "$tmp/repo"
{ # something for a compiler to chew on
	echo '#include <stdio.h>'
	i=0
	while [ $i -lt 400 ]; do
		echo "int f$i(int x) { int s = 0; for (int i = 0; i < x; i++)"
		echo "s += (i * $i) ^ (s >> 3); printf(\"%d\", s); return s; }"
		i=$((i + 1))
	done
} >"$tmp/repo/work.c"
chmod -R a+rX "$tmp/repo"
cd "$tmp/repo"

one() { # one WORKLOAD COMMAND...
	name=$1
	shift
	echo "== $name: $*"
	as_user 65534 "$BUILD/tests/bench/measure" "$rounds" \
		"$tmp/steady-$name" filter/none,vessel/none \
		none /usr/bin/env TMPDIR="$shm" "$@" -- \
		filter "$BUILD/tests/bench/withfilter" default /usr/bin/env TMPDIR="$shm" "$@" -- \
		vessel "$BUILD/cupel" run --json --- "$@"
	cp "$tmp/steady-$name.json" "$tmp/steady-$name.dat" "$OUT"
}

one find /bin/sh -c 'find /usr/share /usr/include -size +1k 2>/dev/null; :'
one tar /bin/sh -c 'tar -cf - -C /usr include | cat >/dev/null'
one unittest /usr/bin/python3 -m unittest -q sample_test
one compile /bin/sh -c 'gcc -O2 -c work.c -o "$TMPDIR/work.o"'
