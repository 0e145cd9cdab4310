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

check_PROGRAMS += tests/unit/spec_args.t
tests_unit_spec_args_t_SOURCES = tests/unit/spec_args.c tests/tap.h
tests_unit_spec_args_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_unit_spec_args_t_LDADD = libcore.la
TESTS += tests/unit/spec_args.t

check_PROGRAMS += tests/unit/spec_check.t
tests_unit_spec_check_t_SOURCES = tests/unit/spec_check.c tests/tap.h
tests_unit_spec_check_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_unit_spec_check_t_LDADD = libcore.la
TESTS += tests/unit/spec_check.t

check_PROGRAMS += tests/unit/spec_document.t
tests_unit_spec_document_t_SOURCES = tests/unit/spec_document.c tests/tap.h
tests_unit_spec_document_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_unit_spec_document_t_LDADD = libcore.la
TESTS += tests/unit/spec_document.t

check_PROGRAMS += tests/unit/spec_canonical.t
tests_unit_spec_canonical_t_SOURCES = tests/unit/spec_canonical.c tests/tap.h
tests_unit_spec_canonical_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_unit_spec_canonical_t_LDADD = libcore.la
TESTS += tests/unit/spec_canonical.t
