# both.sh -- a suite of a client, as whoever calls and, by root, as uid 65534.
# Sourced after SRC and BUILD are set.
#
# both FEW ALL COMMAND... -- COMMAND, with the words of ALL, prints lines of TAP
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

# The status of what is piped away, as a case.
pass_ended() { # pass_ended LABEL WAY COMMAND...
	ended_label=$1
	shift
	{ "$@"; echo "end - $? " ; } 2>&1 | awk '
		/^end - 0 / { if (seen) print "ok - its suite ran to its end"
			else print "not ok - no case"; next }
		/^end - / { print "not ok - its suite ended with " $3; next }
		/^(not )?ok / { seen = 1 }
		{ print }' | number "$ended_label"
}

both() {
	few=$1 all=$2
	shift 2
	if [ "$(id -u)" != 0 ]; then
		pass_ended "uid $(id -u)" "$@" $all
		return
	fi
	[ "${CUPEL_TIER:-}" = quick ] || few=$all
	pass_ended 'uid 0' "$@" $few
	stage_for 65534
	pass_ended 'uid 65534' as_there "$@" $all
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
