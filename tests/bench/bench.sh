# bench.sh -- read by bootstrap.
# usage: bench [startup|batch|steady|gather|confirm|tests|network|trace|gate|fleet]...
bench() {
	[ $# -gt 0 ] || set -- startup
	make_in build check-programs
	for b; do
		script=$b.sh
		case $b in
		startup) rounds=${CUPEL_ROUNDS:-400} ;;
		batch) rounds=${CUPEL_ROUNDS:-30} ;;
		steady) rounds=${CUPEL_ROUNDS:-30} ;;
		confirm) rounds=${CUPEL_ROUNDS:-60} ;;
		tests) rounds=${CUPEL_ROUNDS:-15} ;;
		network) rounds=${CUPEL_ROUNDS:-30} ;;
		gather) rounds=${CUPEL_ROUNDS:-20} script=gather/gather.sh ;;
		trace) rounds=${CUPEL_ROUNDS:-20} ;;
		gate) rounds=${CUPEL_ROUNDS:-40} ;;
		fleet) rounds=${CUPEL_ROUNDS:-4000} script=../fleet/fleet.sh ;;
		*) die "bench: startup, batch, steady, gather, confirm, tests, network, trace, gate or fleet, not '$b'" ;;
		esac
		SRC=$top BUILD=$top/build OUT=$top/build/tests/bench \
			sh "tests/bench/$script" "$rounds"
	done
}
