# tests/golden: texts that are held to a file, so that a change is a diff
check_PROGRAMS += tests/golden/spec.t
tests_golden_spec_t_SOURCES = tests/golden/spec.c tests/tap.h
tests_golden_spec_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_golden_spec_t_LDADD = libcore.la
TESTS += tests/golden/spec.t
EXTRA_DIST += \
	tests/golden/canonical.json \
	tests/golden/help.txt \
	tests/golden/options.man \
	tests/golden/profiles.txt \
	tests/golden/profiles/default.json \
	tests/golden/profiles/node-function.json \
	tests/golden/profiles/parser.json \
	tests/golden/profiles/probe.json \
	tests/golden/profiles/python-function.json \
	tests/golden/profiles/test.json \
	tests/golden/profiles/pytest.json \
	tests/golden/profiles/unittest.json \
	tests/golden/profiles/jest.json \
	tests/golden/profiles/vitest.json \
	tests/golden/profiles/node-test.json \
	tests/golden/profiles/go-test.json \
	tests/golden/profiles/cargo-test.json \
	tests/golden/profiles/ctest.json \
	tests/golden/profiles/npm-install.json \
	tests/golden/profiles/pip-install.json \
	tests/golden/profiles/cargo-fetch.json \
	tests/golden/profiles/go-mod-download.json \
	tests/golden/profiles/apt-download.json

check_PROGRAMS += tests/golden/write_completion
tests_golden_write_completion_SOURCES = tests/golden/write_completion.c
tests_golden_write_completion_LDADD = libcore.la
TESTS += tests/golden/completion.t
EXTRA_DIST += tests/golden/completion.t

check_PROGRAMS += tests/golden/plan.t
tests_golden_plan_t_SOURCES = tests/golden/plan.c tests/golden/fake_host.c \
	tests/golden/fake_host.h tests/tap.h
tests_golden_plan_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_golden_plan_t_LDADD = libcore.la
TESTS += tests/golden/plan.t
EXTRA_DIST += tests/golden/plans

check_PROGRAMS += tests/golden/lesser.t
tests_golden_lesser_t_SOURCES = tests/golden/lesser.c \
	tests/golden/fake_host.c tests/golden/fake_host.h tests/tap.h
tests_golden_lesser_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_golden_lesser_t_LDADD = libcore.la
TESTS += tests/golden/lesser.t

check_PROGRAMS += tests/golden/template.t
tests_golden_template_t_SOURCES = tests/golden/template.c \
	tests/golden/fake_host.c tests/golden/fake_host.h tests/tap.h
tests_golden_template_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_golden_template_t_LDADD = libcore.la
TESTS += tests/golden/template.t
EXTRA_DIST += tests/golden/template.json
