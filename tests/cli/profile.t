#!/bin/sh
# cupel profile list, show, check.
. "$SRC/tests/cli/lib.sh"

"$cupel" profile list >"$work/list"
awk '{ print $1 ".json" }' "$work/list" | LC_ALL=C sort >"$work/names"
(cd "$SRC/profiles" && ls -- *.json) | LC_ALL=C sort | cmp -s - "$work/names"
ok 'lists every profile that there is'
[ "$(sed -n '1s/ .*//p' "$work/list")" = default ]
ok 'and the default one first'
awk 'NF < 3 { exit 1 }' "$work/list"
ok 'says what each is for'
"$cupel" profile show >"$work/table"
for p in $(awk '{ print $1 }' "$work/list"); do
	grep -q "^| *$p *|\|^$p " "$work/table"
	ok "the table has $p"
	"$cupel" profile show "$p" >"$work/$p.json" &&
		"$cupel" profile check "$work/$p.json"
	ok "$p shown is a profile file"
	"$cupel" profile show "$work/$p.json" | cmp -s - "$work/$p.json"
	ok "$p read back is the same"
done
sed 's/"nofile": 256/"nofile": 0/' "$work/default.json" >"$work/zero.json"
one_line 2 'zero.json: nofile: 0 is outside 1..1048576' -- \
	profile check "$work/zero.json"
ok 'check names the file, the key and the range'
echo '{"nofiles": 3}' >"$work/key.json"
one_line 2 "nofiles" -- profile check "$work/key.json"
ok 'check names an unknown key'
printf '{"extends": "pytest", "nofile": 33, "env": {"X": "y"}}' >"$work/own.json"
"$cupel" profile check "$work/own.json" &&
	"$cupel" profile show pytest >"$work/theirs" &&
	"$cupel" profile show "$work/own.json" >"$work/whole"
ok 'a file may extend a shipped profile'
[ "$(diff "$work/theirs" "$work/whole" | grep -c '^>')" = 4 ] &&
	grep -q '"nofile": 33,' "$work/whole" &&
	grep -q '"X=y"' "$work/whole" && ! grep -q extends "$work/whole"
ok 'show prints it whole: what the other says, and its own'
echo '{"extends": "pytests"}' >"$work/gone.json"
one_line 2 "gone.json: extends: 'pytests' is not a shipped profile" -- \
	profile check "$work/gone.json"
ok 'check names a profile that cannot be extended'
one_line 2 'No such file' -- profile check "$work/none.json"
ok 'check names a missing file'
head -c 1100000 /dev/zero >"$work/long.json"
one_line 2 'longer than 1048576 bytes' -- profile check "$work/long.json"
ok 'check reads no more than a profile can be'
finish
