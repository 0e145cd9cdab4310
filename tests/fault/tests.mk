# tests/fault: each system call of launch fails in turn
fault_sources = tests/fault/walk.c tests/fault/walk.h tests/fault/trace.c \
	tests/fault/trace.h tests/fault/vessel.c tests/fault/vessel.h \
	tests/live/procs.c tests/live/procs.h tests/tap.h
FAULT_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests -DCUPEL_TEST_HOOKS
check_PROGRAMS += tests/fault/matrix.t tests/fault/cgroup.t \
	tests/fault/egress.t
tests_fault_egress_t_SOURCES = tests/fault/egress.c $(fault_sources)
tests_fault_egress_t_CPPFLAGS = $(FAULT_CPPFLAGS)
tests_fault_egress_t_LDADD = libcore_testing.la
tests_fault_matrix_t_SOURCES = tests/fault/matrix.c $(fault_sources)
tests_fault_matrix_t_CPPFLAGS = $(FAULT_CPPFLAGS)
tests_fault_matrix_t_LDADD = libcore_testing.la
tests_fault_cgroup_t_SOURCES = tests/fault/cgroup.c $(fault_sources)
tests_fault_cgroup_t_CPPFLAGS = $(FAULT_CPPFLAGS)
tests_fault_cgroup_t_LDADD = libcore_testing.la
TESTS += tests/fault/matrix.t tests/fault/cgroup.t tests/fault/egress.t
