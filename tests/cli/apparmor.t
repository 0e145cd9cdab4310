#!/bin/sh
# The AppArmor profile: it is for the right path, and the parser accepts it.
. "$SRC/tests/cli/lib.sh"

"$cupel" doctor --apparmor >"$work/profile" 2>"$work/e"
ok 'is printed'
path=$(readlink -f "$cupel")
grep -q "^profile cupel \"$path\" " "$work/profile"
ok "names the running program's own path"
grep -q '^abi <abi/4.0>,$' "$work/profile" &&
	grep -q '^  userns,$' "$work/profile"
ok 'allows user namespaces to the first stage'
sed -n '/^profile cupel-inside /,/^}/p' "$work/profile" >"$work/inside"
grep -q 'deny userns,' "$work/inside" && grep -q 'deny capability,' \
	"$work/inside"
ok 'takes them away from the second'
mkdir "$work/a b*" && cp "$cupel" "$work/a b*/cupel" &&
	"$work/a b*/cupel" doctor --apparmor | grep -q 'a b\\\*/cupel" '
ok 'quotes a path'

parse() { apparmor_parser -Q -K "$1" >"$work/out" 2>&1; }
PATH=$PATH:/sbin:/usr/sbin
if ! command -v apparmor_parser >/dev/null; then
	skip 'apparmor_parser takes it' 'apparmor_parser is not installed'
elif [ -e /etc/apparmor.d/abi/4.0 ]; then
	parse "$work/profile" || { sed 's/^/# /' "$work/out"; false; }
	ok 'apparmor_parser takes it'
else
	# userns rules came with AppArmor 4.0; an older parser reads the rest
	sed -e 's,abi/4\.0,abi/3.0,' -e '/userns,$/d' "$work/profile" \
		>"$work/old"
	parse "$work/old" || { sed 's/^/# /' "$work/out"; false; }
	ok 'apparmor_parser takes it (3.x: without the userns rules)'
	echo 'nonsense' >>"$work/old"
	! parse "$work/old"
	ok 'the parser looks at it'
fi
if [ -e "$BUILD/profiles/apparmor/cupel" ]; then
	grep -q '^profile cupel "/.*bin/cupel"' "$BUILD/profiles/apparmor/cupel"
	ok 'the installed one names the installed path'
fi
finish
