#!/bin/sh
# filterc.t -- the build's filter compiler: whatever could change what is made
# of a policy changes its version, or a cache would go on with the old code.
filterc=$BUILD/src/plan/filterc
policy=$BUILD/profiles/seccomp/default.json
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
n=0 bad=0
ok() { # ok NAME -- what the command before it returned
	[ $? = 0 ] && word=ok || { word='not ok' bad=1; }
	n=$((n + 1))
	echo "$word $n - $1"
}
version() { # version POLICY SOURCE...
	at=$1
	shift
	"$filterc" x86_64 "$at" -- "$@" >"$work/c" || return
	sed -n 's/^const char filter_data_version.*"\(.*\)";/\1/p' "$work/c"
}

echo 'int a;' >"$work/a.c"
echo 'int b;' >"$work/b.c"
one=$(version "$policy" "$work/a.c")
case $one in blake3:*) true ;; *) false ;; esac
ok 'there is a version'
[ "$(version "$policy" "$work/a.c")" = "$one" ]
ok 'the same twice'
[ "$(version "$policy" "$work/b.c")" != "$one" ]
ok 'another with another compiler'
sed 's/"mkdir",//' "$policy" >"$work/default.json"
! cmp -s "$policy" "$work/default.json" &&
	[ "$(version "$work/default.json" "$work/a.c")" != "$one" ]
ok 'another with another policy'
! "$filterc" x86_64 "$policy" 2>/dev/null >"$work/c"
ok 'no version without sources'
make -s -n -C "$BUILD" -W src/plan/filterc src/plan/filter_data.c \
	>"$work/make" 2>/dev/null
for f in src/plan/filter_read.c src/plan/filter_floor.c src/boundary/json.c; do
	grep -q "^for f in.* $f" "$work/make"
	ok "the build names $f"
done
echo "1..$n"
exit $bad
