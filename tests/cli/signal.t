#!/bin/sh
# Signals to cupel run.
. "$SRC/tests/cli/lib.sh"
mkdir "$work/repo" && cd "$work/repo" || exit 1

# begin ARGS...   runs until the command has said "ready"; $pid is cupel
begin() {
	rm -f ../ready
	mkfifo ../ready
	"$cupel" run "$@" >../ready 2>../err &
	pid=$!
	exec 4<../ready
	read -r line <&4
	[ "$line" = ready ]
}
# ends WANT -- cupel ends with that status (tests/bounded.sh bounds the wait)
ends() {
	wait "$pid"
	st=$?
	exec 4<&-
	[ "$st" = "$1" ] && return
	echo "# status $st, stderr: $(cat ../err)"
	return 1
}

for s in TERM INT HUP QUIT; do
	case $s in TERM) n_s=15 ;; INT) n_s=2 ;; HUP) n_s=1 ;; QUIT) n_s=3 ;; esac
	# a shell's background job ignores INT and QUIT: env resets them
	rm -f ../ready; mkfifo ../ready
	env --default-signal=INT,QUIT "$cupel" run -- sh -c \
		"trap 'exit 5' $s; echo ready; while :; do sleep 0.1; done" \
		>../ready 2>../err &
	pid=$!
	exec 4<../ready
	read -r line <&4
	kill "-$s" "$pid"
	ends 5
	ok "$s is passed on to the command"

	rm -f ../ready; mkfifo ../ready
	env --default-signal=INT,QUIT "$cupel" run --kill-after-s 0.3 -- sh -c \
		"trap '' $s; echo ready; while :; do sleep 0.1; done" \
		>../ready 2>../err &
	pid=$!
	exec 4<../ready
	read -r line <&4
	kill "-$s" "$pid"
	ends $((128 + n_s))
	ok "a command that ignores $s is killed"
	grep -q '^cupel: KILLED_TERM: .' ../err
	ok "and that is told"
done

begin --kill-after-s 60 -- sh -c \
	"trap '' TERM; echo ready; while :; do sleep 0.1; done"
began=$(date +%s)
kill -TERM "$pid"
sleep 0.2
kill -TERM "$pid"
ends 143 && [ $(($(date +%s) - began)) -lt 40 ]
ok 'a second signal kills at once'

begin --json=../r -- sh -c \
	"trap 'exit 5' TERM; echo ready; while :; do sleep 0.1; done"
kill -TERM "$pid"
ends 5 && python3 -c 'import json, sys; r = json.load(open(sys.argv[1]))
sys.exit((r["status"], r["rc"]) != ("FAILED", 5))' ../r
ok 'the result is written all the same'

# A sleep time that no other process uses; on a busy machine ending takes longer.
nap=7654.$$
begin -- sh -c "echo ready; sleep $nap"
kill -KILL "$pid"
wait "$pid" 2>/dev/null
exec 4<&-
left=50
while [ $left -gt 0 ] && pgrep -f "sleep $nap\$" >/dev/null; do
	sleep 0.1
	left=$((left - 1))
done
[ $left -gt 0 ]
ok 'SIGKILL leaves nothing'

# nohup: what the caller ignores stays ignored
rm -f ../ready; mkfifo ../ready
(trap '' HUP; exec "$cupel" run -- sh -c 'echo ready; sleep 1; exit 6') \
	>../ready 2>../err &
pid=$!
exec 4<../ready
read -r line <&4
kill -HUP "$pid"
ends 6
ok 'an ignored SIGHUP stays ignored'
finish
