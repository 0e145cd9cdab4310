#!/bin/sh
# completion.t -- the completion scripts: the one for bash is run; those for
# other shells are read by their shell where it is there.
n=0
bad=0
make=$BUILD/tests/golden/write_completion
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

report() { # report NAME GOT WANT
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		echo "# got    $2"
		echo "# wanted $3"
		bad=1
	fi
}

for shell in bash zsh fish; do
	"$make" $shell >"$work/$shell" || echo "Bail out! $make $shell"
done
"$make" tcsh >"$work/tcsh"
report "an unknown shell is refused" "$?" 2

# complete WORD... -- what bash offers for the last word
complete_words() {
	bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cupel
		echo "${COMPREPLY[*]}"' "$work/bash" "$@"
}

if command -v bash >/dev/null; then
	cd "$work" || exit 1
	mkdir room && : >file.json
	report "commands" "$(complete_words cupel '')" "run confirm"
	report "options by prefix" \
		"$(complete_words cupel run --repo)" "--repo --repo-at --repo-mode --report --report-names"
	report "a command's own options" \
		"$(complete_words cupel confirm -)" "--jobs --resume"
	report "words of an enum" \
		"$(complete_words cupel run --repo-mode '')" "ro overlay none"
	report "no word that comes later" \
		"$(complete_words cupel run --backend '')" \
		"auto namespaces landlock rlimits"
	report "words behind '='" \
		"$(complete_words cupel run --output-mode = k)" "kill"
	report "nothing typed behind '='" \
		"$(complete_words cupel run --output-mode =)" "truncate kill"
	report "profiles and files" \
		"$(complete_words cupel run --profile p)" \
		"pytest pip-install python-function probe parser"
	report "directories" "$(complete_words cupel run --repo r)" "room"
	report "files" "$(complete_words cupel run --spec file.)" "file.json"
	report "no options of ours behind the command" \
		"$(complete_words cupel run --nofile 3 ls --repo-m)" ""
	report "no options of ours behind --" \
		"$(complete_words cupel run -- --repo-m)" ""
	report "options behind a value" \
		"$(complete_words cupel run --nofile 3 --quie)" "--quiet"
	report "options behind '=' and a value" \
		"$(complete_words cupel run --nofile = 3 --quie)" "--quiet"
else
	n=$((n + 1))
	echo "ok $n - bash # SKIP no bash"
fi

for shell in zsh fish; do
	n=$((n + 1))
	if ! command -v $shell >/dev/null; then
		echo "ok $n - $shell reads it # SKIP no $shell"
	elif $shell -n "$work/$shell"; then
		echo "ok $n - $shell reads it"
	else
		echo "not ok $n - $shell reads it"
		bad=1
	fi
done

for shell in bash zsh fish; do
	missing=
	for option in profile spec ro nofile json error-rc help; do
		case $shell in
		fish) grep -q -- "-l $option " "$work/$shell" ;;
		zsh) grep -q -- "--$option[=[]" "$work/$shell" ;;
		*) grep -q -- " --$option[ \"]" "$work/$shell" ;;
		esac || missing="$missing $option"
	done
	report "$shell knows the options" "$missing" ""
	report "$shell knows no profile-only word" \
		"$(grep -c 'cpu-hard\|wall-alarm' "$work/$shell")" 0
done
echo "1..$n"
exit $bad
