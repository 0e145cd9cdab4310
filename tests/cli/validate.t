#!/bin/sh
# cupel validate: what it prints and its exit status.
. "$SRC/tests/cli/lib.sh"
cd "$work" || exit 1

# answer NAME WANT_STATUS WANT_STDOUT TEXT -- ARGS...
answer() {
	an_name=$1 an_want=$2 an_text=$3 an_in=$4
	shift 5
	an_got=$(printf "$an_in" | "$cupel" validate "$@" 2>err)
	an_status=$?
	[ "$an_status" = "$an_want" ] && case $an_got in
	$an_text) true ;; *) false ;; esac
	ok "$an_name"
	[ "$an_status" = "$an_want" ] || echo "# status $an_status: $an_got"
}
yes='{"valid":true,"errors":\[]}'

answer 'takes strict JSON' 0 "$yes" '{"a": [1, null]}' --
for wrong in '{"a":1,}' '[1] x' '' 'NaN' '{"a":1,"a":2}' '"\\ud800"' \
	'\357\273\2771' '"\377"' '/*x*/1' '01'; do
	answer "refuses $wrong" 2 '{"valid":false,"errors":\[{"instance":""*' \
		"$wrong" --
done
printf '{"a":1,"a":2}' | "$cupel" validate >/dev/null 2>err
grep -q '^cupel: stdin: duplicate_name at line 1, column 8' err
ok 'says which rule and where'

echo '{"properties": {"n": {"type": "integer"}}}' >s.json
answer 'takes what the schema allows' 0 "$yes" '{"n": 1.0}' -- --schema s.json
answer 'refuses what it does not' 1 \
	'{"valid":false,"errors":\[{"instance":"/n","schema":"*properties/n/type","message":"*"}]}' \
	'{"n": "x"}' -- --schema s.json
answer 'one answer a line' 1 "$yes
{\"valid\":false,*
$yes" '{"n":1}\n{"n":"x"}\n{}' -- --schema s.json --lines
answer 'the worst line counts' 2 "$yes
{\"valid\":false,*
{\"valid\":false,*" '{"n":1}\n{"n":"x"}\n{' -- --schema s.json --lines
printf '1\n2\n{\n' | "$cupel" validate --lines >/dev/null 2>err
grep -q 'line 3, column ' err
ok 'names the line'
printf '1' >text
[ "$("$cupel" validate text)" = '{"valid":true,"errors":[]}' ]
ok 'reads a file'

echo '{"$ref": "https://example.com/other"}' >r.json
one_line 2 'https://example.com/other' -- validate --schema r.json text
ok 'fetches nothing, and names what it lacks'
echo '{"type": "string"}' >o.json
answer 'takes another document' 1 '{"valid":false,*' '1' -- --schema r.json \
	--ref https://example.com/other=o.json
is 'a reference has two halves' 2 "cupel: --ref: expected URI=FILE, found 'x'" -- \
	validate --schema r.json --ref x text
is 'a reference needs a schema' 2 \
	'cupel: --ref: needs --schema, the schema that refers to it' -- \
	validate --ref a=b text
echo '{"type": "strin"}' >bad.json
one_line 2 'bad.json: ' -- validate --schema bad.json text
ok 'refuses a schema that is none'
one_line 2 'none.json: No such file' -- validate --schema none.json text
ok 'names a schema that is not there'
one_line 2 'none: No such file' -- validate none
ok 'names a text that is not there'
is 'takes one text' 2 "cupel: validate: expected one FILE, found 'b' after it" -- \
	validate a b
echo '{"pattern": "^(a+)+$"}' >slow.json
answer 'a pattern that explodes is no answer' 2 '{"valid":false,*' \
	'"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"' -- \
	--schema slow.json

# Memory is bounded by the longest line, not by the size of the input.
# (A sanitizer reserves far more than that for itself.)
kib=65536
[ -z "${CUPEL_SAN:-}" ] || kib=unlimited
yes '{"n": 1}' | head -n 200000 | (ulimit -v $kib
	"$cupel" validate --lines --schema s.json) >out 2>err
[ $? = 0 ] && [ "$(wc -l <out)" = 200000 ]
ok 'a long input costs no memory'
head -c 70000000 /dev/zero | tr '\0' ' ' | "$cupel" validate >out 2>err
[ $? = 2 ] && grep -q 'longer than 64 MiB' err
ok 'a text over the cap is refused'
yes 1 | timeout 20 "$cupel" validate --lines 2>err | head -n 1 >out
[ -s out ] && [ ! -s err ]
ok 'a reader that goes away ends it in silence'
if [ -e /dev/full ]; then
	"$cupel" validate text >/dev/full 2>err
	[ $? = 1 ] && grep -q '^cupel: stdout: ' err
	ok 'an answer that cannot be written is told'
fi
for s in $("$cupel" schema); do
	echo '{"$ref": "https://json-schema.org/draft/2020-12/schema"}' >m.json
	"$cupel" schema "$s" | "$cupel" validate --schema m.json >out
	ok "the schema $s is one"
done
"$cupel" doctor --json >d.json
"$cupel" schema doctor >d.schema.json
"$cupel" validate --schema d.schema.json d.json >out || { cat out; false; }
ok 'the doctor keeps to its schema'
finish
