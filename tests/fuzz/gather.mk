# What a gather writes, and reads back.
check_PROGRAMS += tests/fuzz/context.t
tests_fuzz_context_t_SOURCES = tests/fuzz/context.c tests/fuzz/replay.c
tests_fuzz_context_t_CPPFLAGS = $(AM_CPPFLAGS) $(YAML_CFLAGS)
tests_fuzz_context_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/fuzz/context.t

check_PROGRAMS += tests/fuzz/report.t
tests_fuzz_report_t_SOURCES = tests/fuzz/report.c tests/fuzz/replay.c
tests_fuzz_report_t_LDADD = libcore.la
TESTS += tests/fuzz/report.t
