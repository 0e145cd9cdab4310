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
	report "commands" "$(complete_words cupel '')" "run confirm doctor profile gather batch"
	report "options by prefix" \
		"$(complete_words cupel run --repo)" \
		"--repo --repo-at --repo-mode --report --report-names"
	report "a command's own options" "$(complete_words cupel confirm -)" \
		"--jobs --repo --caps --profile --resume"
	report "own options and the table's" \
		"$(complete_words cupel batch --re)" \
		"--repo --resume --repo --repo-at --repo-mode --result-schema\
 --ref --result-from --result-bytes --report --report-names"
	report "directories of an own option" \
		"$(complete_words cupel confirm --repo '')" "room"
	report "files of an own option" \
		"$(complete_words cupel confirm --caps '' | tr ' ' '\n' |
			grep -cx -e file.json -e room)" 2
	report "profiles of an own option" \
		"$(complete_words cupel confirm --profile pyt)" \
		"pytest python-function"
	report "nothing for a number" "$(complete_words cupel confirm --jobs '')" ""
	report "nothing for a number of the table" \
		"$(complete_words cupel run --nofile '')" ""
	report "no command of the shell where none is run" \
		"$(complete_words cupel doctor '')$(complete_words cupel doctor l)" ""
	report "words of a command" "$(complete_words cupel profile '')" "list show"
	report "profiles behind a word" \
		"$(complete_words cupel profile show pyt)" "pytest python-function"
	report "files behind words" "$(complete_words cupel confirm x file)" \
		"file.json"
	report "options behind words" \
		"$(complete_words cupel confirm x --res)" "--resume"
	report "no options behind --, but files" \
		"$(complete_words cupel confirm -- --res)$(
			complete_words cupel confirm -- file)" "file.json"
	report "directories behind options" "$(complete_words cupel gather '')" \
		"room"
	report "not every command of the shell, but files" \
		"$(complete_words cupel run '' | tr ' ' '\n' | grep -cx -e sh -e ls)\
 $(complete_words cupel run '' | tr ' ' '\n' | grep -cx file.json)" "0 1"
	report "commands where one was begun" \
		"$(complete_words cupel run --quiet bas | tr ' ' '\n' |
			sort -u | grep -cx bash)" 1
	report "files of a command" "$(complete_words cupel run ls file)" "file.json"
	report "an optional argument takes no word" \
		"$(complete_words cupel run --json --quie)" "--quiet"
	report "files behind an optional argument's '='" \
		"$(complete_words cupel run --json = file)" "file.json"
	: >'a file'
	report "a name with a blank is one" \
		"$(complete_words cupel run --spec 'a ' | wc -w) $(
			bash -c '. "$0"; COMP_WORDS=(cupel run --spec "a ")
			COMP_CWORD=3; _cupel; echo ${#COMPREPLY[@]}' "$work/bash")" \
		"2 1"
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
		"pytest prove pip-install python-function probe parser"
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
