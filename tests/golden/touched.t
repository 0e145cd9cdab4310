#!/bin/sh
# touched.t -- how many files a new profile touches: its own, a line of
# profiles/profiles.mk, and two golden files, which are written anew.  One is added
# to a copy of the tree, and all that is made of profiles has it.
set -u
SRC=$(cd "${SRC:-.}" && pwd)
BUILD=$(cd "${BUILD:-build}" && pwd)
top=$(mktemp -d "${TMPDIR:-/tmp}/cupel-touched-XXXXXX") || exit 99
trap 'rm -rf "$top"' EXIT
n=0 bad=0

ok() { # ok STATUS NAME
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		bad=1
	fi
}

mkdir -p "$top/tree/tests" "$top/made"
cp -R "$SRC/profiles" "$top/tree/profiles"
cp -R "$SRC/tests/golden" "$top/tree/tests/golden"
chmod -R u+w "$top/tree"

# The new profile, and its line behind that of prove.
cat >"$top/tree/profiles/bats.json" <<'END'
{
	"name": "bats",
	"extends": "test",
	"about": "A suite of shell tests under bats",
	"fits": {
		"programs": ["bats"]
	},
	"mem_bytes": "768M"
}
END
sed 's,^\(.profiles/\)prove\.json .$,&\n\1bats.json \\,' \
	"$SRC/profiles/profiles.mk" >"$top/tree/profiles/profiles.mk"

# What the build makes of the profiles, in a copy.
profiles=$(sed -n '/^profile_files/,/[^\\]$/s,^\t\(profiles/[a-z-]*\.json\).*,\1,p' \
	"$top/tree/profiles/profiles.mk")
cd "$top/tree" || exit 99
"$SRC/profiles/embed" profile_texts .json $profiles >"$top/made/texts.c" &&
	${CC:-cc} -I"$SRC/src" -c "$top/made/texts.c" -o "$top/made/texts.o"
ok $? "a table of profiles is made of the list"
python3 -B "$SRC/profiles/schemas/compose.py" "$BUILD/profiles/schemas/rows.json" \
	profiles/schemas/shared.json profiles/schemas/worker-request.schema.json.in \
	$profiles >"$top/made/schema" && grep -q '"bats"' "$top/made/schema"
ok $? "a worker may be asked for it"

# of VARIABLE -- what the build calls so.
of() {
	sed -n "s/^$1 = //p" "$BUILD/Makefile"
}

# The golden tests, with that table in place of the build's.
for t in plan spec; do
	${CC:-cc} $(of CFLAGS) "$BUILD"/tests/golden/"$t"_t-*.o \
		"$top/made/texts.o" "$BUILD/.libs/libcore.a" \
		$(of PCRE2_LIBS) $(of SECCOMP_LIBS) -o "$top/made/$t.t"
	ok $? "tests/golden/$t has it"
	SRC=$top/tree "$top/made/$t.t" >"$top/out" 2>&1
	[ $? -eq 1 ] && grep -q bats "$top/out"
	ok $? "tests/golden/$t is red until its golden file is written"
	SRC=$top/tree UPDATE_GOLDEN=1 "$top/made/$t.t" >/dev/null 2>&1
	SRC=$top/tree "$top/made/$t.t" >"$top/out" 2>&1
	ok $? "tests/golden/$t is green then"
done

{
	diff -rq "$SRC/profiles" "$top/tree/profiles"
	diff -rq "$SRC/tests/golden" "$top/tree/tests/golden"
} >"$top/touched"
sed "s,$top/tree/,,g; s/^/# /" "$top/touched"
[ "$(wc -l <"$top/touched")" -le 4 ]
ok $? "four files are touched at most"
echo "1..$n"
exit $bad
