# tests/unit
UNIT_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests

check_PROGRAMS += tests/unit/boundary_json.t
tests_unit_boundary_json_t_SOURCES = tests/unit/boundary_json.c tests/tap.h
tests_unit_boundary_json_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_boundary_json_t_LDADD = libcore.la
TESTS += tests/unit/boundary_json.t

check_PROGRAMS += tests/unit/boundary_json_write.t
tests_unit_boundary_json_write_t_SOURCES = tests/unit/boundary_json_write.c \
	tests/tap.h
tests_unit_boundary_json_write_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_boundary_json_write_t_LDADD = libcore.la
TESTS += tests/unit/boundary_json_write.t

check_PROGRAMS += tests/unit/base_blake3.t
tests_unit_base_blake3_t_SOURCES = tests/unit/base_blake3.c tests/tap.h
tests_unit_base_blake3_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_base_blake3_t_LDADD = libcore.la
TESTS += tests/unit/base_blake3.t
