#!/bin/sh
# cupel audit: what it prints and its exit status.  What it finds is tested by
# tests/unit/jobs_gather_chain.c; the chains here are made by the same program.
. "$SRC/tests/cli/lib.sh"
cd "$work" || exit 1
chain=$BUILD/tests/unit/jobs_gather_chain.t

is 'needs a verb' 2 "cupel: audit: expected the word verify after it" -- audit
is 'knows one verb' 2 "cupel: audit: expected the word verify, found 'x'" -- audit x
is 'takes one directory' 2 \
	"cupel: audit verify: expected one DIR, found 'b' after it" -- \
	audit verify a b
is 'names a directory that is not there' 2 \
	'cupel: audit verify: none: No such file or directory' -- \
	audit verify none
mkdir empty
is 'no record is no chain' 2 \
	"cupel: audit verify: empty holds no run record; 'cupel gather' writes them" -- \
	audit verify empty
one_line 2 'unknown option' -- audit verify --x
ok 'knows no option'

"$chain" make "$work/repo" 3 && mkdir -p "$work/other/.cupel" &&
	cp -r repo other/.cupel/runs && cp -r other/.cupel out
ok 'there is a chain'
for dir in repo other out other/.cupel; do
	got=$("$cupel" audit verify $dir) && [ "$got" = '3 records, one whole chain' ]
	ok "finds it below $dir"
done
got=$(cd other && "$cupel" audit verify) &&
	[ "$got" = '3 records, one whole chain' ]
ok 'looks in the current directory'
"$cupel" audit verify repo >/dev/null 2>err && [ ! -s err ]
ok 'says nothing else'

set -- repo/2*.json
printf x >>"$2"
got=$("$cupel" audit verify repo 2>err)
[ $? = 1 ] && [ ! -s err ] &&
	[ "$got" = "${2#repo/}: was changed: its bytes do not match its name" ]
ok 'names the record that was changed'
: >"repo/$(printf 'new\nline\033[31m')"
"$cupel" audit verify repo >out.txt
[ $? = 1 ] && [ "$(wc -l <out.txt)" = 2 ] && ! grep -q "$(printf '\033')" out.txt
ok 'a hostile name is one line and no escape'

ln -s /etc other/.cupel/x && mv other/.cupel/runs elsewhere &&
	ln -s ../../elsewhere other/.cupel/runs
one_line 2 'other: ' -- audit verify other
ok 'follows no link'
mkdir -p bad/.cupel/runs && mkfifo bad/.cupel/runs/HEAD
timeout 10 "$cupel" audit verify bad >out.txt
[ $? = 1 ] && grep -q '^HEAD: is not a regular file$' out.txt
ok 'waits for no fifo'
if [ -e /dev/full ]; then
	"$cupel" audit verify elsewhere >/dev/full 2>err
	[ $? = 1 ] && grep -q '^cupel: stdout: ' err
	ok 'an answer that cannot be written is told'
fi

# A body that is expensive to read: memory is bounded, and so is the time.
kib=1048576
[ -z "${CUPEL_SAN:-}" ] || kib=unlimited
mkdir bomb && awk 'BEGIN { printf "["; for (i = 0; i < 8000000; i++)
	printf "[],"; printf "[]]" }' >body
short=$("$chain" hash <body)
mv body "bomb/20260101T000000.000000Z-$short.json"
(ulimit -v $kib; timeout 30 "$cupel" audit verify bomb >out.txt)
[ $? = 1 ] && grep -q 'is not a run record: it is not JSON' out.txt
ok 'a record made of brackets costs what a record may'
finish
