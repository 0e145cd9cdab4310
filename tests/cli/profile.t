#!/bin/sh
# cupel profile list, show, check.
. "$SRC/tests/cli/lib.sh"

"$cupel" profile list >"$work/list"
[ "$(awk '{ print $1 }' "$work/list" | tr '\n' ' ')" = \
	'default test pytest unittest jest vitest mocha node-test npm-test go-test cargo-test ctest automake prove tap npm-install pip-install cargo-fetch go-mod-download apt-download python-function node-function probe parser ' ]
ok 'lists the profiles of the contract'
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
one_line 2 'No such file' -- profile check "$work/none.json"
ok 'check names a missing file'
head -c 1100000 /dev/zero >"$work/long.json"
one_line 2 'longer than 1048576 bytes' -- profile check "$work/long.json"
ok 'check reads no more than a profile can be'
finish
