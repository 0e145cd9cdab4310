# tests/fault: each system call of launch fails in turn
check_PROGRAMS += tests/fault/matrix.t
tests_fault_matrix_t_SOURCES = tests/fault/matrix.c tests/fault/trace.c \
	tests/fault/trace.h tests/fault/vessel.c tests/fault/vessel.h \
	tests/live/procs.c tests/live/procs.h tests/tap.h
tests_fault_matrix_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests \
	-DCUPEL_TEST_HOOKS
tests_fault_matrix_t_LDADD = libcore_testing.la
TESTS += tests/fault/matrix.t
