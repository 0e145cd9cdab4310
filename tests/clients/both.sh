# both.sh -- a suite of a client, as whoever calls and, by root, as uid 65534.
# Sourced after SRC and BUILD are set.
#
# both COMMAND... -- COMMAND prints lines of TAP without a plan; they are
# numbered here, and say whose they are.
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
	pass_ended "uid $(id -u)" "$@"
	[ "$(id -u)" = 0 ] || return 0
	stage_for 65534
	pass_ended "uid 65534" as_there "$@"
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
