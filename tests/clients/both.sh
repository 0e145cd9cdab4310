# both.sh -- a suite of a client, as whoever calls and, by root, as uid 65534.
# Sourced after SRC and BUILD are set.
#
# both FEW ALL COMMAND... -- COMMAND, with a word of ALL, prints lines of TAP
# without a plan; they are numbered here, and say whose they are.  By root in the
# quick tier the words are FEW: the rest is the ordinary user's then.
# one NAME COMMAND... -- a case of its own: COMMAND exits with 0.
# finish -- the plan.
. "$SRC/tests/as.sh"
counted=$(mktemp) || exit 1
PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
export PATH

number() { # number LABEL STATUS_FILE -- lines of TAP, counted in $counted
	awk -v label="$1" -v counted="$counted" '
		BEGIN { while ((getline line < counted) > 0) n++ }
		/^(not )?ok / {
			n++
			print "x" >>counted
			sub(/ok [0-9]* *-* */, "ok " n " - [" label "] ")
		}
		/^(TAP|[0-9]+\.\.)/ { next }
		{ print }'
}

# What a suite said, read back: its cases, and its own end as one more.
suite_ended() { # suite_ended LABEL <what suite_run wrote
	awk '
		/^end - 0 / { if (seen) print "ok - its suite ran to its end"
			else print "not ok - no case"; next }
		/^end - / { print "not ok - its suite ended with " $3; next }
		/^(not )?ok / { seen = 1 }
		{ print }' | number "$1"
}

suite_run() { # suite_run FILE COMMAND...
	suite_file=$1
	shift
	{ "$@"; echo "end - $? " ; } >"$suite_file" 2>&1
}

# What a shell starts beside itself ignores SIGINT; a suite shall not.
with_sigint='import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])'

# Suites wait more than they work: all at once, told one after the other.
both() {
	few=$1 all=$2
	shift 2
	set -- python3 -c "$with_sigint" "$@"
	said=$(mktemp -d) || exit 1
	if [ "$(id -u)" != 0 ]; then
		for suite in $all; do
			suite_run "$said/$suite" "$@" "$suite" &
		done
		few=
	else
		[ "${CUPEL_TIER:-}" = quick ] || few=$all
		stage_for 65534
		for suite in $few; do
			suite_run "$said/root-$suite" "$@" "$suite" &
		done
		for suite in $all; do
			suite_run "$said/$suite" as_there "$@" "$suite" &
		done
	fi
	wait
	for suite in $few; do
		suite_ended 'uid 0' <"$said/root-$suite"
	done
	user=$(id -u)
	[ "$user" != 0 ] || user=65534
	for suite in $all; do
		suite_ended "uid $user" <"$said/$suite"
	done
	rm -rf "$said"
}

as_there() { (cd "$tmp" && as_user 65534 "$@"); }

one() {
	one_name=$1
	shift
	one_out=$("$@" 2>&1)
	one_status=$?
	case $one_status in
	0) echo "ok - $one_name" ;;
	77) echo "ok - $one_name # SKIP $one_out" ;;
	*)	echo "not ok - $one_name"
		echo "$one_out" | sed 's/^/# /' ;;
	esac | number "uid $(id -u)"
}

finish() {
	echo "1..$(wc -l <"$counted")"
	rm -f "$counted"
	stage_done
}
