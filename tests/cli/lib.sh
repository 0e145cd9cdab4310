# lib.sh -- for the tests of the command: TAP, and what a person sees.
# Sourced.  $cupel is the command, $work a directory that goes away.
set -u
cupel=$BUILD/cupel
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
n=0 bad=0

# user_cupel -- make $cupel one that an ordinary user can start, too: the tree may lie
# where only root can go
user_cupel() {
	chmod 711 "$work"
	mkdir -p "$work/bin" && cp "$cupel" "$work/bin/cupel" &&
		cupel=$work/bin/cupel
}

ok() { # ok NAME -- reports what the command before it returned
	ok_status=$?
	n=$((n + 1))
	if [ "$ok_status" -eq 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		bad=$((bad + 1))
	fi
}

skip() { # skip NAME WHY
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# is NAME WANT_STATUS WANT_STDERR -- ARGS...   stderr is one line, whole
is() {
	is_name=$1 is_want=$2 is_text=$3
	shift 4
	is_got=$("$cupel" "$@" 2>&1 >/dev/null </dev/null)
	is_status=$?
	[ "$is_status" = "$is_want" ] && [ "$is_got" = "$is_text" ]
	ok "$is_name" || :
	[ "$is_status" = "$is_want" ] && [ "$is_got" = "$is_text" ] ||
		echo "# status $is_status, stderr: $is_got"
}

# one_line STATUS PART -- ARGS...   exits with STATUS; stderr is exactly one
# line, and it has PART in it
one_line() {
	ol_want=$1 ol_part=$2
	shift 3
	ol_got=$("$cupel" "$@" 2>&1 >/dev/null </dev/null)
	ol_status=$?
	case $ol_got in
	*"
"*) echo "# more than a line: $ol_got"; return 1 ;;
	*"$ol_part"*) ;;
	*) echo "# stderr: $ol_got"; return 1 ;;
	esac
	[ "$ol_status" = "$ol_want" ] && return
	echo "# status $ol_status: $ol_got"
	return 1
}

# as_user COMMAND... -- as an ordinary user when this is root
as_user() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid 65534 --regid 65534 --clear-groups -- "$@"
	else
		"$@"
	fi
}

finish() {
	echo "1..$n"
	exit $((bad != 0))
}
