#!/bin/sh
# lib.t -- what libcupel does, as the user who runs this; when that is root, also as
# uid 65534.
# usage: SRC=... BUILD=... lib.t; TAP
set -u
dir=$(mktemp -d "${TMPDIR:-/tmp}/cupel-lib.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
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

# Each user has files of its own, where no other may write: the programs of both run
# at the same time, because they sleep more than they work.
begin_one() { # begin_one WHO COMMAND...
	at=$dir/$1
	[ "$1" = self ] && owner=$(id -u) || owner=65534
	shift
	mkdir "$at" && chown "$owner" "$at" && chmod 755 "$at"
	(
		cd "$at" || exit 1
		timeout 300 "$@" >"$at.out" 2>"$at.err"
		echo $? >"$at.status"
	) &
}

# Renumber what a TAP program printed; a program that stops early is a failure.
tell_one() { # tell_one WHO PREFIX
	at=$dir/$1
	status=$(cat "$at.status") || status=1
	sed 's/^/# /' "$at.err" >&2
	while read -r line; do
		case $line in
		'ok '*) case_end 0 "$2: ${line#*- }" ;;
		'not ok '*) case_end 1 "$2: ${line#*- }" ;;
		esac
	done <"$at.out"
	grep -q '^1\.\.[1-9]' "$at.out" || status=1
	case_end "$status" "$2: ran to its end"
	rm -rf "$at" "$at.out" "$at.err" "$at.status"
}

# Under a sanitizer (tests/check.sh) each runs as one of the two users; in the plain
# build as both.
turn=root
for name in batch batch_cancel batch_copies callers handles limits report; do
	# uid 65534 may not be able to read the build directory
	cp "$BUILD/tests/live/lib_$name" "$dir/" || exit 1
	one=no
	[ "$(id -u)" != 0 ] || [ "${CUPEL_CONTROLS:-}" != no ] || one=$turn
	[ $one = user ] || begin_one self "$dir/lib_$name"
	[ "$(id -u)" != 0 ] || [ $one = root ] ||
		begin_one other setpriv --reuid=65534 --regid=65534 \
			--clear-groups "$dir/lib_$name"
	wait
	[ ! -d "$dir/self" ] || tell_one self "$name, uid $(id -u)"
	[ ! -d "$dir/other" ] || tell_one other "$name, uid 65534"
	[ $turn = user ] && turn=root || turn=user
done
echo "1..$n"
exit $bad
