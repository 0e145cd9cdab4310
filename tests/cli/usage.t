#!/bin/sh
# What a person sees when the request is wrong: one line, exit 2.
. "$SRC/tests/cli/lib.sh"

is 'asks for a command' 2 "cupel: no command given; see 'cupel --help'" --
is 'names an unknown command' 2 \
	"cupel: unknown command 'rum', did you mean 'run'? see 'cupel --help'" \
	-- rum
is 'names no other command where none is near' 2 \
	"cupel: unknown command 'build'; see 'cupel --help'" -- build
is 'names an unknown global option' 2 \
	"cupel: unknown option '--wall'; see 'cupel --help'" -- --wall
is 'escapes what it repeats' 2 \
	"cupel: unknown command 'a?[31mb'; see 'cupel --help'" -- \
	"$(printf 'a\033[31mb')"
is 'profile wants a verb it knows' 2 \
	"cupel: profile: expected list, show [NAME|FILE], check FILE or\
 find [REPO] [-- COMMAND], not 'lst'" \
	-- profile lst
is 'profile check wants a file' 2 'cupel: profile check: expected FILE after it' -- \
	profile check
is 'completion wants a shell it knows' 2 \
	"cupel: completion: expected bash, zsh or fish, found 'csh'" -- completion csh
is 'doctor names an unknown option' 2 \
	"cupel: unknown option '--jsn', did you mean '--json'?" -- \
	doctor --jsn
is 'doctor takes no words' 2 "cupel: doctor: expected options only, found 'x'" -- doctor x
is 'a flag takes no value' 2 'cupel: --json takes no value' -- doctor --json=1
is 'asks for a missing value' 2 'cupel: --profile needs NAME|FILE' -- \
	doctor --profile
one_line 2 "'nosuch'" -- doctor --profile nosuch
ok 'names an unknown profile'
is 'help of an unknown command' 2 \
	"cupel: unknown command 'x'; see 'cupel --help'" -- help x

[ "$("$cupel" --version)" = "cupel $(sed -n \
	's/^AC_INIT(\[cupel\], \[\([^]]*\).*/\1/p' "$SRC/configure.ac")" ]
ok 'prints its version'

# Options may come before and after other words, except in subcommands that take a
# command line.
echo '{}' >"$work/x.json"
echo '{ "v": 1 }' >"$work/s.json"
for line in 'validate --lines x.json' 'validate x.json --lines' \
	'validate --schema s.json x.json' 'validate x.json --schema s.json' \
	'validate x.json --schema=s.json' 'validate --schema s.json -- x.json'; do
	# shellcheck disable=SC2086
	(cd "$work" && "$cupel" $line) >"$work/a" 2>"$work/e"
	[ $? = 0 ] && [ ! -s "$work/e" ] && grep -q '"valid":true' "$work/a"
	ok "$line"
done
is 'an unknown option behind a word' 2 \
	"cupel: unknown option '--lins', did you mean '--lines'?" -- \
	validate "$work/x.json" --lins
is 'behind -- there is none' 2 \
	"cupel: validate: expected one FILE, found '--lines' after it" -- \
	validate "$work/x.json" -- --lines
is 'words keep their order' 2 \
	"cupel: validate: expected one FILE, found 'b' after it" -- \
	validate a --lines b --lines c
is 'a value that is missing at the end' 2 'cupel: --jobs needs N' -- \
	confirm a b --jobs
is 'an option of a verb' 2 "cupel: gate show: unexpected operand 'b'" -- \
	gate show a --state s b
for c in $("$cupel" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
do
	case $c in
	run | plan | shell) continue ;;
	audit) word=verify ;;
	egress) word=rules ;;
	*) word=show ;;
	esac
	"$cupel" "$c" "$word" --help >"$work/a" 2>"$work/e" </dev/null
	[ $? = 0 ] && "$cupel" help "$c" | cmp -s - "$work/a"
	ok "$c $word --help"
done

for c in $("$cupel" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
do
	"$cupel" "$c" --help >"$work/a" 2>"$work/e" </dev/null &&
		[ ! -s "$work/e" ] &&
		grep -q "^usage: cupel $c" "$work/a" &&
		grep -q "cupel-$c(1)" "$work/a"
	ok "$c --help"
	"$cupel" help "$c" | cmp -s - "$work/a"
	ok "help $c is the same"
	[ "$(awk 'length > 80' "$work/a" | wc -l)" = 0 ]
	ok "$c --help has 80 columns"
done
[ "$n" -gt 20 ]
ok 'there are commands'

if [ -e /dev/full ]; then
	"$cupel" --help >/dev/full 2>"$work/e"
	[ $? = 1 ] && grep -q '^cupel: stdout: No space' "$work/e"
	ok 'a full device is told'
fi
"$cupel" --help >&- 2>"$work/e"
[ $? = 1 ] && grep -q '^cupel: stdout: ' "$work/e"
ok 'a closed stdout is told'
"$cupel" nosuch 2>&-
[ $? = 2 ]
ok 'a closed stderr changes no status'
finish
