# trace.sh -- what a trace costs, and what strace would.
# usage: SRC= BUILD= OUT= sh tests/bench/trace.sh ROUNDS
#
# Each workload bare, in a vessel, in a traced vessel, and bare under strace with
# and without its filter, interleaved in random order; prints medians, ratios taken
# within a round, and what the trace adds to the vessel as a part of what strace
# adds to nothing.
#   start	one program that does nothing
#   fork	a shell that forks 400 times and executes nothing
#   configure	a script as configure scripts are: 400 small programs
#   the suites	as tests.sh has them, of a second or more
# The promise is 10% of a suite, and on a fork-heavy script less than a third of
# what strace adds.
set -eu
rounds=$1
. "$SRC/tests/as.sh"
mkdir -p "$OUT"
suites=$OUT/suites
. "$SRC/tests/bench/suites.sh"

strace=$(command -v strace) || {
	echo 'trace: strace is not installed (./bootstrap deps bench)' >&2
	exit 2
}

medians() { # medians FILE: those of its columns, and the part
	for column in 2 3 4 5 6; do
		grep -v '^#' "$1" | awk -v c=$column '{ print $c }' | sort -n |
			awk '{ us[NR] = $1 } END { print us[int((NR + 1) / 2)] }'
	done | tr '\n' ' ' | awk '{
		printf "the trace adds %d us, strace %d us", $3 - $2, $5 - $1
		if ($5 > $1)
			printf ": %.2f of it", ($3 - $2) / ($5 - $1)
		printf "; with its filter %d us\n", $4 - $1 }'
}

one() { # one NAME PROFILE ROUNDS SHELL
	name=$1 profile=$2 line=$4
	echo "== $name"
	cd "$tmp/$name"
	set -- "$3"
	cupel="$BUILD/cupel run --json --profile $profile --wall-time-s 300
		--cpu-time-s 300 ${prefix:+--runtime $prefix}"
	as_user 65534 "$BUILD/tests/bench/measure" "$1" "$tmp/trace-$name" \
		vessel/none,traced/vessel,strace-bpf/none,strace/none \
		none /bin/sh -c "$line" -- \
		vessel $cupel --- /bin/sh -c "$line" -- \
		traced $cupel --trace exec,connect --- /bin/sh -c "$line" -- \
		strace-bpf "$strace" -f --seccomp-bpf -o /dev/null \
			-e trace=execve,connect /bin/sh -c "$line" -- \
		strace "$strace" -f -o /dev/null \
			-e trace=execve,connect /bin/sh -c "$line"
	medians "$tmp/trace-$name.dat"
	cp "$tmp/trace-$name.json" "$tmp/trace-$name.dat" "$OUT"
	cd /
}

suites_make
stage_for 65534
cp -R "$suites/." "$tmp"
mkdir "$tmp/start" "$tmp/fork" "$tmp/configure"
cat >"$tmp/configure/configure" <<'EOF'
i=0
while [ $i -lt 100 ]; do
	word=$(echo "checking for header_$i.h" | sed 's/[^a-z0-9]/_/g')
	n=$(expr $i + 1)
	case $(uname -s)-$word in *never*) exit 1 ;; esac
	cat </dev/null >/dev/null
	i=$n
done
EOF
[ "$(id -u)" != 0 ] || chown -R 65534:65534 "$tmp"

one start ctest "$rounds" /bin/true
one fork ctest "$rounds" 'i=0; while [ $i -lt 400 ]; do (:); i=$((i + 1)); done'
one configure ctest "$rounds" '. ./configure'
few=$(((rounds + 3) / 4))
for suite in pytest node-test ctest; do
	case $left_out in
	*"$suite"*) echo "trace: no $suite suite here: left out" >&2 ;;
	*) one "$suite" "$suite" "$few" "$(suite_line "$suite")" ;;
	esac
done
[ -z "$left_out" ] || exit 1
