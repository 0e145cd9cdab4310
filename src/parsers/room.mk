# src/parsers: cupel-parse, the built-in probes' own program.  Its objects are
# its own: it is linked statically, never sanitized, and runs in an empty root.
parser_sources = \
	src/parsers/ci.c src/parsers/ci.h src/parsers/ci_azure.c \
	src/parsers/ci_build.c src/parsers/ci_build.h \
	src/parsers/ci_circleci.c src/parsers/ci_flow.c \
	src/parsers/ci_github.c src/parsers/ci_gitlab.c \
	src/parsers/ci_groovy.c src/parsers/ci_groovy.h \
	src/parsers/ci_jenkins.c src/parsers/ci_match.c \
	src/parsers/ci_match.h src/parsers/ci_script.c \
	src/parsers/ci_simple.c src/parsers/ci_table.c \
	src/parsers/ci_table.h src/parsers/ci_walk.c \
	src/parsers/ci_words.c src/parsers/ci_words.h \
	src/parsers/lines.c src/parsers/lines.h \
	src/parsers/context_read.c \
	src/parsers/jsonc.h src/parsers/language.h \
	src/parsers/deploy.h src/parsers/deploy_class.c \
	src/parsers/deploy_compose.c src/parsers/deploy_docker.c \
	src/parsers/deploy_helm.c src/parsers/deploy_image.c \
	src/parsers/deploy_kustomize.c src/parsers/deploy_line.c \
	src/parsers/deploy_line.h src/parsers/deploy_manifest.c \
	src/parsers/deploy_overlay.c src/parsers/deploy_path.c \
	src/parsers/deploy_pod.c src/parsers/deploy_yaml.c \
	src/parsers/deployment.c \
	src/parsers/language_detection.c src/parsers/language_monorepo.c \
	src/parsers/language_table.c \
	src/parsers/slice_list.c src/parsers/slice_list.h \
	src/parsers/build.c src/parsers/build.h \
	src/parsers/build_bundler.c src/parsers/build_claim.c \
	src/parsers/build_extends.c src/parsers/build_manager.c \
	src/parsers/build_monorepo.c src/parsers/build_node.c \
	src/parsers/build_program.c src/parsers/build_program.h \
	src/parsers/build_project.c src/parsers/build_project.h \
	src/parsers/text.c src/parsers/text.h \
	src/parsers/build_tool.c src/parsers/build_tool.h \
	src/parsers/build_typescript.c src/parsers/build_typescript.h \
	src/parsers/build_workspace.c src/parsers/build_workspace_write.c \
	src/parsers/lcov.c src/parsers/lcov.h \
	src/parsers/tests.c src/parsers/tests.h \
	src/parsers/tests_command.c src/parsers/tests_coverage.c \
	src/parsers/tests_file.c src/parsers/tests_framework.c \
	src/parsers/tests_lines.c \
	src/parsers/tests_scan.c src/parsers/tests_scan.h \
	src/parsers/tests_token.c src/parsers/tests_token.h \
	src/parsers/node.h src/parsers/parse.h \
	src/parsers/jsonc.c src/parsers/yaml.c src/parsers/yaml.h \
	src/parsers/yaml_anchor.c src/parsers/yaml_compose.h \
	src/parsers/yaml_events.c src/parsers/yaml_events.h \
	src/parsers/yaml_mapping.c src/parsers/yaml_node.c \
	src/parsers/yaml_scan.c src/parsers/yaml_scan.h \
	src/parsers/node_against.c src/parsers/node_berry.c \
	src/parsers/node_bun.c src/parsers/node_catalogue.c \
	src/parsers/node_compare.c src/parsers/node_globs.c \
	src/parsers/node_installed.c src/parsers/node_integrity.c \
	src/parsers/node_lock.c src/parsers/node_manifest.c \
	src/parsers/node_native.c src/parsers/node_npm.c \
	src/parsers/node_package.c src/parsers/node_pnpm.c \
	src/parsers/node_pnpm_key.c src/parsers/node_record.c \
	src/parsers/node_stream.c src/parsers/node_stream.h \
	src/parsers/node_text.c src/parsers/node_workspace.c \
	src/parsers/node_yarn.c \
	src/parsers/report.c \
	src/parsers/suite.c src/parsers/suite.h src/parsers/suite_jest.c \
	src/parsers/suite_junit.c src/parsers/suite_tap.c \
	src/parsers/suite_text.c \
	src/parsers/wall.c src/parsers/wall.h \
	src/parsers/data.S
# The same for tests, compiled as everything of theirs is.
check_LIBRARIES = libparsers.a
libparsers_a_SOURCES = $(parser_sources)
libparsers_a_CPPFLAGS = $(AM_CPPFLAGS) $(YAML_CFLAGS) $(EXPAT_CFLAGS)
libparsers_a_CCASFLAGS = -I$(srcdir)/profiles
noinst_PROGRAMS += src/parsers/cupel-parse
src_parsers_cupel_parse_SOURCES = src/parsers/main.c $(parser_sources) \
	src/base/arena.c src/base/blake3.c src/base/blake3_core.c \
	src/base/buf.c src/base/error.c src/base/glob.c \
	src/base/jsonw.c src/base/name.c src/base/utf8.c \
	src/boundary/decimal.c src/boundary/decimal_es.c \
	src/boundary/json.c src/boundary/json_lex.c \
	src/boundary/json_value.c src/boundary/json_write.c
src_parsers_cupel_parse_CPPFLAGS = -I$(srcdir)/src $(YAML_CFLAGS) \
	$(EXPAT_CFLAGS)
src_parsers_cupel_parse_CCASFLAGS = -I$(srcdir)/profiles
src_parsers_cupel_parse_CFLAGS = $(CUPEL_CFLAGS) -fPIE
src_parsers_cupel_parse_LDFLAGS = -XCClinker -static-pie
src_parsers_cupel_parse_LDADD = $(YAML_LIBS) $(EXPAT_LIBS)
parser_data = profiles/data/ci-commands.txt profiles/data/languages.txt profiles/data/native-modules.txt
EXTRA_DIST += $(parser_data)
src/parsers/cupel_parse-data.$(OBJEXT) \
src/parsers/libparsers_a-data.$(OBJEXT): $(parser_data)
cupel-parse.bin: src/parsers/cupel-parse$(EXEEXT)
	$(AM_V_GEN)$(STRIP) -o $@ src/parsers/cupel-parse$(EXEEXT)
CLEANFILES += cupel-parse.bin
