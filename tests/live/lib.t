#!/bin/sh
# lib.t -- libcupel by effect, as whoever runs this and, for root, as uid 65534.
# usage: SRC=... BUILD=... lib.t; TAP
set -u
dir=$(mktemp -d "${TMPDIR:-/tmp}/cupel-lib.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
mkdir "$dir/work" && chmod 777 "$dir/work"
n=0 bad=0

case_end() { # case_end STATUS NAME
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		bad=1
	fi
}

# Renumber what a TAP program prints; a program that breaks off is a failure.
run_one() { # run_one PREFIX COMMAND...
	prefix=$1
	shift
	(cd "$dir/work" && exec timeout 300 "$@") >"$dir/out" 2>"$dir/err"
	status=$?
	sed 's/^/# /' "$dir/err" >&2
	while read -r line; do
		case $line in
		'ok '*) case_end 0 "$prefix: ${line#*- }" ;;
		'not ok '*) case_end 1 "$prefix: ${line#*- }" ;;
		esac
	done <"$dir/out"
	grep -q '^1\.\.[1-9]' "$dir/out" || status=1
	case_end "$status" "$prefix: ran to its end"
}

# Under a sanitizer (tests/check.sh) each as one of the two: the plain build
# has both.
turn=root
for name in callers handles limits report; do
	# the build may lie where 65534 cannot look
	cp "$BUILD/tests/live/lib_$name" "$dir/" || exit 1
	one=no
	[ "$(id -u)" != 0 ] || [ "${CUPEL_CONTROLS:-}" != no ] || one=$turn
	[ $one = user ] || run_one "$name, uid $(id -u)" "$dir/lib_$name"
	[ "$(id -u)" != 0 ] || [ $one = root ] ||
		run_one "$name, uid 65534" setpriv --reuid=65534 \
			--regid=65534 --clear-groups "$dir/lib_$name"
	[ $turn = user ] && turn=root || turn=user
done
echo "1..$n"
exit $bad
