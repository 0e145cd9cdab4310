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
check_PROGRAMS += tests/unit/jobs_flag.t
tests_unit_jobs_flag_t_SOURCES = tests/unit/jobs_flag.c tests/tap.h
tests_unit_jobs_flag_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_flag_t_LDADD = libcore.la
TESTS += tests/unit/jobs_flag.t

check_PROGRAMS += tests/unit/jobs_class.t
tests_unit_jobs_class_t_SOURCES = tests/unit/jobs_class.c tests/tap.h
tests_unit_jobs_class_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_class_t_LDADD = libcore.la
TESTS += tests/unit/jobs_class.t
check_PROGRAMS += tests/unit/jobs_shrink.t
tests_unit_jobs_shrink_t_SOURCES = tests/unit/jobs_shrink.c tests/tap.h
tests_unit_jobs_shrink_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_shrink_t_LDADD = libcore.la
TESTS += tests/unit/jobs_shrink.t
check_PROGRAMS += tests/unit/jobs_verdict.t
tests_unit_jobs_verdict_t_SOURCES = tests/unit/jobs_verdict.c tests/tap.h
tests_unit_jobs_verdict_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_verdict_t_LDADD = libcore.la
TESTS += tests/unit/jobs_verdict.t
# Its copies are built as they come: no sanitizer is asked for.
if PLAIN_BUILD
TESTS += tests/unit/jobs_matcher.t
endif
EXTRA_DIST += tests/unit/jobs_matcher.t

check_PROGRAMS += tests/unit/jobs_log.t
tests_unit_jobs_log_t_SOURCES = tests/unit/jobs_log.c tests/tap.h
tests_unit_jobs_log_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_log_t_LDADD = libcore.la
TESTS += tests/unit/jobs_log.t

check_PROGRAMS += tests/unit/jobs_inputs.t
tests_unit_jobs_inputs_t_SOURCES = tests/unit/jobs_inputs.c tests/tap.h
tests_unit_jobs_inputs_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_inputs_t_LDADD = libcore.la
TESTS += tests/unit/jobs_inputs.t

check_PROGRAMS += tests/unit/jobs_inputs_seal.t
tests_unit_jobs_inputs_seal_t_SOURCES = tests/unit/jobs_inputs_seal.c tests/tap.h
tests_unit_jobs_inputs_seal_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_inputs_seal_t_LDADD = libcore.la
TESTS += tests/unit/jobs_inputs_seal.t

check_PROGRAMS += tests/unit/base_glob.t
tests_unit_base_glob_t_SOURCES = tests/unit/base_glob.c tests/tap.h
tests_unit_base_glob_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_base_glob_t_LDADD = libcore.la
TESTS += tests/unit/base_glob.t

check_PROGRAMS += tests/unit/base_name.t
tests_unit_base_name_t_SOURCES = tests/unit/base_name.c tests/tap.h
tests_unit_base_name_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_base_name_t_LDADD = libcore.la
TESTS += tests/unit/base_name.t

check_PROGRAMS += tests/unit/parsers_deployment.t
tests_unit_parsers_deployment_t_SOURCES = tests/unit/parsers_deployment.c \
	tests/tap.h tests/unit/probe_files.h
tests_unit_parsers_deployment_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit $(YAML_CFLAGS)
tests_unit_parsers_deployment_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_deployment.t

check_PROGRAMS += tests/unit/parsers_deploy_run.t
tests_unit_parsers_deploy_run_t_SOURCES = tests/unit/parsers_deploy_run.c \
	tests/tap.h tests/unit/probe_files.h
tests_unit_parsers_deploy_run_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit $(YAML_CFLAGS)
tests_unit_parsers_deploy_run_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_deploy_run.t

check_PROGRAMS += tests/unit/parsers_language.t
tests_unit_parsers_language_t_SOURCES = tests/unit/parsers_language.c \
	tests/tap.h tests/unit/probe_files.h
tests_unit_parsers_language_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit $(YAML_CFLAGS)
tests_unit_parsers_language_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_language.t

check_PROGRAMS += tests/unit/parsers_lcov.t
tests_unit_parsers_lcov_t_SOURCES = tests/unit/parsers_lcov.c \
	tests/tap.h
tests_unit_parsers_lcov_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit $(YAML_CFLAGS)
tests_unit_parsers_lcov_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_lcov.t

check_PROGRAMS += tests/unit/lib_report_answer.t
tests_unit_lib_report_answer_t_SOURCES = tests/unit/lib_report_answer.c \
	tests/tap.h
tests_unit_lib_report_answer_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_lib_report_answer_t_LDADD = libcore.la
TESTS += tests/unit/lib_report_answer.t

check_PROGRAMS += tests/unit/parsers_suite.t
tests_unit_parsers_suite_t_SOURCES = tests/unit/parsers_suite.c \
	tests/unit/suite_rows.h tests/tap.h
tests_unit_parsers_suite_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit
tests_unit_parsers_suite_t_LDADD = libparsers.a libcore.la $(EXPAT_LIBS)
TESTS += tests/unit/parsers_suite.t

check_PROGRAMS += tests/unit/parsers_suite_more.t
tests_unit_parsers_suite_more_t_SOURCES = tests/unit/parsers_suite_more.c \
	tests/unit/suite_rows.h tests/tap.h
tests_unit_parsers_suite_more_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit
tests_unit_parsers_suite_more_t_LDADD = libparsers.a libcore.la $(EXPAT_LIBS)
TESTS += tests/unit/parsers_suite_more.t

check_PROGRAMS += tests/unit/parsers_test_scan.t
tests_unit_parsers_test_scan_t_SOURCES = tests/unit/parsers_test_scan.c \
	tests/tap.h
tests_unit_parsers_test_scan_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit $(YAML_CFLAGS)
tests_unit_parsers_test_scan_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_test_scan.t

check_PROGRAMS += tests/unit/parsers_test_inventory.t
tests_unit_parsers_test_inventory_t_SOURCES = tests/unit/parsers_test_inventory.c \
	tests/tap.h tests/unit/probe_files.h
tests_unit_parsers_test_inventory_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit $(YAML_CFLAGS)
tests_unit_parsers_test_inventory_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_test_inventory.t

check_PROGRAMS += tests/unit/parsers_node.t
tests_unit_parsers_node_t_SOURCES = tests/unit/parsers_node.c \
	tests/tap.h tests/unit/probe_files.h
tests_unit_parsers_node_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit
tests_unit_parsers_node_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_node.t

check_PROGRAMS += tests/unit/parsers_node_pnpm.t
tests_unit_parsers_node_pnpm_t_SOURCES = tests/unit/parsers_node_pnpm.c \
	tests/tap.h tests/unit/probe_files.h
tests_unit_parsers_node_pnpm_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit
tests_unit_parsers_node_pnpm_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_node_pnpm.t

check_PROGRAMS += tests/unit/parsers_node_yarn.t
tests_unit_parsers_node_yarn_t_SOURCES = tests/unit/parsers_node_yarn.c \
	tests/tap.h tests/unit/probe_files.h
tests_unit_parsers_node_yarn_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit
tests_unit_parsers_node_yarn_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_node_yarn.t

check_PROGRAMS += tests/unit/parsers_node_more.t
tests_unit_parsers_node_more_t_SOURCES = tests/unit/parsers_node_more.c \
	tests/tap.h tests/unit/probe_files.h
tests_unit_parsers_node_more_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit
tests_unit_parsers_node_more_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_node_more.t

check_PROGRAMS += tests/unit/parsers_wall.t
tests_unit_parsers_wall_t_SOURCES = tests/unit/parsers_wall.c tests/tap.h \
	src/parsers/program/parse_wall.c src/parsers/program/parse_wall.h
tests_unit_parsers_wall_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_parsers_wall_t_LDADD = libcore.la
TESTS += tests/unit/parsers_wall.t
check_PROGRAMS += tests/unit/supervise_phase.t
tests_unit_supervise_phase_t_SOURCES = tests/unit/supervise_phase.c tests/tap.h
tests_unit_supervise_phase_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_supervise_phase_t_LDADD = libcore.la
TESTS += tests/unit/supervise_phase.t

check_PROGRAMS += tests/unit/supervise_sockets.t
tests_unit_supervise_sockets_t_SOURCES = tests/unit/supervise_sockets.c \
	tests/tap.h
tests_unit_supervise_sockets_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_supervise_sockets_t_LDADD = libcore.la
TESTS += tests/unit/supervise_sockets.t

check_PROGRAMS += tests/unit/supervise_watch.t
tests_unit_supervise_watch_t_SOURCES = tests/unit/supervise_watch.c tests/tap.h
tests_unit_supervise_watch_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_supervise_watch_t_LDADD = libcore.la
TESTS += tests/unit/supervise_watch.t

check_PROGRAMS += tests/unit/supervise_loop.t
tests_unit_supervise_loop_t_SOURCES = tests/unit/supervise_loop.c tests/tap.h \
	tests/unit/fake_vessel.h
tests_unit_supervise_loop_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_supervise_loop_t_LDADD = libcore.la
TESTS += tests/unit/supervise_loop.t

check_PROGRAMS += tests/unit/supervise_signals.t
tests_unit_supervise_signals_t_SOURCES = tests/unit/supervise_signals.c tests/tap.h \
	tests/unit/fake_vessel.h
tests_unit_supervise_signals_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_supervise_signals_t_LDADD = libcore.la
TESTS += tests/unit/supervise_signals.t

check_PROGRAMS += tests/unit/plan_filter_engine.t
tests_unit_plan_filter_engine_t_SOURCES = tests/unit/plan_filter_engine.c \
	tests/tap.h
tests_unit_plan_filter_engine_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_plan_filter_engine_t_LDADD = libcore.la
TESTS += tests/unit/plan_filter_engine.t

check_PROGRAMS += tests/unit/plan_filter_rows.t
tests_unit_plan_filter_rows_t_SOURCES = tests/unit/plan_filter_rows.c \
	tests/unit/filter_profiles.h tests/tap.h
tests_unit_plan_filter_rows_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_plan_filter_rows_t_LDADD = libcore.la
TESTS += tests/unit/plan_filter_rows.t
EXTRA_DIST += tests/unit/filter_rows.txt

check_PROGRAMS += tests/unit/lib_filter_load.t
tests_unit_lib_filter_load_t_SOURCES = tests/unit/lib_filter_load.c tests/tap.h
tests_unit_lib_filter_load_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_lib_filter_load_t_LDADD = libcore.la
TESTS += tests/unit/lib_filter_load.t

check_PROGRAMS += tests/unit/spec_schemas.t
tests_unit_spec_schemas_t_SOURCES = tests/unit/spec_schemas.c tests/tap.h
tests_unit_spec_schemas_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_unit_spec_schemas_t_LDADD = libcore.la
TESTS += tests/unit/spec_schemas.t

check_PROGRAMS += tests/unit/plan_filter_oracle.t
tests_unit_plan_filter_oracle_t_SOURCES = tests/unit/plan_filter_oracle.c \
	tests/unit/filter_oracle.c tests/unit/filter_oracle.h \
	tests/unit/filter_profiles.h tests/tap.h
tests_unit_plan_filter_oracle_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_plan_filter_oracle_t_LDADD = libcore.la
TESTS += tests/unit/plan_filter_oracle.t

check_PROGRAMS += tests/unit/plan_filter_seccomp.t
tests_unit_plan_filter_seccomp_t_SOURCES = tests/unit/plan_filter_seccomp.c \
	tests/unit/filter_profiles.h tests/tap.h
tests_unit_plan_filter_seccomp_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_plan_filter_seccomp_t_LDADD = libcore.la
TESTS += tests/unit/plan_filter_seccomp.t

check_PROGRAMS += tests/unit/plan_host_runtime.t
tests_unit_plan_host_runtime_t_SOURCES = tests/unit/plan_host_runtime.c \
	tests/tap.h
tests_unit_plan_host_runtime_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_plan_host_runtime_t_LDADD = libcore.la
TESTS += tests/unit/plan_host_runtime.t
check_PROGRAMS += tests/unit/plan_filter_read.t
tests_unit_plan_filter_read_t_SOURCES = tests/unit/plan_filter_read.c \
	tests/unit/filter_profiles.h tests/tap.h
tests_unit_plan_filter_read_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_plan_filter_read_t_LDADD = libcore.la
TESTS += tests/unit/plan_filter_read.t
check_PROGRAMS += tests/unit/boundary_schema.t
tests_unit_boundary_schema_t_SOURCES = tests/unit/boundary_schema.c \
	tests/tap.h tests/unit/schema_rows.h
tests_unit_boundary_schema_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_boundary_schema_t_LDADD = libcore.la
TESTS += tests/unit/boundary_schema.t

check_PROGRAMS += tests/unit/boundary_schema_ref.t
tests_unit_boundary_schema_ref_t_SOURCES = tests/unit/boundary_schema_ref.c \
	tests/tap.h tests/unit/schema_rows.h
tests_unit_boundary_schema_ref_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_boundary_schema_ref_t_LDADD = libcore.la
TESTS += tests/unit/boundary_schema_ref.t
check_PROGRAMS += tests/unit/supervise_output.t
tests_unit_supervise_output_t_SOURCES = tests/unit/supervise_output.c \
	tests/tap.h tests/unit/fake_vessel.h
tests_unit_supervise_output_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_supervise_output_t_LDADD = libcore.la
TESTS += tests/unit/supervise_output.t

check_PROGRAMS += tests/unit/supervise_stdin.t
tests_unit_supervise_stdin_t_SOURCES = tests/unit/supervise_stdin.c \
	tests/tap.h tests/unit/fake_vessel.h
tests_unit_supervise_stdin_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_supervise_stdin_t_LDADD = libcore.la
TESTS += tests/unit/supervise_stdin.t

check_PROGRAMS += tests/unit/supervise_artifact.t
tests_unit_supervise_artifact_t_SOURCES = tests/unit/supervise_artifact.c \
	tests/tap.h
tests_unit_supervise_artifact_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_supervise_artifact_t_LDADD = libcore.la
TESTS += tests/unit/supervise_artifact.t

check_PROGRAMS += tests/unit/result_status.t
tests_unit_result_status_t_SOURCES = tests/unit/result_status.c tests/tap.h
tests_unit_result_status_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_result_status_t_LDADD = libcore.la
TESTS += tests/unit/result_status.t

check_PROGRAMS += tests/unit/result_text.t
tests_unit_result_text_t_SOURCES = tests/unit/result_text.c tests/tap.h
tests_unit_result_text_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_result_text_t_LDADD = libcore.la
TESTS += tests/unit/result_text.t

check_PROGRAMS += tests/unit/spec_published.t
tests_unit_spec_published_t_SOURCES = tests/unit/spec_published.c \
	tests/unit/published.h tests/tap.h
tests_unit_spec_published_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_spec_published_t_LDADD = libcore.la
TESTS += tests/unit/spec_published.t

check_PROGRAMS += tests/unit/boundary_pattern.t
tests_unit_boundary_pattern_t_SOURCES = tests/unit/boundary_pattern.c tests/tap.h
tests_unit_boundary_pattern_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_boundary_pattern_t_LDADD = libcore.la
TESTS += tests/unit/boundary_pattern.t

check_PROGRAMS += tests/unit/boundary_payload.t
tests_unit_boundary_payload_t_SOURCES = tests/unit/boundary_payload.c tests/tap.h
tests_unit_boundary_payload_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_boundary_payload_t_LDADD = libcore.la
TESTS += tests/unit/boundary_payload.t

check_PROGRAMS += tests/unit/boundary_sanitize.t
tests_unit_boundary_sanitize_t_SOURCES = tests/unit/boundary_sanitize.c tests/tap.h
tests_unit_boundary_sanitize_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_boundary_sanitize_t_LDADD = libcore.la
TESTS += tests/unit/boundary_sanitize.t

check_PROGRAMS += tests/unit/result_published.t
tests_unit_result_published_t_SOURCES = tests/unit/result_published.c \
	tests/unit/published.h tests/tap.h
tests_unit_result_published_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_result_published_t_LDADD = libcore.la
TESTS += tests/unit/result_published.t

check_PROGRAMS += tests/unit/base_text.t
tests_unit_base_text_t_SOURCES = tests/unit/base_text.c tests/tap.h
tests_unit_base_text_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_base_text_t_LDADD = libcore.la
TESTS += tests/unit/base_text.t

check_PROGRAMS += tests/unit/boundary_json_value.t
tests_unit_boundary_json_value_t_SOURCES = tests/unit/boundary_json_value.c tests/tap.h
tests_unit_boundary_json_value_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_boundary_json_value_t_LDADD = libcore.la
TESTS += tests/unit/boundary_json_value.t
check_PROGRAMS += tests/unit/result_json.t
tests_unit_result_json_t_SOURCES = tests/unit/result_json.c tests/tap.h
tests_unit_result_json_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_result_json_t_LDADD = libcore.la
TESTS += tests/unit/result_json.t

check_PROGRAMS += tests/unit/parsers_yaml.t
tests_unit_parsers_yaml_t_SOURCES = tests/unit/parsers_yaml.c tests/tap.h \
	tests/unit/yaml_read.h
tests_unit_parsers_yaml_t_CPPFLAGS = $(UNIT_CPPFLAGS) $(YAML_CFLAGS)
tests_unit_parsers_yaml_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_yaml.t

check_PROGRAMS += tests/unit/parsers_jsonc.t
tests_unit_parsers_jsonc_t_SOURCES = tests/unit/parsers_jsonc.c tests/tap.h
tests_unit_parsers_jsonc_t_CPPFLAGS = $(UNIT_CPPFLAGS) $(YAML_CFLAGS)
tests_unit_parsers_jsonc_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_jsonc.t

check_PROGRAMS += tests/unit/parsers_workspace.t
tests_unit_parsers_workspace_t_SOURCES = tests/unit/parsers_workspace.c \
	tests/tap.h tests/unit/probe_files.h
tests_unit_parsers_workspace_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit $(YAML_CFLAGS)
tests_unit_parsers_workspace_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_workspace.t

check_PROGRAMS += tests/unit/parsers_project.t
tests_unit_parsers_project_t_SOURCES = tests/unit/parsers_project.c \
	tests/tap.h tests/unit/probe_files.h tests/unit/project_rows.h
tests_unit_parsers_project_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit $(YAML_CFLAGS)
tests_unit_parsers_project_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_project.t

check_PROGRAMS += tests/unit/parsers_build_system.t
tests_unit_parsers_build_system_t_SOURCES = \
	tests/unit/parsers_build_system.c tests/unit/probe_files.h \
	tests/tap.h
tests_unit_parsers_build_system_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit $(YAML_CFLAGS)
tests_unit_parsers_build_system_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_build_system.t

check_PROGRAMS += tests/unit/parsers_typescript.t
tests_unit_parsers_typescript_t_SOURCES = tests/unit/parsers_typescript.c \
	tests/unit/probe_files.h tests/tap.h
tests_unit_parsers_typescript_t_CPPFLAGS = $(UNIT_CPPFLAGS) \
	-I$(srcdir)/tests/unit $(YAML_CFLAGS)
tests_unit_parsers_typescript_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_typescript.t

check_PROGRAMS += tests/unit/jobs_gather_match.t
tests_unit_jobs_gather_match_t_SOURCES = tests/unit/jobs_gather_match.c \
	tests/tap.h
tests_unit_jobs_gather_match_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_gather_match_t_LDADD = libcore.la
TESTS += tests/unit/jobs_gather_match.t
TESTS += tests/unit/filterc.t
EXTRA_DIST += tests/unit/filterc.t


# Data is not among what a compiler tells make.

check_PROGRAMS += tests/unit/parsers_ci.t
tests_unit_parsers_ci_t_SOURCES = tests/unit/parsers_ci.c tests/tap.h \
	tests/unit/probe_files.h
tests_unit_parsers_ci_t_CPPFLAGS = $(UNIT_CPPFLAGS) -I$(srcdir)/tests/unit \
	$(YAML_CFLAGS)
tests_unit_parsers_ci_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_ci.t

check_PROGRAMS += tests/unit/parsers_ci_match.t
tests_unit_parsers_ci_match_t_SOURCES = tests/unit/parsers_ci_match.c tests/tap.h
tests_unit_parsers_ci_match_t_CPPFLAGS = $(UNIT_CPPFLAGS) -I$(srcdir)/tests/unit \
	$(YAML_CFLAGS)
tests_unit_parsers_ci_match_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_ci_match.t

check_PROGRAMS += tests/unit/parsers_ci_other.t
tests_unit_parsers_ci_other_t_SOURCES = tests/unit/parsers_ci_other.c tests/tap.h \
	tests/unit/probe_files.h
tests_unit_parsers_ci_other_t_CPPFLAGS = $(UNIT_CPPFLAGS) -I$(srcdir)/tests/unit \
	$(YAML_CFLAGS)
tests_unit_parsers_ci_other_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_ci_other.t

check_PROGRAMS += tests/unit/parsers_ci_caps.t
tests_unit_parsers_ci_caps_t_SOURCES = tests/unit/parsers_ci_caps.c tests/tap.h \
	tests/unit/probe_files.h
tests_unit_parsers_ci_caps_t_CPPFLAGS = $(UNIT_CPPFLAGS) -I$(srcdir)/tests/unit \
	$(YAML_CFLAGS)
tests_unit_parsers_ci_caps_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_ci_caps.t

check_PROGRAMS += tests/unit/parsers_yaml_caps.t
tests_unit_parsers_yaml_caps_t_SOURCES = tests/unit/parsers_yaml_caps.c tests/tap.h \
	tests/unit/yaml_read.h
tests_unit_parsers_yaml_caps_t_CPPFLAGS = $(UNIT_CPPFLAGS) -I$(srcdir)/tests/unit \
	$(YAML_CFLAGS)
tests_unit_parsers_yaml_caps_t_LDADD = libparsers.a libcore.la $(YAML_LIBS)
TESTS += tests/unit/parsers_yaml_caps.t

check_PROGRAMS += tests/unit/jobs_gather_select.t
tests_unit_jobs_gather_select_t_SOURCES = tests/unit/jobs_gather_select.c \
	tests/tap.h
tests_unit_jobs_gather_select_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_gather_select_t_LDADD = libcore.la
TESTS += tests/unit/jobs_gather_select.t

check_PROGRAMS += tests/unit/jobs_gather_cache.t
tests_unit_jobs_gather_cache_t_SOURCES = tests/unit/jobs_gather_cache.c \
	tests/tap.h
tests_unit_jobs_gather_cache_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_gather_cache_t_LDADD = libcore.la
TESTS += tests/unit/jobs_gather_cache.t

check_PROGRAMS += tests/unit/jobs_gather_publish.t
tests_unit_jobs_gather_publish_t_SOURCES = tests/unit/jobs_gather_publish.c \
	tests/tap.h
tests_unit_jobs_gather_publish_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_gather_publish_t_LDADD = libcore.la
TESTS += tests/unit/jobs_gather_publish.t

check_PROGRAMS += tests/unit/jobs_walk.t
tests_unit_jobs_walk_t_SOURCES = tests/unit/jobs_walk.c tests/tap.h
tests_unit_jobs_walk_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_walk_t_LDADD = libcore.la
TESTS += tests/unit/jobs_walk.t

check_PROGRAMS += tests/unit/jobs_rules.t tests/unit/jobs_sarif.t
tests_unit_jobs_rules_t_SOURCES = tests/unit/jobs_rules.c tests/tap.h
tests_unit_jobs_rules_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_rules_t_LDADD = libcore.la
tests_unit_jobs_sarif_t_SOURCES = tests/unit/jobs_sarif.c tests/tap.h
tests_unit_jobs_sarif_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_sarif_t_LDADD = libcore.la
TESTS += tests/unit/jobs_rules.t tests/unit/jobs_sarif.t
check_PROGRAMS += tests/unit/jobs_seal.t
tests_unit_jobs_seal_t_SOURCES = tests/unit/jobs_seal.c tests/tap.h
tests_unit_jobs_seal_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_seal_t_LDADD = libcore.la
TESTS += tests/unit/jobs_seal.t
check_PROGRAMS += tests/unit/jobs_intake.t tests/unit/jobs_resume.t
tests_unit_jobs_intake_t_SOURCES = tests/unit/jobs_intake.c tests/tap.h
tests_unit_jobs_intake_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_intake_t_LDADD = libcore.la
tests_unit_jobs_resume_t_SOURCES = tests/unit/jobs_resume.c tests/tap.h
tests_unit_jobs_resume_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_resume_t_LDADD = libcore.la
TESTS += tests/unit/jobs_intake.t tests/unit/jobs_resume.t
check_PROGRAMS += tests/unit/jobs_reproduce.t
tests_unit_jobs_reproduce_t_SOURCES = tests/unit/jobs_reproduce.c tests/tap.h
tests_unit_jobs_reproduce_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_reproduce_t_LDADD = libcore.la
TESTS += tests/unit/jobs_reproduce.t
check_PROGRAMS += tests/unit/jobs_caps.t
tests_unit_jobs_caps_t_SOURCES = tests/unit/jobs_caps.c tests/tap.h
tests_unit_jobs_caps_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_jobs_caps_t_LDADD = libcore.la
TESTS += tests/unit/jobs_caps.t

# The Python synthesis, its files run as one program.
if PLAIN_BUILD
TESTS += tests/unit/runners_python.t
endif
EXTRA_DIST += tests/unit/runners_python.t

check_PROGRAMS += tests/unit/plan_host_cgroup.t
tests_unit_plan_host_cgroup_t_SOURCES = tests/unit/plan_host_cgroup.c tests/tap.h
tests_unit_plan_host_cgroup_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_plan_host_cgroup_t_LDADD = libcore.la
TESTS += tests/unit/plan_host_cgroup.t

check_PROGRAMS += tests/unit/plan_host_cgroup1.t
tests_unit_plan_host_cgroup1_t_SOURCES = tests/unit/plan_host_cgroup1.c tests/tap.h
tests_unit_plan_host_cgroup1_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_plan_host_cgroup1_t_LDADD = libcore.la
TESTS += tests/unit/plan_host_cgroup1.t

check_PROGRAMS += tests/unit/launch_cgroup.t
tests_unit_launch_cgroup_t_SOURCES = tests/unit/launch_cgroup.c tests/tap.h
tests_unit_launch_cgroup_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_launch_cgroup_t_LDADD = libcore.la
TESTS += tests/unit/launch_cgroup.t

check_PROGRAMS += tests/unit/launch_helper.t
tests_unit_launch_helper_t_SOURCES = tests/unit/launch_helper.c tests/tap.h
tests_unit_launch_helper_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_launch_helper_t_LDADD = libcore_testing.la
TESTS += tests/unit/launch_helper.t

check_PROGRAMS += tests/unit/launch_place.t
tests_unit_launch_place_t_SOURCES = tests/unit/launch_place.c tests/tap.h
tests_unit_launch_place_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_launch_place_t_LDADD = libcore_testing.la
TESTS += tests/unit/launch_place.t

check_PROGRAMS += tests/unit/supervise_cgroup.t
tests_unit_supervise_cgroup_t_SOURCES = tests/unit/supervise_cgroup.c tests/tap.h
tests_unit_supervise_cgroup_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_supervise_cgroup_t_LDADD = libcore.la
TESTS += tests/unit/supervise_cgroup.t

check_PROGRAMS += tests/unit/launch_scope.t
tests_unit_launch_scope_t_SOURCES = tests/unit/launch_scope.c tests/tap.h
tests_unit_launch_scope_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_launch_scope_t_LDADD = libcore.la
TESTS += tests/unit/launch_scope.t

# Another's readers of the same things; where they are not there nothing is
# built that needs them, and ./bootstrap check installs them first.
if WITNESSES
if PLAIN_BUILD
check_PROGRAMS += tests/unit/witness_json.t
tests_unit_witness_json_t_SOURCES = tests/unit/witness_json.c tests/tap.h
tests_unit_witness_json_t_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_witness_json_t_CFLAGS = $(CUPEL_CFLAGS) $(WITNESS_CFLAGS)
tests_unit_witness_json_t_LDADD = libcore.la $(WITNESS_LIBS)
TESTS += tests/unit/witness_json.t
endif
endif
