#!/bin/sh
# deb.t -- Debian's packages: built from a copy of the tree without a network,
# nothing that lintian calls an error, and what is in them runs.  Minutes:
# check-all.
. "$SRC/tests/cli/lib.sh"
for tool in dpkg-buildpackage dh lintian dh_python3; do
	command -v $tool >/dev/null || {
		echo "1..0 # SKIP $tool is not installed (not Debian?)"
		exit 0
	}
done

mkdir -p "$work/tree/build"
tar -C "$SRC" --exclude=./build --exclude=./.git --exclude=./autom4te.cache \
	-cf - . | tar -C "$work/tree" -xf -
[ ! -d "$SRC/build/parser" ] || cp -a "$SRC/build/parser" "$work/tree/build"
# Where a network namespace can be had, the build has none.
alone='unshare --net'
$alone true 2>/dev/null || alone=
(cd "$work/tree" && CUPEL_NO_DEPS=1 $alone ./bootstrap deb) >"$work/log" 2>&1 ||
	{ tail -n 30 "$work/log" | sed 's/^/# /'; false; }
ok 'builds without a network, and lintian finds no error'
debs=$work/tree/build/deb
[ ! -e "$work/tree/debian" ]
ok 'out of the tree'
for p in cupel libcupel0 libcupel-dev python3-cupel node-cupel; do
	set -- "$debs/${p}"_*.deb
	[ -f "$1" ] && dpkg-deb -x "$1" "$work/root"
	ok "there is $p"
done
lintian "$debs"/*.changes >"$work/lint" 2>/dev/null
[ "$(grep -c '^E:' "$work/lint")" = 0 ] && [ -s "$debs/log" ] ||
	{ sed 's/^/# /' "$work/lint"; false; }
ok 'no error once more'
# An error must be seen: an override taken away is one.
mkdir "$work/bad" && dpkg-deb -R "$debs"/cupel_*.deb "$work/bad/cupel" &&
	rm -r "$work/bad/cupel/usr/share/lintian" &&
	dpkg-deb -b "$work/bad/cupel" "$work/bad/cupel_0_amd64.deb" >/dev/null &&
	lintian "$work/bad/cupel_0_amd64.deb" 2>/dev/null |
	grep -q '^E: .*statically-linked-binary'
ok 'lintian looks'

mkdir "$work/repo" && chmod 755 "$work" "$work/repo" && cd "$work/repo" &&
	as_user "$work/root/usr/bin/cupel" run --repo-mode none -- true
ok 'the program of the package runs a command'
as_user env CUPEL="$work/root/usr/bin/cupel" PYTHONDONTWRITEBYTECODE=1 \
	PYTHONPATH="$work/root/usr/lib/python3/dist-packages" \
	/usr/bin/python3 -c 'import cupel; h = cupel.SandboxClient().health()
assert h.ok, h'
ok 'and the package for Python finds it healthy'
printf '#include <cupel.h>\nint main(void)\n{\n\tstruct cupel_spec *s;\n\n\treturn cupel_spec_new(&s, 0);\n}\n' \
	>"$work/use.c"
lib=$(dirname "$(find "$work/root" -name libcupel.so)")
${CC:-cc} -o "$work/use" "$work/use.c" -I"$work/root/usr/include" -L"$lib" \
	-lcupel && LD_LIBRARY_PATH=$lib "$work/use"
ok 'a C program is built against the library'
finish
