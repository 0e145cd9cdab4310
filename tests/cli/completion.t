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

# each ASK WANT -- SHELL...: each of the shell's answers, one a line, has WANT in it
asks='run --repo-mo|--repo-mode
run --repo-mode ov|overlay
con|confirm
doctor --ap|--apparmor
profile sh|show
run --nofile 3 --quie|--quiet'
silent='run --network vi
run --quiet ls --repo-mo
run --nofile 3 -- ls --repo-mo
doctor --repo-mo'
if command -v fish >/dev/null; then
	fish_offers() {
		HOME=$work XDG_CONFIG_HOME=$work fish --no-config -c \
			'source $argv[1]; complete -C "cupel $argv[2]"' \
			"$work/fish" "$1" 2>&1
	}
	while IFS='|' read -r ask want; do
		fish_offers "$ask" </dev/null | cut -f1 | grep -qxe "$want"
		ok "fish makes '$want' of '$ask'"
	done <<-END
	$asks
	END
	while read -r ask; do
		[ -z "$(fish_offers "$ask" </dev/null)" ]
		ok "fish makes nothing of '$ask'"
	done <<-END
	$silent
	END
fi
if command -v zsh >/dev/null; then
	cp "$work/zsh" "$work/_cupel"
	set --
	while IFS='|' read -r ask want; do
		set -- "$@" "cupel $ask"
	done <<-END
	$asks
	$silent
	END
	python3 "$SRC/tests/cli/zsh_complete.py" "$work" "$@" >"$work/lines" ||
		sed 's/^/# /' "$work/lines"
	while IFS='|' read -r ask want; do
		grep -qxe "cupel ${ask% *} $want[= ]*" -e "cupel $want " \
			"$work/lines"
		ok "zsh makes '$want' of '$ask'"
	done <<-END
	$asks
	END
	while read -r ask; do
		grep -qxe "cupel $ask" "$work/lines"
		ok "zsh makes nothing of '$ask'"
	done <<-END
	$silent
	END
fi
finish
