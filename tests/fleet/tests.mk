# tests/fleet: many workers on one server, as a model; the server itself, where
# libnats is
if WORKER
check_PROGRAMS += tests/fleet/server
tests_fleet_server_SOURCES = tests/fleet/server.c
tests_fleet_server_CPPFLAGS = $(AM_CPPFLAGS) $(NATS_CFLAGS)
tests_fleet_server_LDADD = $(NATS_LIBS)
endif
EXTRA_DIST += tests/fleet/data/arrivals.tsv tests/fleet/data/repositories.tsv \
	tests/fleet/fleet.py tests/fleet/fleet.sh tests/fleet/fleet.gp \
	tests/fleet/measure.py tests/fleet/server.py tests/fleet/simulate.py \
	tests/fleet/workload.py
