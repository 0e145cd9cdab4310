# src/parsers: cupel-parse, the built-in probes' own program.  Its objects are
# its own: it is linked statically, never sanitized, and runs in an empty root.
parser_common_sources = \
	src/parsers/common/address_clean.c src/parsers/common/address_clean.h \
	src/parsers/common/address_query.c src/parsers/common/address_query.h \
	src/parsers/common/digest.c src/parsers/common/digest.h \
	src/parsers/common/here_document.c src/parsers/common/here_document.h \
	src/parsers/common/jsonc.c src/parsers/common/jsonc.h \
	src/parsers/common/lines.c src/parsers/common/lines.h \
	src/parsers/common/parse.h src/parsers/common/parse_input.c \
	src/parsers/common/parse_json.c src/parsers/common/parse_report.c \
	src/parsers/common/role.c src/parsers/common/role.h \
	src/parsers/common/slice_list.c src/parsers/common/slice_list.h \
	src/parsers/common/text_piece.c src/parsers/common/text_piece.h
parser_yaml_sources = \
	src/parsers/yaml/yaml.c src/parsers/yaml/yaml.h \
	src/parsers/yaml/yaml_anchor.c src/parsers/yaml/yaml_compose.h \
	src/parsers/yaml/yaml_context.c src/parsers/yaml/yaml_events.c \
	src/parsers/yaml/yaml_events.h src/parsers/yaml/yaml_mapping.c \
	src/parsers/yaml/yaml_node.c src/parsers/yaml/yaml_scan.c \
	src/parsers/yaml/yaml_scan.h
parser_toml_sources = \
	src/parsers/toml/toml.c src/parsers/toml/toml.h \
	src/parsers/toml/toml_lex.h src/parsers/toml/toml_scalar.c \
	src/parsers/toml/toml_text.c src/parsers/toml/toml_tree.c
parser_depend_sources = \
	src/parsers/depend/depend.h src/parsers/depend/depend_add.c \
	src/parsers/depend/depend_archive.c \
	src/parsers/depend/depend_cargo.c src/parsers/depend/depend_clean.c \
	src/parsers/depend/depend_composer.c \
	src/parsers/depend/depend_formats.c src/parsers/depend/depend_gem.c \
	src/parsers/depend/depend_go.c src/parsers/depend/depend_gradle.c \
	src/parsers/depend/depend_gradle_lock.c \
	src/parsers/depend/depend_line.c src/parsers/depend/depend_managed.c \
	src/parsers/depend/depend_maven.c src/parsers/depend/depend_named.c \
	src/parsers/depend/depend_npm.c src/parsers/depend/depend_pip.c \
	src/parsers/depend/depend_pom.c src/parsers/depend/depend_pom.h \
	src/parsers/depend/depend_probe.c src/parsers/depend/depend_purl.c \
	src/parsers/depend/depend_pylock.c src/parsers/depend/depend_python.c \
	src/parsers/depend/depend_registry.c \
	src/parsers/depend/depend_requirement.c \
	src/parsers/depend/depend_resolve.c \
	src/parsers/depend/depend_setup_cfg.c \
	src/parsers/depend/depend_text.c src/parsers/depend/depend_write.c
parser_project_sources = \
	src/parsers/project/project.c src/parsers/project/project.h \
	src/parsers/project/project_glob.c \
	src/parsers/project/project_program.c \
	src/parsers/project/project_program.h \
	src/parsers/project/project_roles.c \
	src/parsers/project/project_tool.c \
	src/parsers/project/project_tool.h \
	src/parsers/project/project_workspace.c
parser_builds_sources = \
	src/parsers/builds/build_bundler.c src/parsers/builds/build_claim.c \
	src/parsers/builds/build_extends.c src/parsers/builds/build_manager.c \
	src/parsers/builds/build_monorepo.c src/parsers/builds/build_node.c \
	src/parsers/builds/build_system.c src/parsers/builds/build_system.h \
	src/parsers/builds/build_typescript.c \
	src/parsers/builds/build_typescript.h \
	src/parsers/builds/build_workspace.c
parser_node_sources = \
	src/parsers/node/node.h src/parsers/node/node_against.c \
	src/parsers/node/node_archive.c \
	src/parsers/node/node_berry.c src/parsers/node/node_bun.c \
	src/parsers/node/node_catalogue.c src/parsers/node/node_choice.c \
	src/parsers/node/node_compare.c src/parsers/node/node_directory.c \
	src/parsers/node/node_installed.c src/parsers/node/node_integrity.c \
	src/parsers/node/node_lock.c src/parsers/node/node_manifest.c \
	src/parsers/node/node_native.c src/parsers/node/node_npm.c \
	src/parsers/node/node_origin.c \
	src/parsers/node/node_package.c src/parsers/node/node_pnpm.c \
	src/parsers/node/node_pnpm_key.c src/parsers/node/node_record.c \
	src/parsers/node/node_stream.c src/parsers/node/node_stream.h \
	src/parsers/node/node_text.c src/parsers/node/node_yarn.c
parser_ci_sources = \
	src/parsers/ci/ci.h src/parsers/ci/ci_azure.c \
	src/parsers/ci/ci_build.c src/parsers/ci/ci_build.h \
	src/parsers/ci/ci_builds.c src/parsers/ci/ci_circleci.c \
	src/parsers/ci/ci_cirrus.c src/parsers/ci/ci_cloud.c \
	src/parsers/ci/ci_flow.c src/parsers/ci/ci_github.c \
	src/parsers/ci/ci_gitlab.c src/parsers/ci/ci_groovy.c \
	src/parsers/ci/ci_groovy.h src/parsers/ci/ci_input.c \
	src/parsers/ci/ci_jenkins.c src/parsers/ci/ci_match.c \
	src/parsers/ci/ci_match.h src/parsers/ci/ci_place.c \
	src/parsers/ci/ci_probe.c src/parsers/ci/ci_row.c \
	src/parsers/ci/ci_row.h src/parsers/ci/ci_script.c \
	src/parsers/ci/ci_simple.c src/parsers/ci/ci_step.c \
	src/parsers/ci/ci_table.c src/parsers/ci/ci_table.h \
	src/parsers/ci/ci_tell.c src/parsers/ci/ci_walk.c \
	src/parsers/ci/ci_words.c src/parsers/ci/ci_words.h
parser_deploy_sources = \
	src/parsers/deploy/deploy.h src/parsers/deploy/deploy_argument.c \
	src/parsers/deploy/deploy_argument.h \
	src/parsers/deploy/deploy_class.c src/parsers/deploy/deploy_compose.c \
	src/parsers/deploy/deploy_docker.c src/parsers/deploy/deploy_helm.c \
	src/parsers/deploy/deploy_image.c \
	src/parsers/deploy/deploy_kustomize.c \
	src/parsers/deploy/deploy_line.c src/parsers/deploy/deploy_line.h \
	src/parsers/deploy/deploy_manifest.c \
	src/parsers/deploy/deploy_overlay.c src/parsers/deploy/deploy_path.c \
	src/parsers/deploy/deploy_pod.c src/parsers/deploy/deploy_probe.c \
	src/parsers/deploy/deploy_yaml.c
parser_tests_sources = \
	src/parsers/tests/tests.h src/parsers/tests/tests_build.c \
	src/parsers/tests/tests_command.c src/parsers/tests/tests_coverage.c \
	src/parsers/tests/tests_file.c src/parsers/tests/tests_framework.c \
	src/parsers/tests/tests_inventory.c src/parsers/tests/tests_joined.c \
	src/parsers/tests/tests_lcov.c src/parsers/tests/tests_lcov.h \
	src/parsers/tests/tests_lines.c src/parsers/tests/tests_marked.c \
	src/parsers/tests/tests_marked.h src/parsers/tests/tests_marks.c \
	src/parsers/tests/tests_marks.h src/parsers/tests/tests_scan.c \
	src/parsers/tests/tests_scan.h src/parsers/tests/tests_token.c \
	src/parsers/tests/tests_token.h
parser_suite_sources = \
	src/parsers/suite/suite.c src/parsers/suite/suite.h \
	src/parsers/suite/suite_check.c src/parsers/suite/suite_go_json.c \
	src/parsers/suite/suite_index.c src/parsers/suite/suite_index.h \
	src/parsers/suite/suite_jest.c src/parsers/suite/suite_junit.c \
	src/parsers/suite/suite_junit.h src/parsers/suite/suite_junit_told.c \
	src/parsers/suite/suite_said.c src/parsers/suite/suite_tap.c \
	src/parsers/suite/suite_text.c src/parsers/suite/suite_unittest.c
parser_languages_sources = \
	src/parsers/languages/language.h \
	src/parsers/languages/language_detection.c \
	src/parsers/languages/language_monorepo.c \
	src/parsers/languages/language_primary.c \
	src/parsers/languages/language_table.c
parser_program_sources = \
	src/parsers/program/parse_wall.c src/parsers/program/parse_wall.h \
	src/parsers/program/parse_data.S
parser_sources = \
	$(parser_common_sources) $(parser_yaml_sources) \
	$(parser_toml_sources) $(parser_depend_sources) \
	$(parser_project_sources) $(parser_builds_sources) \
	$(parser_node_sources) $(parser_ci_sources) $(parser_deploy_sources) \
	$(parser_tests_sources) $(parser_suite_sources) \
	$(parser_languages_sources) $(parser_program_sources)
# In the tests of a build with a sanitizer these are sanitized, and in the program never.
noinst_LIBRARIES += libparsers.a
libparsers_a_SOURCES = $(parser_sources)
libparsers_a_CPPFLAGS = $(AM_CPPFLAGS) $(YAML_CFLAGS) $(EXPAT_CFLAGS)
libparsers_a_CFLAGS = $(AM_CFLAGS) -fPIE
libparsers_a_CCASFLAGS = -I$(srcdir)/profiles
if PLAIN_BUILD
program_parsers = libparsers.a
program_sources =
else
program_parsers =
program_sources = $(parser_sources)
endif
noinst_PROGRAMS += src/parsers/cupel-parse
src_parsers_cupel_parse_SOURCES = \
	src/parsers/program/parse_main.c src/parsers/program/parse_exit.h \
	src/parsers/program/parse_memory.c \
	src/parsers/program/parse_memory.h $(program_sources) \
	src/base/arena.c src/base/blake3.c src/base/blake3_core.c \
	src/base/buf.c src/base/error.c src/base/glob.c \
	src/base/jsonw.c src/base/name.c src/base/path_role.c src/base/utf8.c \
	src/boundary/decimal.c src/boundary/decimal_es.c \
	src/boundary/json.c src/boundary/json_lex.c \
	src/boundary/json_value.c src/boundary/json_write.c
src_parsers_cupel_parse_CPPFLAGS = -I$(srcdir)/src $(YAML_CFLAGS) \
	$(EXPAT_CFLAGS)
src_parsers_cupel_parse_CCASFLAGS = -I$(srcdir)/profiles
src_parsers_cupel_parse_CFLAGS = $(CUPEL_CFLAGS) -fPIE
# Every function that allocates, of those that its objects and libraries call:
# tests/unit/parsers_memory_names.t finds one that is missing here.
PARSE_MEMORY_WRAP = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray,--wrap=strdup,--wrap=tsearch
src_parsers_cupel_parse_LDFLAGS = -XCClinker -static-pie $(PARSE_MEMORY_WRAP)
src_parsers_cupel_parse_LDADD = $(program_parsers) $(YAML_LIBS) $(EXPAT_LIBS)
parser_data = profiles/data/ci-commands.txt profiles/data/languages.txt profiles/data/native-modules.txt profiles/data/roles.txt
EXTRA_DIST += $(parser_data)
src/parsers/program/cupel_parse-parse_data.$(OBJEXT) \
src/parsers/program/libparsers_a-parse_data.$(OBJEXT): $(parser_data)
cupel-parse.bin: src/parsers/cupel-parse$(EXEEXT)
	$(AM_V_GEN)$(STRIP) -o $@ src/parsers/cupel-parse$(EXEEXT)
CLEANFILES += cupel-parse.bin
