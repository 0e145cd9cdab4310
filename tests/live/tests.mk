# tests/live

check_PROGRAMS += tests/live/filter_exec
tests_live_filter_exec_SOURCES = tests/live/filter_exec.c
tests_live_filter_exec_LDADD = libcore.la
TESTS += tests/live/filter.t
EXTRA_DIST += tests/live/filter.t tests/live/lib.py
