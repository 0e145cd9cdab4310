#!/bin/sh
# broken.t -- golden plans and profiles that are not what is made are red, whatever
# is wrong with them, and the line that differs is shown.
set -u
BUILD=${BUILD:-build}
top=$(mktemp -d "${TMPDIR:-/tmp}/cupel-golden-XXXXXX") || exit 99
trap 'rm -rf "$top"' EXIT
mkdir -p "$top/tests"
n=0
bad=0

# fresh -- the golden files as they are in the tree.
fresh() {
	rm -rf "$top/tests/golden"
	cp -R "$SRC/tests/golden" "$top/tests/golden"
	chmod -R u+w "$top/tests/golden"
}

# row NAME STATUS TEXT -- whether the program $program ends with STATUS, and says
# TEXT, for the files as they now are.
row() {
	n=$((n + 1))
	SRC=$top "$BUILD/tests/golden/$program.t" >"$top/out" 2>&1
	if [ $? -eq "$2" ] && grep -qF -e "$3" "$top/out"; then
		echo "ok $n - $1"
	else
		bad=1
		echo "not ok $n - $1"
		sed 's/^/# /' "$top/out" >&2
	fi
	fresh
}

# edit FILE SED -- a golden file, changed; the change has to change it.
edit() {
	sed "$2" "$top/tests/golden/$1" >"$top/edited"
	if cmp -s "$top/edited" "$top/tests/golden/$1"; then
		echo "not ok $n - no such line in $1: $2"
		exit 1
	fi
	cp "$top/edited" "$top/tests/golden/$1"
}

fresh
program=plan
row "the plans of the tree are as they are" 0 "ok 1 - every_plan"
edit plans/user-default.json 's|"/proc/keys"|"/proc/key"|'
row "another mount in the base" 1 '+       "target": "/proc/keys"'
edit plans/user-default.json 's|"soft": 64$|"soft": 63|; s|"soft": 64,|"soft": 63,|'
row "another limit in the base" 1 '+       "soft": 64,'
edit plans/user-default.json '/"TZ=UTC",/d'
row "a variable that the base lacks" 1 '+     "TZ=UTC",'
edit plans/ro-sources.diff 's|"target":"/data/a"|"target":"/data/A"|'
row "another mount in a difference" 1 '"/data/a"'
edit plans/more-limits.diff 's|^/watch/wall_ms: 60000 -> 2250$|/watch/wall_ms: 60000 -> 2251|'
row "another limit in a difference" 1 '+ /watch/wall_ms: 60000 -> 2250'
edit profiles/cargo-test.diff '/CARGO_NET_OFFLINE/d'
row "a variable that a difference lacks" 1 '#   /plan/environment after'
edit plans/overlay.diff '$s|$|\n/hostname: "cupel" -> "cupel"|'
row "a line that says the same as the base" 1 '- /hostname: "cupel" -> "cupel"'
edit plans/overlay.diff '$s|$|\n/no/such/key: 1 -> 2|'
row "a key that is not there" 1 '- /no/such/key: 1 -> 2'
edit plans/abi-5.diff '1s|^|\n|'
row "an empty line" 1 'plans/abi-5.diff has -'
: >"$top/tests/golden/plans/loopback.diff"
row "a difference that is empty" 1 '+ /network: "none" -> "loopback"'
rm "$top/tests/golden/plans/cgroup.diff"
row "a difference that is missing" 1 'plans/cgroup.diff: No such file'
rm "$top/tests/golden/plans/user-default.json"
row "a base that is missing" 1 'plans/user-default.json: No such file'
cp "$top/tests/golden/plans/abi-5.diff" "$top/tests/golden/plans/abi-9.diff"
row "a file too many" 1 'plans/abi-9.diff: nothing is held to it'

edit profiles/default.json 's|"nofile": 256|"nofile": 255|'
row "another limit in a profile" 1 '+   "nofile": 256,'
edit profiles/jest.diff '/NODE_/d'
row "a variable that a profile's difference lacks" 1 'profiles/jest.diff has -'
cp "$top/tests/golden/profiles/jest.diff" "$top/tests/golden/profiles/jes.diff"
row "a profile too many" 1 'profiles/jes.diff: nothing is held to it'

program=template
edit template.diff '/^- "nofile"/d'
row "a limit that a template's difference lacks" 1 'template.diff has -'

# What is written anew is what the tree has, whatever was there before.
program=plan
edit plans/user-default.json '/"TZ=UTC",/d'
rm "$top/tests/golden/plans/cgroup.diff"
: >"$top/tests/golden/plans/loopback.diff"
SRC=$top UPDATE_GOLDEN=1 "$BUILD/tests/golden/plan.t" >/dev/null 2>&1
n=$((n + 1))
if diff -r "$SRC/tests/golden/plans" "$top/tests/golden/plans" >&2; then
	echo "ok $n - UPDATE_GOLDEN=1 writes them anew"
else
	bad=1
	echo "not ok $n - UPDATE_GOLDEN=1 writes them anew"
fi
echo "1..$n"
exit $bad
