# tests/fuzz
# A target is tests/fuzz/NAME.c, its seeds tests/fuzz/corpus/NAME/; here the
# seeds are replayed, tests/fuzz/run.sh looks for more.
EXTRA_DIST += tests/fuzz/corpus

check_PROGRAMS += tests/fuzz/flags.t
tests_fuzz_flags_t_SOURCES = tests/fuzz/flags.c tests/fuzz/replay.c
tests_fuzz_flags_t_LDADD = libcore.la
TESTS += tests/fuzz/flags.t

check_PROGRAMS += tests/fuzz/spec_args.t
tests_fuzz_spec_args_t_SOURCES = tests/fuzz/spec_args.c tests/fuzz/replay.c
tests_fuzz_spec_args_t_LDADD = libcore.la
TESTS += tests/fuzz/spec_args.t

check_PROGRAMS += tests/fuzz/spec_json.t
tests_fuzz_spec_json_t_SOURCES = tests/fuzz/spec_json.c tests/fuzz/replay.c
tests_fuzz_spec_json_t_LDADD = libcore.la
TESTS += tests/fuzz/spec_json.t

check_PROGRAMS += tests/fuzz/filter_policy.t
tests_fuzz_filter_policy_t_SOURCES = tests/fuzz/filter_policy.c \
	tests/fuzz/replay.c
tests_fuzz_filter_policy_t_LDADD = libcore.la
TESTS += tests/fuzz/filter_policy.t

check_PROGRAMS += tests/fuzz/json.t
tests_fuzz_json_t_SOURCES = tests/fuzz/json.c tests/fuzz/replay.c
tests_fuzz_json_t_LDADD = libcore.la
TESTS += tests/fuzz/json.t

check_PROGRAMS += tests/fuzz/schema.t
tests_fuzz_schema_t_SOURCES = tests/fuzz/schema.c tests/fuzz/replay.c
tests_fuzz_schema_t_LDADD = libcore.la
TESTS += tests/fuzz/schema.t

check_PROGRAMS += tests/fuzz/pattern.t
tests_fuzz_pattern_t_SOURCES = tests/fuzz/pattern.c tests/fuzz/replay.c
tests_fuzz_pattern_t_LDADD = libcore.la
TESTS += tests/fuzz/pattern.t

check_PROGRAMS += tests/fuzz/sanitize.t
tests_fuzz_sanitize_t_SOURCES = tests/fuzz/sanitize.c tests/fuzz/replay.c
tests_fuzz_sanitize_t_LDADD = libcore.la
TESTS += tests/fuzz/sanitize.t

check_PROGRAMS += tests/fuzz/node_manifest.t
tests_fuzz_node_manifest_t_SOURCES = tests/fuzz/node_manifest.c \
	tests/fuzz/node_probe.h tests/fuzz/replay.c
tests_fuzz_node_manifest_t_CPPFLAGS = $(AM_CPPFLAGS)
tests_fuzz_node_manifest_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/fuzz/node_manifest.t

check_PROGRAMS += tests/fuzz/yarn_lock.t
tests_fuzz_yarn_lock_t_SOURCES = tests/fuzz/yarn_lock.c \
	tests/fuzz/node_probe.h tests/fuzz/replay.c
tests_fuzz_yarn_lock_t_CPPFLAGS = $(AM_CPPFLAGS)
tests_fuzz_yarn_lock_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/fuzz/yarn_lock.t

check_PROGRAMS += tests/fuzz/pnpm_lock.t
tests_fuzz_pnpm_lock_t_SOURCES = tests/fuzz/pnpm_lock.c \
	tests/fuzz/node_probe.h tests/fuzz/replay.c
tests_fuzz_pnpm_lock_t_CPPFLAGS = $(AM_CPPFLAGS)
tests_fuzz_pnpm_lock_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/fuzz/pnpm_lock.t

check_PROGRAMS += tests/fuzz/lcov.t
tests_fuzz_lcov_t_SOURCES = tests/fuzz/lcov.c tests/fuzz/replay.c
tests_fuzz_lcov_t_CPPFLAGS = $(AM_CPPFLAGS) $(YAML_CFLAGS)
tests_fuzz_lcov_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/fuzz/lcov.t

check_PROGRAMS += tests/fuzz/test_report.t
tests_fuzz_test_report_t_SOURCES = tests/fuzz/test_report.c \
	tests/fuzz/replay.c
tests_fuzz_test_report_t_CPPFLAGS = $(AM_CPPFLAGS)
tests_fuzz_test_report_t_LDADD = libparsers.a libcore.la $(EXPAT_LIBS)
TESTS += tests/fuzz/test_report.t

check_PROGRAMS += tests/fuzz/build_system.t
tests_fuzz_build_system_t_SOURCES = tests/fuzz/build_system.c \
	tests/fuzz/probe.h tests/fuzz/replay.c
tests_fuzz_build_system_t_CPPFLAGS = $(AM_CPPFLAGS) $(YAML_CFLAGS)
tests_fuzz_build_system_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/fuzz/build_system.t

check_PROGRAMS += tests/fuzz/test_inventory.t
tests_fuzz_test_inventory_t_SOURCES = tests/fuzz/test_inventory.c \
	tests/fuzz/probe.h tests/fuzz/replay.c
tests_fuzz_test_inventory_t_CPPFLAGS = $(AM_CPPFLAGS) $(YAML_CFLAGS)
tests_fuzz_test_inventory_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/fuzz/test_inventory.t

check_PROGRAMS += tests/fuzz/yaml.t
tests_fuzz_yaml_t_SOURCES = tests/fuzz/yaml.c tests/fuzz/replay.c
tests_fuzz_yaml_t_CPPFLAGS = $(AM_CPPFLAGS) $(YAML_CFLAGS)
tests_fuzz_yaml_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/fuzz/yaml.t

check_PROGRAMS += tests/fuzz/jsonc.t
tests_fuzz_jsonc_t_SOURCES = tests/fuzz/jsonc.c tests/fuzz/replay.c
tests_fuzz_jsonc_t_CPPFLAGS = $(AM_CPPFLAGS) $(YAML_CFLAGS)
tests_fuzz_jsonc_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/fuzz/jsonc.t

check_PROGRAMS += tests/fuzz/ci.t
tests_fuzz_ci_t_SOURCES = tests/fuzz/ci.c tests/fuzz/replay.c
tests_fuzz_ci_t_CPPFLAGS = $(AM_CPPFLAGS) $(YAML_CFLAGS)
tests_fuzz_ci_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/fuzz/ci.t

check_PROGRAMS += tests/fuzz/deployment.t
tests_fuzz_deployment_t_SOURCES = tests/fuzz/deployment.c \
	tests/fuzz/probe_repo.h tests/fuzz/replay.c
tests_fuzz_deployment_t_CPPFLAGS = $(AM_CPPFLAGS) $(YAML_CFLAGS)
tests_fuzz_deployment_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/fuzz/deployment.t

check_PROGRAMS += tests/fuzz/language_detection.t
tests_fuzz_language_detection_t_SOURCES = tests/fuzz/language_detection.c \
	tests/fuzz/probe_repo.h tests/fuzz/replay.c
tests_fuzz_language_detection_t_CPPFLAGS = $(AM_CPPFLAGS) $(YAML_CFLAGS)
tests_fuzz_language_detection_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/fuzz/language_detection.t

check_PROGRAMS += tests/fuzz/sarif.t
tests_fuzz_sarif_t_SOURCES = tests/fuzz/sarif.c tests/fuzz/replay.c
tests_fuzz_sarif_t_LDADD = libcore.la
TESTS += tests/fuzz/sarif.t
