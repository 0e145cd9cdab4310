# What a gather leaves behind: context, report, run records.
check_PROGRAMS += tests/unit/jobs_gather_yaml.t
tests_unit_jobs_gather_yaml_t_SOURCES = tests/unit/jobs_gather_yaml.c \
	tests/tap.h
tests_unit_jobs_gather_yaml_t_CPPFLAGS = $(UNIT_CPPFLAGS) $(YAML_CFLAGS)
tests_unit_jobs_gather_yaml_t_LDADD = libcore.la $(YAML_LIBS)
TESTS += tests/unit/jobs_gather_yaml.t tests/unit/jobs_gather_pyyaml.t
EXTRA_DIST += tests/unit/jobs_gather_pyyaml.t

check_PROGRAMS += tests/unit/jobs_gather_audit.t
tests_unit_jobs_gather_audit_t_SOURCES = tests/unit/jobs_gather_audit.c \
	tests/unit/gather_chain.h tests/tap.h
tests_unit_jobs_gather_audit_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_gather_audit_t_LDADD = libcore.la
TESTS += tests/unit/jobs_gather_audit.t

check_PROGRAMS += tests/unit/jobs_gather_chain.t
tests_unit_jobs_gather_chain_t_SOURCES = tests/unit/jobs_gather_chain.c \
	tests/unit/gather_chain.h tests/tap.h
tests_unit_jobs_gather_chain_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_gather_chain_t_LDADD = libcore.la
TESTS += tests/unit/jobs_gather_chain.t

check_PROGRAMS += tests/unit/jobs_gather_manifest.t
tests_unit_jobs_gather_manifest_t_SOURCES = tests/unit/jobs_gather_manifest.c \
	tests/tap.h
tests_unit_jobs_gather_manifest_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_gather_manifest_t_LDADD = libcore.la
TESTS += tests/unit/jobs_gather_manifest.t

check_PROGRAMS += tests/unit/jobs_gather_report.t
tests_unit_jobs_gather_report_t_SOURCES = tests/unit/jobs_gather_report.c \
	tests/tap.h
tests_unit_jobs_gather_report_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_gather_report_t_LDADD = libcore.la
TESTS += tests/unit/jobs_gather_report.t

check_PROGRAMS += tests/unit/jobs_gather_explain.t
tests_unit_jobs_gather_explain_t_SOURCES = tests/unit/jobs_gather_explain.c \
	tests/tap.h
tests_unit_jobs_gather_explain_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_gather_explain_t_LDADD = libcore.la
TESTS += tests/unit/jobs_gather_explain.t

check_PROGRAMS += tests/unit/parsers_context.t
tests_unit_parsers_context_t_SOURCES = tests/unit/parsers_context.c \
	tests/tap.h
tests_unit_parsers_context_t_CPPFLAGS = $(UNIT_CPPFLAGS) $(YAML_CFLAGS)
tests_unit_parsers_context_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_context.t
