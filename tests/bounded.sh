#!/bin/sh
# bounded.sh -- run a test program so that it cannot hold up the others.
# usage: bounded.sh PROGRAM [ARG...]
#
# The program may take CUPEL_TEST_SECONDS (900).  Its output goes through a file, so
# that a process that it leaves behind cannot keep the reader waiting.  A process
# that is left in its process group makes the test fail, and is killed.
# The last line says how long it took, a figure for people.
out=$(mktemp) || exit 99
began=$(date +%s)
trap 'rm -f "$out"' EXIT
trap 'kill -s KILL -- "-$group" 2>/dev/null; exit 99' HUP INT TERM
timeout -k 5 "${CUPEL_TEST_SECONDS:-900}" "$@" >"$out" &
group=$!
wait "$group"
status=$?
cat "$out"
echo "# took $(($(date +%s) - began)) s"
left() {
	cat /proc/[0-9]*/stat 2>/dev/null | sed 's/^\([0-9]*\) .*) /\1 /' |
		awk -v g="$group" '$4 == g && $2 != "Z" { n++ } END { print n + 0 }'
}
left_lines() {
	ps -e -o pid=,ppid=,pgid=,stat=,wchan=,etimes=,args= 2>/dev/null |
		awk -v g="$group" '$3 == g && $4 !~ /^Z/ { print "# " substr($0, 1, 200) }'
}
if [ "$(left)" != 0 ]; then
	sleep 0.3 # what is being killed may take a moment
	n=$(left)
	[ "$n" = 0 ] || left_lines
	kill -s KILL -- "-$group" 2>/dev/null
	if [ "$n" != 0 ]; then
		echo "# $n processes are left behind"
		[ $status != 0 ] || status=98
	fi
fi
exit $status
