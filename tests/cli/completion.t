#!/bin/sh
# The completions, each in its own shell.
. "$SRC/tests/cli/lib.sh"

for s in bash zsh fish; do
	"$cupel" completion "$s" >"$work/$s" && [ -s "$work/$s" ]
	ok "$s is printed"
	if command -v "$s" >/dev/null; then
		"$s" -n "$work/$s"
		ok "$s can read it"
	else
		skip "$s can read it" "$s is not installed"
	fi
done

# complete WORD... -- what bash offers for the last of the words
complete_with_bash() {
	bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cupel
		printf "%s\n" "${COMPREPLY[@]}"' "$work/bash" "$@"
}
offers() { # offers WANT -- WORD...
	of_want=$1
	shift 2
	complete_with_bash "$@" >"$work/offers" 2>&1
	grep -qx -e "$of_want" "$work/offers" && return
	sed 's/^/# offered: /' "$work/offers" | head -n 20
	return 1
}
if command -v bash >/dev/null; then
	for c in $("$cupel" --help |
		sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
		offers "$c" -- cupel "$(echo "$c" | cut -c1-2)"
		ok "bash offers $c"
	done
	offers --apparmor -- cupel doctor --a
	ok "bash offers doctor's options"
	! offers --apparmor -- cupel doctor --j >/dev/null
	ok 'and only those that begin so'
fi
finish
