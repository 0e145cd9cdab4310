# tests/golden: texts that are held to a file
EXTRA_DIST += \
	tests/golden/canonical.json \
	tests/golden/gate/records.json \
	tests/golden/gate/show.html \
	tests/golden/gate/show.txt \
	tests/golden/help.txt \
	tests/golden/options.man \
	tests/golden/profiles \
	tests/golden/profiles.txt
EXTRA_DIST += tests/golden/plans tests/golden/template.diff

# completion.t asks it for what the shells are given.
check_PROGRAMS += tests/golden/write_completion
tests_golden_write_completion_SOURCES = tests/golden/write_completion.c
tests_golden_write_completion_LDADD = $(linked_core)
tests_golden_write_completion_LINK = $(plain_link) -o $@

# Plans for a machine that is written down.
fake_plan = tests/golden/fake_plan.c tests/golden/fake_plan.h \
	tests/golden/fake_host.c tests/golden/fake_host.h

# What holds a text to a file, and how two JSON texts differ.
golden = tests/golden/golden.c tests/golden/golden.h \
	tests/golden/json_diff.c tests/golden/json_diff.h
