#!/bin/sh
# When the caller's limit on file size is reached, cupel says so in one line and is
# never ended by SIGXFSZ; the command starts with the default for that signal.
. "$SRC/tests/cli/lib.sh"
user_cupel
mkdir "$work/out" && cd "$work/out" || exit 1
bytes=100000

limited() { # limited ARGS...   run with stdout to a file, under the limit
	rm -f ../written
	prlimit --fsize=$bytes "$cupel" "$@" >../written 2>../err </dev/null
}

# says STATUS LINE -- how the last run ended and what it said; the file is full
says() {
	says_status=$?
	[ "$says_status" = "$1" ] && [ "$(cat ../err)" = "$2" ] && return
	echo "# status $says_status, stderr: $(cat ../err)"
	return 1
}

is_full() { # is_full FILE
	[ "$(stat -c %s "$1")" = $bytes ] && return
	echo "# $1 has $(stat -c %s "$1") bytes"
	return 1
}

command='--repo-mode none -- seq 100000'
# shellcheck disable=SC2086
limited run --json $command
says 1 'cupel: stdout: File too large' && is_full ../written
ok 'run --json: one line, and 1'
# shellcheck disable=SC2086
limited run $command
says 1 'cupel: stdout: File too large' && is_full ../written
ok 'run: one line, and 1'
# shellcheck disable=SC2086
limited run --stdout one $command
says 1 'cupel: stdout: File too large' && is_full one
ok 'run --stdout: one line, and 1'
# shellcheck disable=SC2086
limited run --stdout /dev/null --json=two $command
says 1 'cupel: --json: two: File too large' && [ ! -e two ]
ok 'run --json=FILE: one line, 1, and no half of a file'
[ "$(ls -A)" = one ]
ok 'and nothing that was begun is left'
bytes=3000
limited schema result
says 1 'cupel: stdout: File too large' && is_full ../written
ok 'schema: one line, and 1'
limited run --repo-mode none -- true
says 1 "cupel: INTERNAL_ERROR: a memory file for init: files may not grow to its \
size here (RLIMIT_FSIZE, ulimit -f)"
ok 'a limit below what a vessel is made of is named'

bytes=60000
awk 'BEGIN { for (i = 0; i < 40; i++)
	print "{\"id\":\"" i "\",\"command\":[\"true\"],\"repo_mode\":\"none\"}" }' \
	>../lines
limited batch ../lines
says 1 'cupel: stdout: cannot be written: File too large' && is_full ../written
ok 'batch: one line, and 1'
limited batch ../lines results
says 1 'cupel: results: cannot be written: File too large' &&
	[ "$(tail -c 1 results | od -An -c | tr -d ' ')" = '\n' ] &&
	[ "$(wc -l <results)" -ge 5 ]
ok 'batch to a file: the same, and whole lines'
"$cupel" batch --quiet --resume ../lines results &&
	[ "$(sed 's/.*"id":"\([0-9]*\)","line.*/\1/' results | sort -u |
		wc -l)" = 40 ] && [ "$(wc -l <results)" = 40 ]
ok 'after which --resume continues'

# cupel ignores the signal, and the command does not.
for who in env as_user; do
	bytes=1000000
	$who prlimit --fsize=$bytes "$cupel" run --repo-mode none -- sh -c '
		head -c 2000000 /dev/zero >/scratch/x; echo $?' >../r 2>../err
	grep -qx 153 ../r
	ok "a command's own write ends it by SIGXFSZ ($who)"
	$who "$cupel" run --repo-mode none -- grep SigIgn /proc/self/status >../r
	grep -qx 'SigIgn:	0000000000000000' ../r
	ok "it ignores no signal ($who)"
done
finish
