# tests/stress: each allowed call, as much of it as a vessel gives
check_PROGRAMS += tests/stress/stress tests/stress/probe
tests_stress_stress_SOURCES = tests/stress/stress.c tests/stress/stress.h \
	tests/stress/descriptors.c tests/stress/disk.c tests/stress/files.c tests/stress/hidden.c \
	tests/stress/memory.c tests/stress/net.c tests/stress/proc.c \
	tests/stress/processes.c tests/stress/self.c tests/stress/sockets.c
# One static file that runs inside: never with a sanitizer.
tests_stress_stress_CFLAGS = $(CUPEL_CFLAGS)
tests_stress_stress_LDFLAGS = -all-static -pthread
tests_stress_stress_LDADD =
tests_stress_probe_SOURCES = tests/stress/probe.c
tests_stress_probe_CFLAGS = $(CUPEL_CFLAGS)
tests_stress_probe_LDFLAGS = -pthread
tests_stress_probe_LDADD =
EXTRA_DIST += tests/stress/covered.py \
	tests/stress/outside.py tests/stress/rows.py tests/stress/watcher.py \
	tests/stress/without.txt
