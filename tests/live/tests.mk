# tests/live: programs that its tests run, files that they read
EXTRA_DIST += tests/live/archive.py tests/live/lesser_inside.py tests/live/lib.py tests/demo.sh \
	tests/live/clients_inside.py tests/live/clients_packages.py \
	tests/live/clients_world.py \
	tests/live/egress_inside.py tests/live/egress_world.py \
	tests/live/batch_look.py tests/live/gate_page.py tests/live/gate_place.py \
	tests/live/others_mutants.py tests/live/others_python.py \
	tests/live/relay_dns.py tests/live/relay_inside.py \
	tests/live/relay_hello.py tests/live/relay_hostile.py \
	tests/live/relay_names.py tests/live/relay_net.py \
	tests/live/relay_streams.py tests/live/relay_walls.py \
	tests/live/relay_world.py tests/live/worker_keys.py \
	tests/live/worker_world.py tests/live/clock_step.c \
	tests/live/clock_shift.c

# cupel-worker with libc's clock, which can be set while it runs.
if WORKER
check_PROGRAMS += tests/live/worker_unsteady
tests_live_worker_unsteady_SOURCES =
tests_live_worker_unsteady_LDADD = \
	$(filter-out %steady.$(OBJEXT),$(cupel_worker_OBJECTS)) \
	$(cupel_worker_LDADD)
tests_live_worker_unsteady_DEPENDENCIES = $(cupel_worker_OBJECTS) libcli.la
endif

check_PROGRAMS += tests/live/filter_exec
tests_live_filter_exec_SOURCES = tests/live/filter_exec.c
tests_live_filter_exec_LDADD = $(linked_core)
tests_live_filter_exec_LINK = $(plain_link) -o $@
check_PROGRAMS += tests/live/fork_bomb
tests_live_fork_bomb_SOURCES = tests/live/fork_bomb.c
tests_live_fork_bomb_CFLAGS = $(CUPEL_CFLAGS)
tests_live_fork_bomb_LDFLAGS = -all-static

# libcupel by effect: lib.t runs them as root and as uid 65534.
LIB_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
check_PROGRAMS += tests/live/lib_batch tests/live/lib_batch_cancel \
	tests/live/lib_batch_copies tests/live/lib_callers \
	tests/live/lib_handles tests/live/lib_limits tests/live/lib_report
tests_live_lib_batch_SOURCES = tests/live/lib_batch.c \
	tests/live/lib_batch.h tests/live/lib_run.h tests/tap.h
tests_live_lib_batch_CPPFLAGS = $(LIB_CPPFLAGS)
tests_live_lib_batch_LDADD = $(linked_core)
tests_live_lib_batch_LINK = $(plain_link) -o $@
tests_live_lib_batch_cancel_SOURCES = tests/live/lib_batch_cancel.c \
	tests/live/lib_batch.h tests/live/lib_run.h tests/tap.h
tests_live_lib_batch_cancel_CPPFLAGS = $(LIB_CPPFLAGS)
tests_live_lib_batch_cancel_LDADD = $(linked_core)
tests_live_lib_batch_cancel_LINK = $(plain_link) -o $@
tests_live_lib_batch_copies_SOURCES = tests/live/lib_batch_copies.c \
	tests/live/lib_batch.h tests/live/lib_run.h tests/tap.h
tests_live_lib_batch_copies_CPPFLAGS = $(LIB_CPPFLAGS)
tests_live_lib_batch_copies_LDADD = $(linked_core)
tests_live_lib_batch_copies_LINK = $(plain_link) -o $@
tests_live_lib_callers_SOURCES = tests/live/lib_callers.c \
	tests/live/lib_run.h tests/tap.h
tests_live_lib_callers_CPPFLAGS = $(LIB_CPPFLAGS)
tests_live_lib_callers_LDADD = $(linked_core)
tests_live_lib_callers_LINK = $(plain_link) -o $@
tests_live_lib_handles_SOURCES = tests/live/lib_handles.c \
	tests/live/lib_run.h tests/tap.h
tests_live_lib_handles_CPPFLAGS = $(LIB_CPPFLAGS)
tests_live_lib_handles_LDADD = $(linked_core)
tests_live_lib_handles_LINK = $(plain_link) -o $@
tests_live_lib_limits_SOURCES = tests/live/lib_limits.c \
	tests/live/lib_run.h tests/tap.h
tests_live_lib_limits_CPPFLAGS = $(LIB_CPPFLAGS)
tests_live_lib_limits_LDADD = $(linked_core)
tests_live_lib_limits_LINK = $(plain_link) -o $@
tests_live_lib_report_SOURCES = tests/live/lib_report.c \
	tests/live/lib_run.h tests/tap.h
tests_live_lib_report_CPPFLAGS = $(LIB_CPPFLAGS)
tests_live_lib_report_LDADD = $(linked_core)
tests_live_lib_report_LINK = $(plain_link) -o $@

# One attempt of a gate, for the tests of its signals.
check_PROGRAMS += tests/live/gate_order
tests_live_gate_order_SOURCES = tests/live/gate_order.c
tests_live_gate_order_LDADD = $(linked_core)
tests_live_gate_order_LINK = $(plain_link) -o $@
check_PROGRAMS += tests/live/gate_attempt
tests_live_gate_attempt_SOURCES = tests/live/gate_attempt.c
tests_live_gate_attempt_CPPFLAGS = $(AM_CPPFLAGS) $(with_hooks)
tests_live_gate_attempt_LDADD = $(linked_testing)
tests_live_gate_attempt_LINK = $(plain_link) -o $@

# Ends, crowds and growth: what is left behind, what waits, what it costs.
live_procs = tests/live/procs.c tests/live/procs.h

# Flags and repositories that are confirmed and gathered, and what comes of it.
EXTRA_DIST += tests/data/corpus tests/data/example tests/data/example.expected \
	tests/data/hostile tests/data/hostile.expected tests/data/suites \
	tests/data/hostile-js tests/data/hostile-js.expected \
	tests/data/corpus/javascript tests/data/corpus/javascript.expected \
	tests/data/held tests/data/argument tests/data/explore

# A stand-in for cupel-parse, in its vessel.
check_PROGRAMS += tests/live/parser_stand_in
tests_live_parser_stand_in_SOURCES = tests/live/parser_stand_in.c \
	src/parsers/program/parse_wall.c src/parsers/program/parse_wall.h
tests_live_parser_stand_in_CPPFLAGS = -I$(srcdir)/src
tests_live_parser_stand_in_CFLAGS = $(CUPEL_CFLAGS) -fPIE
tests_live_parser_stand_in_LDFLAGS = -XCClinker -static-pie
tests_live_parser_stand_in_LDADD =

# One after the other: what one of them leaves on purpose, a run of another's
# would sweep.
tests/live/cgroup.log: $(filter tests/fault/cgroup.log,$(TEST_LOGS))
tests/live/scope.log: $(filter tests/fault/cgroup.log \
	tests/live/cgroup.log,$(TEST_LOGS))

# Witnesses in copies of a warm interpreter (docs/copies.md).
check_PROGRAMS += tests/live/warm_run tests/live/warm_run-testing
tests_live_warm_run_SOURCES = tests/live/warm_run.c
tests_live_warm_run_LDADD = $(linked_core)
tests_live_warm_run_LINK = $(plain_link) -o $@
tests_live_warm_run_testing_SOURCES = tests/live/warm_run.c
tests_live_warm_run_testing_CPPFLAGS = $(AM_CPPFLAGS) $(with_hooks)
tests_live_warm_run_testing_LDADD = $(linked_testing)
tests_live_warm_run_testing_LINK = $(plain_link) -o $@
EXTRA_DIST += tests/data/warm/ends.py tests/data/warm/hostile.py \
	tests/data/warm/state.py

# One static program that executes and connects in every way.
check_PROGRAMS += tests/live/trace_acts
tests_live_trace_acts_SOURCES = tests/live/trace_acts.c \
	tests/live/trace_acts.h tests/live/trace_acts_claim.c \
	tests/live/trace_acts_connect.c tests/live/trace_acts_exec.c \
	tests/live/trace_acts_life.c tests/live/trace_acts_wait.c
tests_live_trace_acts_CFLAGS = $(CUPEL_CFLAGS)
tests_live_trace_acts_LDFLAGS = -all-static
tests_live_trace_acts_LDADD =
