# tests/bench: what a run costs, against others and against nothing
EXTRA_DIST += tests/bench/floors.sh
# As the command is linked.
static_link = $(plain_link)
if STATIC_CLI
static_link += -static
endif
check_PROGRAMS += tests/bench/measure tests/bench/floor tests/bench/withfilter
tests_bench_measure_SOURCES = tests/bench/measure.c tests/bench/stats.c \
	tests/bench/stats.h
tests_bench_measure_LINK = $(plain_link) -o $@
tests_bench_measure_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_bench_floor_SOURCES = tests/bench/floor.c
tests_bench_floor_LINK = $(static_link) -o $@
check_PROGRAMS += tests/bench/many
tests_bench_many_SOURCES = tests/bench/many.c
tests_bench_many_LINK = $(plain_link) -o $@
check_PROGRAMS += tests/bench/least
tests_bench_least_SOURCES = tests/bench/least.c
tests_bench_least_LINK = $(static_link) -o $@
tests_bench_least_LDADD = $(linked_core)
check_PROGRAMS += tests/bench/traffic
tests_bench_traffic_SOURCES = tests/bench/traffic.c
tests_bench_traffic_LINK = $(plain_link) -o $@
check_PROGRAMS += tests/bench/floor_relay
tests_bench_floor_relay_SOURCES = tests/bench/floor_relay.c
tests_bench_floor_relay_LINK = $(plain_link) -o $@
tests_bench_withfilter_SOURCES = tests/bench/withfilter.c
tests_bench_withfilter_LINK = $(static_link) -o $@
tests_bench_withfilter_LDADD = $(linked_core)
check_PROGRAMS += tests/bench/confirm
tests_bench_confirm_SOURCES = tests/bench/confirm.c tests/bench/stats.c \
	tests/bench/stats.h
tests_bench_confirm_LINK = $(static_link) -o $@
tests_bench_confirm_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_bench_confirm_LDADD = $(linked_core)
check_PROGRAMS += tests/bench/ledger
tests_bench_ledger_SOURCES = tests/bench/ledger.c tests/bench/stats.c \
	tests/bench/stats.h
tests_bench_ledger_LINK = $(static_link) -o $@
tests_bench_ledger_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_bench_ledger_LDADD = $(linked_core)
check_PROGRAMS += tests/bench/gather/hash tests/bench/gather/bare
tests_bench_gather_bare_SOURCES = tests/bench/gather/bare.c
tests_bench_gather_bare_LINK = $(static_link) -o $@
tests_bench_gather_hash_SOURCES = tests/bench/gather/hash.c
tests_bench_gather_hash_LINK = $(static_link) -o $@
tests_bench_gather_hash_LDADD = $(linked_core)
EXTRA_DIST += tests/bench/bench.sh tests/bench/startup.sh \
	tests/bench/batch.sh \
	tests/bench/startup.gp tests/bench/steady.sh tests/bench/held.sh \
	tests/bench/sample_test.py \
	tests/bench/tests.sh tests/bench/network.sh tests/bench/network.py \
	tests/bench/suites.sh tests/bench/trace.sh tests/as.sh \
	tests/bench/confirm.sh tests/bench/gate.sh \
	tests/bench/confirm_shape.py \
	tests/bench/gather/gather.sh tests/bench/gather/bench.py \
	tests/bench/gather/make_repo.py tests/bench/gather/peer.py \
	tests/bench/gather/gather.gp
