# check_all.sh -- what takes longer than `./bootstrap check`, in parts that can be run
# one by one.  Read by bootstrap, after check.sh.
# usage: check_all [PART...]
#
# A part is a function, part_NAME.  Tests that belong to one say so in tests.list, with
# the word part=NAME.  Those of part_clocks compare times, so nothing runs beside it.
parts='plain user asan clang fuzz kernel lint long confirm projects clients fleet kit
	stress clocks'
others=65534 # the unprivileged user

# later PART -- the tests of that part
later() {
	make -s -C build --no-print-directory print-later | sed -n "s/^$1://p"
}

# run_later PART AT_ONCE -- build and run them
run_later() {
	set -- "$2" $(later "$1")
	at_once=$1
	shift
	[ $# -gt 0 ] || die 'there are no such tests'
	need=$(programs "$@")
	[ -z "$need" ] || make_quiet build $need || return 1
	run_in build "$at_once" "$@"
}

# Everything of `check`, each loop and sample at its full length.
part_plain() {
	run_in build "$(($(jobs_count) * 3))" $(suites build)
}

# one_way DIR TEST... -- those that depend on the kernel and ran as root only.  Many
# tests run each case as root and as a user by themselves: the output of their first
# pass shows it.
one_way() {
	dir=$1
	shift
	for t; do
		grep -qE '\[user\]|uid 65534|^(not )?ok [0-9]+ - user: ' \
			"$dir/${t%.t}.log" 2>/dev/null || echo "$t"
	done | grep -E "$live"
}

# the_other_way DIR TEST... -- as root: those once more as an unprivileged user
the_other_way() {
	[ "$(id -u)" = 0 ] || {
		say 'not root: the tests ran as this user only'
		printf ':test-result: SKIP launched by root\n' \
			>>"$checks/steps.trs"
		return 0
	}
	SRC=$top BUILD=$top/$1 OUT=$top/$checks/user AT_ONCE=2 \
		sh tests/pass.sh "$others" $(one_way "$@")
}

part_user() { the_other_way build $(suites build); }

# The whole tree.  That each attack can succeed is shown by the plain build's controls.
part_asan() {
	asan_configure
	compile build/asan || return 1
	export CUPEL_CONTROLS=no
	status=0
	run_in build/asan "$(($(jobs_count) * 3))" $(suites build/asan) || status=1
	unset CUPEL_CONTROLS
	return $status
}

part_clang() {
	configure_tree build/clang --enable-werror --disable-shared \
		CC=clang 'CFLAGS=-O0'
	compile build/clang
}

part_fuzz() {
	SRC=$top BUILD=$top/build OUT=$top/$checks/fuzz sh tests/fuzz/run.sh
}

# The cases that take seconds, on another kernel: qemu emulates.
part_kernel() {
	sh tests/vm/run 6.1 - || : # fetches it; quick.t says if there is none
	SRC=$top BUILD=$top/build OUT=$top/$checks/vm sh tests/pass.sh \
		"$(id -u)" tests/vm/quick.t
}

part_lint() { run_later lint 1; }
part_long() { run_later long 1; }
part_confirm() { run_later confirm 1; }
part_projects() { run_later projects 1; }
part_clients() { run_later clients 1; }
part_fleet() { run_later fleet 1; }
part_kit() { run_later kit 1; }
part_stress() { run_later stress 1; }
part_clocks() { run_later clocks 1; }

check_all() {
	CUPEL_TIER=full CUPEL_TEST_SECONDS=5400
	export CUPEL_TIER CUPEL_TEST_SECONDS
	[ $# -gt 0 ] || set -- $parts
	started=$(date +%s)
	forget
	step 'plain build' plain_build || die 'it does not build'
	for part; do
		step "$part" "part_$part" || broken "$part"
	done
	complaints
	say "$(($(date +%s) - started)) s in all"
	tally
}
