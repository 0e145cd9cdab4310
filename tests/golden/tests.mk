# tests/golden: texts that are held to a file
EXTRA_DIST += \
	tests/golden/canonical.json \
	tests/golden/gate/records.json \
	tests/golden/gate/show.html \
	tests/golden/gate/show.txt \
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
	tests/golden/profiles/mocha.json \
	tests/golden/profiles/node-test.json \
	tests/golden/profiles/go-test.json \
	tests/golden/profiles/cargo-test.json \
	tests/golden/profiles/ctest.json \
	tests/golden/profiles/automake.json \
	tests/golden/profiles/prove.json \
	tests/golden/profiles/tap.json \
	tests/golden/profiles/npm-install.json \
	tests/golden/profiles/npm-test.json \
	tests/golden/profiles/pip-install.json \
	tests/golden/profiles/cargo-fetch.json \
	tests/golden/profiles/go-mod-download.json \
	tests/golden/profiles/apt-download.json
EXTRA_DIST += tests/golden/plans tests/golden/template.json

# completion.t asks it for what the shells are given.
check_PROGRAMS += tests/golden/write_completion
tests_golden_write_completion_SOURCES = tests/golden/write_completion.c
tests_golden_write_completion_LDADD = $(linked_core)
tests_golden_write_completion_LINK = $(plain_link) -o $@

# Plans for a machine that is written down.
fake_plan = tests/golden/fake_plan.c tests/golden/fake_plan.h \
	tests/golden/fake_host.c tests/golden/fake_host.h
