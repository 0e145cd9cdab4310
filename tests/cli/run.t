#!/bin/sh
# cupel run: its input, its output and its exit status.
. "$SRC/tests/cli/lib.sh"
mkdir "$work/repo" "$work/out" && cd "$work/repo" || exit 1

# gives NAME WANT_STATUS WANT_STDOUT WANT_STDERR -- ARGS...
gives() {
	gi_name=$1 gi_want=$2 gi_out=$3 gi_err=$4
	shift 5
	gi_got=$(timeout 60 "$cupel" run "$@" 2>../err)
	gi_status=$?
	[ "$gi_status" = "$gi_want" ] && [ "$gi_got" = "$gi_out" ] &&
		[ "$(cat ../err)" = "$gi_err" ]
	ok "$gi_name"
	[ "$gi_status" = "$gi_want" ] && [ "$gi_got" = "$gi_out" ] &&
		[ "$(cat ../err)" = "$gi_err" ] ||
		echo "# status $gi_status, out: $gi_got, err: $(cat ../err)"
}
key() { python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1" "$2"; }

# --- bad requests start nothing
is 'names an unknown option' 2 \
	"cupel: unknown option '--wall', did you mean '--wall-time-s'?" -- \
	run --wall 5
is 'names no other option where none is near' 2 \
	"cupel: unknown option '--frobnicate'" -- run --frobnicate
is 'names the range' 2 'cupel: --nofile: 0 is outside 1..1048576' -- \
	run --nofile 0 -- true
one_line 2 '--wall-time-s: ' -- run --wall-time-s soon -- true
ok 'names what is no number'
while read -r name range; do
	one_line 2 "--$name: 'many' is not $range" -- run --$name many -- true
	ok "names the range for what is no number: --$name"
done <<'END'
nofile a whole number in 1..1048576
error-rc a whole number in 1..255
wall-time-s a time (seconds, or like 1h30m, 5m, 250ms) in 0.001..31536000, or unlimited
mem-bytes a size (bytes, or like 512K, 20M, 2G) in 1M..65536G, or unlimited
END
one_line 2 "--rlimit: stack: 'x' is not a size" -- run --rlimit stack=x -- true
ok 'names the range of a limit without an option'
one_line 2 '--nofile needs N' -- run --nofile
ok 'asks for a missing value'
one_line 2 'COMMAND is missing' -- run
ok 'asks for a command'
one_line 2 'AWS_SECRET_KEY' -- run --env AWS_SECRET_KEY=x -- true
ok 'names a variable that looks like a secret'
printf '{\n' >half.json
mkfifo fifo
for name in profile spec seccomp result-schema; do
	one_line 2 "--$name: ./none.json: No such file" -- \
		run --$name ./none.json -- true
	ok "names --$name and its file that is not there"
	one_line 2 "--$name: ./half.json:" -- run --$name ./half.json -- true
	ok "names --$name and its file that is no JSON"
	one_line 2 "--$name: ./fifo: " -- run --$name ./fifo -- true
	ok "does not wait for a fifo: --$name"
done
[ "$({ sleep 0.2 && echo '{"command": ["echo", "late"]}'; } |
	"$cupel" run --spec /dev/stdin)" = late ]
ok 'waits for a pipe that has a writer'
echo '{}' >any.json
one_line 2 '--ref: ./none.json: No such file' -- \
	run --ref u=./none.json -- true
ok 'looks at --ref without --result-schema: no file'
one_line 2 '--ref: ./half.json: ' -- run --ref u=./half.json -- true
ok 'looks at --ref without --result-schema: no JSON'
for uri in 'a b' 'a%2' 'u#x' '<u>'; do
	one_line 2 '--ref: ./any.json: ' -- run --ref "$uri=./any.json" -- true
	ok "looks at --ref without --result-schema: '$uri'"
done
echo '{"nofil": 3}' >spec.json
one_line 2 'nofil' -- run --spec spec.json -- true
ok 'names an unknown key'
one_line 2 '--stdin: none: No such file' -- run --stdin none -- true
ok 'names a stdin that is not there'
one_line 2 '--stdin: /: Is a directory' -- run --stdin / -- true
ok 'names a stdin that is a directory'
{
	printf '{"command":["'
	head -c 1100000 /dev/zero | tr '\0' a
	printf '"]}'
} >"$work/long.json"
one_line 2 'longer than 1048576 bytes' -- run --spec "$work/long.json" -- true
ok 'names the most that a spec can be'
one_line 2 '--stdout: fifo: is a fifo that no process reads' -- \
	run --stdout fifo -- true
ok 'names a stdout that would be waited for'
one_line 2 '--stdout: no: No such file' -- run --stdout no/file -- true
ok 'names a stdout that cannot be'
one_line 2 '--json: no: No such file' -- run --json=no/file -- true
ok 'names a result file that cannot be'
one_line 77 'unknown option' -- run --error-rc 77 --wall 5
ok '--error-rc replaces 2'
one_line 77 'unknown option' -- run --wall=5 --error-rc=77 -- true
ok '--error-rc replaces 2, wherever it stands'
one_line 2 '--error-rc: 256 is outside 1..255' -- run --error-rc 256 -- true
ok '--error-rc has a range'
"$cupel" run --json --wall 5 >../out.json 2>/dev/null
[ ! -s ../out.json ]
ok 'a bad request prints no result'

# --- output
gives 'passes stdout on' 0 'hi' '' -- echo hi
gives 'passes stderr on' 0 '' 'oh' -- sh -c 'echo oh >&2'
gives 'needs no --' 7 '' '' -- sh -c 'exit 7'
gives 'takes a --' 7 '' '' -- -- sh -c 'exit 7'
gives "leaves the command's options alone" 0 '--json -- x' '' -- \
	echo --json -- x
printf 'a\033[1mb' >want
"$cupel" run -- printf 'a\033[1mb' | cmp -s - want
ok 'a pipe gets the bytes as they are'
"$cupel" run -- head -c 700000 /dev/zero | (sleep 1; wc -c) >n
[ "$(cat n)" = 700000 ]
ok 'a slow reader gets all of it'
start=$(date +%s)
"$cupel" run -- sh -c 'head -c 300000 /dev/zero; exec sleep 12' |
	(sleep 0.5; head -c 300000 | wc -c; date +%s) >n
[ "$(head -n 1 n)" = 300000 ] && [ $(($(tail -n 1 n) - start)) -lt 10 ]
ok 'and without waiting for the end of the run'
start=$(date +%s)
"$cupel" run -- yes | head -n 1 >first
[ "$(cat first)" = y ] && [ $(($(date +%s) - start)) -lt 20 ]
ok 'a reader that goes away ends the run'
(exec 3>&1; { "$cupel" run -- yes; echo $? >&3; } | head -n 1 >first) >rc
[ "$(cat rc)" = 141 ]
ok 'and the status is that of SIGPIPE'
"$cupel" run -- echo x >&- 2>../err
[ $? = 1 ] && grep -q '^cupel: stdout: ' ../err
ok 'a closed stdout is told'
if [ -e /dev/full ]; then
	"$cupel" run -- echo x >/dev/full 2>../err
	[ $? = 1 ] && grep -q '^cupel: stdout: No space' ../err
	ok 'a full device is told'
fi
[ "$("$cupel" run --output-bytes 10 -- echo 0123456789abcdef)" = "0123456789
[TRUNCATED]" ]
ok 'what is cut is said to be'
"$cupel" run --stdout ../out/o --stderr ../out/e -- \
	sh -c 'printf "a\033b"; echo oh >&2' >../all 2>&1
[ "$(cat ../out/o)" = "$(printf 'a\033b')" ] && [ "$(cat ../out/e)" = oh ] &&
	[ ! -s ../all ]
ok '--stdout and --stderr write files'

# --- stdin
gives 'stdin is empty' 0 0 '' -- wc -c
echo hello >in
gives '--stdin FILE' 0 hello '' -- --stdin in -- cat
[ "$(echo piped | "$cupel" run --stdin - -- cat)" = piped ]
ok '--stdin -'
[ "$(echo piped | "$cupel" run -- cat)" = '' ]
ok "the caller's stdin is not the command's"
echo '{"command": ["cat"], "stdin": "in"}' >spec.json
[ "$("$cupel" run --spec spec.json)" = hello ]
ok 'a spec names it, too'
[ "$("$cupel" run --spec - -- echo x <spec.json)" = x ]
ok 'a spec from stdin; options win'

# A fifo is read while the command runs, within the wall time.
"$cupel" run --stdin fifo --wall-time-s 0.3 -- cat >../o 2>../err
[ $? = 124 ] && grep -q '^cupel: TIMEOUT' ../err
ok '--stdin of a fifo without a writer ends with the wall time'
"$cupel" run --stdin fifo -- true
ok 'and does not hold a command that reads nothing'
{ sleep 0.2 && echo slow >fifo; } &
[ "$(timeout 20 "$cupel" run --stdin fifo -- cat)" = slow ]
ok 'and is read when a writer comes'
wait

# --- status, in one line and by number
gives 'not found' 127 '' 'cupel: FAILED: '"'no-such-command': not found in the vessel's PATH" -- \
	no-such-command
: >plain
gives 'not executable' 126 '' \
	"cupel: FAILED: '/repo/plain' exists but cannot be executed: Permission denied" \
	-- /repo/plain
gives 'not found, and --quiet' 127 '' '' -- --quiet no-such-command
gives 'an artifact that is not there' 0 '' \
	'cupel: --artifact: /tmp/x: not copied, not_found' -- \
	--artifact /tmp/x:../x true
gives 'two of them are one line' 0 '' "cupel: --artifact: /tmp/x: not copied, $(
	)not_found; and others, see artifacts (--json)" -- \
	--artifact /tmp/x:../x --artifact /tmp/y:../y true
gives 'an artifact that is there needs no line' 0 '' '' -- \
	--artifact /tmp/x:../x sh -c 'echo >/tmp/x'
gives 'an odd name does no harm' 0 '' \
	'cupel: --artifact: /tmp/a\x1bb: not copied, not_found' -- \
	--artifact "$(printf '/tmp/a\033b'):../x" true
gives 'a signal of its own' 138 '' \
	"$("$cupel" run -- sh -c 'kill -USR1 $$' 2>&1 >/dev/null)" -- \
	sh -c 'kill -USR1 $$'
says() { # says STATUS RC -- ARGS...
	sa_status=$1 sa_rc=$2
	shift 3
	timeout 60 "$cupel" run "$@" >../o 2>../err
	[ $? = "$sa_rc" ] && [ "$(wc -l <../err)" = 1 ] &&
		grep -q "^cupel: $sa_status: ." ../err || {
		sed 's/^/# /' ../err
		return 1
	}
}
says TIMEOUT 124 -- --wall-time-s 0.3 -- sleep 9
ok 'TIMEOUT in one line'
says KILLED_TERM 143 -- -- sh -c 'kill $$'
ok 'KILLED_TERM in one line'
says KILLED_KILL 137 -- -- sh -c 'kill -9 $$'
ok 'KILLED_KILL in one line'
says CPU_LIMIT 152 -- --cpu-time-s 1 -- sh -c 'while :; do :; done'
ok 'CPU_LIMIT in one line'
says OUTPUT_LIMIT 137 -- --output-mode kill --output-bytes 1K -- yes
ok 'OUTPUT_LIMIT in one line'
says FILE_SIZE_LIMIT 153 -- --fsize-bytes 1K -- \
	sh -c 'exec head -c 9999 /dev/zero >/scratch/f'
ok 'FILE_SIZE_LIMIT in one line'
gives '--quiet says nothing' 124 '' '' -- --quiet --wall-time-s 0.3 -- sleep 9
timeout 60 "$cupel" run --json --wall-time-s 0.3 -- sleep 9 >../r 2>../err
[ $? = 124 ] && [ ! -s ../err ] && [ "$(key ../r status)" = TIMEOUT ]
ok '--json says it there and nowhere else'
"$cupel" run --verbose -- true 2>&1 | grep -q '^cupel: OK, rc 0, after '
ok '--verbose says more'

# --- the result
"$cupel" run --json -- sh -c 'echo a; echo b >&2' >../r 2>../err
[ ! -s ../err ] && [ "$(key ../r stdout)" = a ] && [ "$(wc -l <../r)" = 1 ]
ok '--json is one line on stdout'
"$cupel" schema result >../s &&
	"$cupel" validate --schema ../s ../r >../v || { cat ../v; false; }
ok 'and valid against the schema'
echo old >../out/r
chmod 644 ../out/r
[ "$("$cupel" run --json=../out/r -- echo hi)" = hi ] &&
	[ "$(key ../out/r stdout)" = hi ]
ok '--json=FILE replaces the file, output goes through'
ln -s r ../out/link
one_line 2 'link: is a symbolic link' -- run --json=../out/link -- true
ok '--json=FILE follows no link'
[ "$(ls ../out | wc -l)" = 4 ]
ok 'and leaves nothing beside it'
"$cupel" run --json=/dev/fd/3 -- echo hi 3>../r >/dev/null &&
	[ "$(key ../r stdout)" = hi ]
ok '--json=/dev/fd/N writes there'

# --- a host that cannot make vessels
cannot() {
	unshare --user --map-root-user --mount sh -c \
		'echo 0 >/proc/sys/user/max_user_namespaces && "$@"' sh "$@"
}
cannot "$cupel" run -- sh -c 'echo it ran' >../o 2>../err
[ $? = 1 ] && [ ! -s ../o ] && grep -q '^cupel: INTERNAL_ERROR: .' ../err
ok 'a host that cannot ends it before the command starts'
# Done by root: a new PID namespace also has its own copy of the sysctl.
if [ "$(id -u)" = 0 ] && [ -e /proc/sys/vm/memfd_noexec ]; then
	unshare --pid --fork --mount --mount-proc sh -c '
		echo 2 >/proc/sys/vm/memfd_noexec && "$@"' sh \
		"$cupel" run --json -- true >../r 2>../err
	[ "$(key ../r status) $(key ../r cause) $(key ../r started)" = \
		'INTERNAL_ERROR host False' ] &&
		key ../r message | grep -q 'sudo sysctl vm.memfd_noexec=1$'
	ok 'names the sysctl that forbids memory files'
fi
cannot "$cupel" run --error-rc 99 -- true 2>../err
[ $? = 99 ]
ok '--error-rc replaces 1'
cannot "$cupel" run --json -- true >../r 2>../err
case $(key ../r status),$(key ../r cause) in
INTERNAL_ERROR,host | INTERNAL_ERROR,busy) [ ! -s ../err ] ;;
*) false ;;
esac
ok 'the result says whose fault it is'
finish
