# tests/live

check_PROGRAMS += tests/live/filter_exec
tests_live_filter_exec_SOURCES = tests/live/filter_exec.c
tests_live_filter_exec_LDADD = libcore.la
# Not with a sanitizer: its leak check at exit needs calls that filters refuse;
# and the lesser backends are waited for most of the time.
if PLAIN_BUILD
TESTS += tests/live/filter.t tests/live/policies.t tests/live/lesser.t
endif
EXTRA_DIST += tests/live/lesser.t tests/live/lesser_inside.py
check_PROGRAMS += tests/live/fork_bomb
tests_live_fork_bomb_SOURCES = tests/live/fork_bomb.c
tests_live_fork_bomb_CFLAGS = $(CUPEL_CFLAGS)
tests_live_fork_bomb_LDFLAGS = -all-static
EXTRA_DIST += tests/live/filter.t tests/live/policies.t tests/live/lib.py

# libcupel by effect: programs, run as root and as uid 65534.
LIB_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
check_PROGRAMS += tests/live/lib_callers tests/live/lib_handles \
	tests/live/lib_limits tests/live/lib_report
tests_live_lib_callers_SOURCES = tests/live/lib_callers.c \
	tests/live/lib_run.h tests/tap.h
tests_live_lib_callers_CPPFLAGS = $(LIB_CPPFLAGS)
tests_live_lib_callers_LDADD = libcore.la
tests_live_lib_handles_SOURCES = tests/live/lib_handles.c \
	tests/live/lib_run.h tests/tap.h
tests_live_lib_handles_CPPFLAGS = $(LIB_CPPFLAGS)
tests_live_lib_handles_LDADD = libcore.la
tests_live_lib_limits_SOURCES = tests/live/lib_limits.c \
	tests/live/lib_run.h tests/tap.h
tests_live_lib_limits_CPPFLAGS = $(LIB_CPPFLAGS)
tests_live_lib_limits_LDADD = libcore.la
tests_live_lib_report_SOURCES = tests/live/lib_report.c \
	tests/live/lib_run.h tests/tap.h
tests_live_lib_report_CPPFLAGS = $(LIB_CPPFLAGS)
tests_live_lib_report_LDADD = libcore.la
TESTS += tests/live/lib.t
# The shared library: what a sanitizer sees in its code, lib.t shows it.
if PLAIN_BUILD
TESTS += tests/live/shared.t
endif
EXTRA_DIST += tests/live/lib.t tests/live/shared.t

# Ends, crowds and growth: what is left behind, what waits, what it costs.
live_procs = tests/live/procs.c tests/live/procs.h tests/tap.h
live_ends = tests/live/growth.t tests/live/kill.t tests/live/concurrent.t
check_PROGRAMS += $(live_ends)
TESTS += $(live_ends)
tests_live_kill_t_SOURCES = tests/live/kill.c $(live_procs)
tests_live_kill_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_live_concurrent_t_SOURCES = tests/live/concurrent.c $(live_procs)
tests_live_concurrent_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_live_growth_t_SOURCES = tests/live/growth.c $(live_procs)
tests_live_growth_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_live_growth_t_LDADD = libcore.la
EXTRA_DIST += tests/live/confirm_corpus.t tests/data/corpus
TESTS += tests/live/paths.t
TESTS += tests/live/confirm.t tests/live/probe.t tests/live/gather_probes.t
# A killed program says nothing to a sanitizer.
if PLAIN_BUILD
TESTS += tests/live/gather_kill.t
endif
EXTRA_DIST += tests/live/paths.t
EXTRA_DIST += tests/live/confirm.t tests/live/probe.t \
	tests/live/gather_probes.t tests/live/gather_kill.t \
	tests/data/example tests/data/example.expected \
	tests/data/hostile tests/data/hostile.expected
EXTRA_DIST += tests/demo.sh

# A stand-in for cupel-parse, in its vessel.
check_PROGRAMS += tests/live/parser_stand_in tests/live/parser.t
tests_live_parser_stand_in_SOURCES = tests/live/parser_stand_in.c \
	src/parsers/program/parse_wall.c src/parsers/program/parse_wall.h
tests_live_parser_stand_in_CPPFLAGS = -I$(srcdir)/src
tests_live_parser_stand_in_CFLAGS = $(CUPEL_CFLAGS) -fPIE
tests_live_parser_stand_in_LDFLAGS = -XCClinker -static-pie
tests_live_parser_stand_in_LDADD =
tests_live_parser_t_SOURCES = tests/live/parser.c tests/tap.h
tests_live_parser_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_live_parser_t_LDADD = libcore.la
TESTS += tests/live/parser.t

# What the man pages say of a vessel, sentence by sentence, by effect; as root and as uid 65534.
live_scripts = tests/live/compat.t tests/live/exits.t tests/live/forbidden.t \
	tests/live/host_uid.t tests/live/inherit.t \
	tests/live/limits.t tests/live/partial.t tests/live/plan.t \
	tests/live/repo.t \
	tests/live/result.t tests/live/signals.t tests/live/status.t
TESTS += $(live_scripts)
EXTRA_DIST += $(live_scripts)

# The runners of tests: nothing of them is for a sanitizer to see.
if PLAIN_BUILD
TESTS += tests/live/profiles.t tests/live/report.t
endif
EXTRA_DIST += tests/live/profiles.t tests/live/report.t tests/data/suites

# Cgroups: what they hold needs a kernel with controllers (tests/vm, cgroups),
# what is left behind only a tree of them.  Nothing for a sanitizer that the
# others do not have.
if PLAIN_BUILD
TESTS += tests/live/cgroup.t tests/live/scope.t
endif
EXTRA_DIST += tests/live/cgroup.t tests/live/scope.t
# One after the other: what one of them leaves on purpose, a run of another's
# would sweep.
tests/live/cgroup.log: $(filter tests/fault/cgroup.log,$(TEST_LOGS))
tests/live/scope.log: $(filter tests/fault/cgroup.log \
	tests/live/cgroup.log,$(TEST_LOGS))

# Between the look and the launch.
check_PROGRAMS += tests/live/source.t
tests_live_source_t_SOURCES = tests/live/source.c tests/tap.h
tests_live_source_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_live_source_t_LDADD = libcore.la
TESTS += tests/live/source.t
# The same all the time, and with the check taken down.
check_PROGRAMS += tests/live/swapped.t
tests_live_swapped_t_SOURCES = tests/live/swapped.c tests/tap.h
tests_live_swapped_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests \
	-DCUPEL_TEST_HOOKS
tests_live_swapped_t_LDADD = libcore_testing.la
TESTS += tests/live/swapped.t

# What a gather keeps, planted with the right code on it.
check_PROGRAMS += tests/live/gather_cache.t
tests_live_gather_cache_t_SOURCES = tests/live/gather_cache.c tests/tap.h
tests_live_gather_cache_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_live_gather_cache_t_LDADD = libcore.la
TESTS += tests/live/gather_cache.t

# JavaScript flags: half of the corpus is no bug; none of the hostile is wrong.
# What a sanitizer could see of it, tests/cli/confirm.t and confirm.t show it.
if PLAIN_BUILD
TESTS += tests/live/confirm_js.t tests/live/confirm_corpus.t
endif
EXTRA_DIST += tests/live/confirm_js.t tests/data/hostile-js \
	tests/data/hostile-js.expected tests/data/corpus/javascript \
	tests/data/corpus/javascript.expected

# Witnesses in copies of a warm interpreter (decision 0012).
check_PROGRAMS += tests/live/warm_run tests/live/warm_run-testing
tests_live_warm_run_SOURCES = tests/live/warm_run.c
tests_live_warm_run_LDADD = libcore.la
tests_live_warm_run_testing_SOURCES = tests/live/warm_run.c
tests_live_warm_run_testing_CPPFLAGS = $(AM_CPPFLAGS) -DCUPEL_TEST_HOOKS
tests_live_warm_run_testing_LDADD = libcore_testing.la
# What a sanitizer could see of it, tests/cli/confirm.t and confirm.t show it.
if PLAIN_BUILD
TESTS += tests/live/warm.t
endif
EXTRA_DIST += tests/live/warm.t tests/data/warm/ends.py \
	tests/data/warm/hostile.py tests/data/warm/state.py

# A vessel as libcap and libmount read it.
if WITNESSES
if PLAIN_BUILD
check_PROGRAMS += tests/live/witness.t
tests_live_witness_t_SOURCES = tests/live/witness.c tests/tap.h
tests_live_witness_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_live_witness_t_CFLAGS = $(CUPEL_CFLAGS) $(WITNESS_CFLAGS)
tests_live_witness_t_LDADD = $(WITNESS_LIBS)
TESTS += tests/live/witness.t
endif
endif

# Traces: one static program that executes and connects in every way, and what
# is told of it.
check_PROGRAMS += tests/live/trace_acts
tests_live_trace_acts_SOURCES = tests/live/trace_acts.c \
	tests/live/trace_acts.h tests/live/trace_acts_connect.c \
	tests/live/trace_acts_exec.c tests/live/trace_acts_life.c
tests_live_trace_acts_CFLAGS = $(CUPEL_CFLAGS)
tests_live_trace_acts_LDFLAGS = -all-static
tests_live_trace_acts_LDADD =
# Nobody in a traced run finds a sanitizer's leak check: it debugs, too.
if PLAIN_BUILD
TESTS += tests/live/trace.t
endif
EXTRA_DIST += tests/live/trace.t
