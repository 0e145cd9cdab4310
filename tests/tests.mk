# The tests themselves are lines of tests/tests.list, of which tests/lists makes
# lists.mk; what they need beside their own file is in each kind's tests.mk.
EXTRA_PROGRAMS =
later_tests =
include tests/lists.mk
include tests/unit/tests.mk
include tests/live/tests.mk
include tests/stress/tests.mk
include tests/clients/tests.mk
include tests/fault/tests.mk
include tests/cli/tests.mk
include tests/bench/tests.mk
include tests/clocks/tests.mk
include tests/lint/tests.mk
include tests/kit/tests.mk
include tests/fleet/tests.mk
include tests/golden/tests.mk
include tests/fuzz/tests.mk

EXTRA_DIST += tests/tests.list tests/lists tests/lists.awk tests/hooked.awk \
	tests/json_at.h
$(srcdir)/tests/lists.mk: $(srcdir)/tests/tests.list $(srcdir)/tests/lists.awk \
	$(srcdir)/tests/hooked.awk
	$(AM_V_GEN)cd $(srcdir) && sh tests/lists && touch tests/lists.mk

# By check-vm: another kernel, another host (tests/vm/run).
EXTRA_DIST += tests/vm/run tests/vm/all tests/vm/init tests/vm/case.sh \
	tests/vm/cases/cgroups.sh tests/vm/cases/container.sh \
	tests/vm/cases/masked-proc.sh tests/vm/cases/no-landlock.sh \
	tests/vm/cases/no-openat2.sh tests/vm/cases/no-userns.sh \
	tests/vm/cases/quick.sh tests/vm/cases/see.sh \
	tests/vm/cases/suites.sh tests/vm/quick.t
EXTRA_DIST += tests/coverage/coverage.sh tests/coverage/report.py \
	tests/coverage/counts.c tests/coverage/counts.h \
	tests/coverage/given.c tests/coverage/hosted.c tests/coverage/init.c
EXTRA_DIST += .ci/run tests/check.sh tests/check_all.sh tests/pass.sh tests/fuzz/run.sh

# No test program may hang the suite or leave processes behind.
T_LOG_COMPILER = $(SHELL) $(top_srcdir)/tests/bounded.sh
EXTRA_DIST += tests/bounded.sh

# All that the tests need built, without running them.
.PHONY: check-programs
check-programs: $(check_PROGRAMS) $(check_LIBRARIES)

# What `make check` runs, a line each, for tests/check.sh.
.PHONY: print-tests
print-tests:
	@for t in $(TESTS); do echo $$t; done

# The tests of check-all's parts, "PART:TEST" a line.
.PHONY: print-later
print-later:
	@for t in $(later_tests); do echo $$t; done
