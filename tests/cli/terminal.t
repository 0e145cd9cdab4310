#!/bin/sh
# Output on a terminal: nothing from inside reaches it raw.
. "$SRC/tests/cli/lib.sh"
mkdir "$work/repo" && cd "$work/repo" || exit 1
command -v script >/dev/null || {
	skip 'output on a terminal' 'script(1) is not installed'
	finish
}
# on_terminal ARGS... -- the bytes that a terminal gets, as od prints them
on_terminal() {
	for a; do printf "'%s' " "$a"; done >../args
	script -qec "'$cupel' $(cat ../args)" /dev/null </dev/null |
		tr -d '\r' >../tty
}
esc=$(printf '\033')

on_terminal run -- printf 'a\033[31mb\tc\nd'
[ "$(cat ../tty)" = "$(printf 'a\\x1b[31mb\tc\nd')" ]
ok 'escapes control characters'
on_terminal run -- sh -c 'printf "a\033b" >&2'
[ "$(cat ../tty)" = 'a\x1bb' ]
ok 'on stderr as well'
on_terminal run -- printf 'a\302\233b\233c\377'
[ "$(cat ../tty)" = 'a\xc2\x9bb\x9bc\xff' ]
ok 'escapes C1 controls and what is no text'
rlo=$(printf '\342\200\256')
on_terminal run -- printf 'a\342\200\256b\342\201\246c\330\234d'
[ "$(cat ../tty)" = 'a\xe2\x80\xaeb\xe2\x81\xa6c\xd8\x9cd' ]
ok 'escapes what turns the direction of text'
on_terminal run -- "$(printf 'x\342\200\256y')"
! grep -q "$rlo" ../tty
ok "in the command's name"
on_terminal run --json -- printf 'a\342\200\256b'
! grep -q "$rlo" ../tty && grep -q 'a\\u202eb' ../tty
ok 'and in a result'
on_terminal run --raw -- printf 'a\033[31mb'
grep -q "$esc" ../tty
ok '--raw leaves them'
on_terminal run --json -- printf 'a\033[31mb\302\233c\177'
! LC_ALL=C grep -q "$(printf '[\033\177\233]')" ../tty &&
	grep -q 'a\\u001b\[31mb\\u009bc\\u007f' ../tty
ok '--json escapes them in its own way'
on_terminal run --json -- sh -c 'printf "\033" >&2; exit 3'
! grep -q "$esc" ../tty
ok 'and nothing passes beside it'
on_terminal run -- "$(printf 'x\033[1my')"
! grep -q "$esc" ../tty
ok "the command's name is escaped"
finish
