# bench.sh -- read by bootstrap.  usage: bench [startup|steady]...
bench() {
	[ $# -gt 0 ] || set -- startup
	make_in build check-programs
	for b; do
		case $b in
		startup) rounds=${CUPEL_ROUNDS:-400} ;;
		steady) rounds=${CUPEL_ROUNDS:-30} ;;
		*) die "bench: startup or steady, not '$b'" ;;
		esac
		SRC=$top BUILD=$top/build OUT=$top/build/tests/bench \
			sh "tests/bench/$b.sh" "$rounds"
	done
}
