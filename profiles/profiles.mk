# profiles: data that is compiled in and installed.  A profile is listed where it
# stands here, and cupel profile find takes the first that fits.
profile_files = \
	profiles/default.json \
	profiles/test.json \
	profiles/pytest.json \
	profiles/unittest.json \
	profiles/jest.json \
	profiles/vitest.json \
	profiles/mocha.json \
	profiles/node-test.json \
	profiles/npm-test.json \
	profiles/go-test.json \
	profiles/cargo-test.json \
	profiles/ctest.json \
	profiles/prove.json \
	profiles/automake.json \
	profiles/tap.json \
	profiles/npm-install.json \
	profiles/pip-install.json \
	profiles/cargo-fetch.json \
	profiles/go-mod-download.json \
	profiles/apt-download.json \
	profiles/python-function.json \
	profiles/node-function.json \
	profiles/probe.json \
	profiles/parser.json
profilesdir = $(pkgdatadir)/profiles
dist_profiles_DATA = $(profile_files)

EXTRA_DIST += profiles/embed
core_generated += profiles/profile_texts.c
CLEANFILES += profiles/profile_texts.c
profiles/profile_texts.c: $(profile_files) profiles/embed
	$(AM_V_GEN)$(MKDIR_P) profiles && rm -f $@ $@.tmp && \
	list=; for f in $(profile_files); do list="$$list $(srcdir)/$$f"; done; \
	$(srcdir)/profiles/embed profile_texts .json $$list >$@.tmp && \
	mv $@.tmp $@

# A probe that anyone could have added: --probe-dir $(pkgdatadir)/probes
probesdir = $(pkgdatadir)/probes
dist_probes_DATA = \
	profiles/probes/license_files.json \
	profiles/probes/license_files.py \
	profiles/probes/license_files.schema.json

# The policies of system calls: three that are stacked, as they stand, and six
# that are made of a source each and the table of calls and options.
seccomp_halves = \
	profiles/seccomp/cross.json \
	profiles/seccomp/lesser.json \
	profiles/seccomp/offline.json
seccomp_made = \
	profiles/seccomp/default.json \
	profiles/seccomp/node-function.json \
	profiles/seccomp/parser.json \
	profiles/seccomp/probe.json \
	profiles/seccomp/python-function.json \
	profiles/seccomp/test.json
seccomp_sources = \
	profiles/seccomp/default.json.in \
	profiles/seccomp/node-function.json.in \
	profiles/seccomp/parser.json.in \
	profiles/seccomp/probe.json.in \
	profiles/seccomp/python-function.json.in \
	profiles/seccomp/test.json.in
seccomp_table = profiles/seccomp/calls.txt
seccompdir = $(pkgdatadir)/seccomp
dist_seccomp_DATA = $(seccomp_halves) $(seccomp_table)
nodist_seccomp_DATA = $(seccomp_made)
EXTRA_DIST += $(seccomp_sources) profiles/seccomp/policy.py
CLEANFILES += $(seccomp_made)
$(seccomp_made): $(seccomp_sources) $(seccomp_table) profiles/seccomp/policy.py
	$(AM_V_GEN)$(MKDIR_P) profiles/seccomp && \
	list=; for f in $(seccomp_sources); do list="$$list $(srcdir)/$$f"; done; \
	python3 -B $(srcdir)/profiles/seccomp/policy.py check \
		$(srcdir)/$(seccomp_table) $$list && \
	python3 -B $(srcdir)/profiles/seccomp/policy.py expand \
		$(srcdir)/$(seccomp_table) $(srcdir)/$@.in >$@.tmp && \
	mv $@.tmp $@

# The published schemas: those that stand as they are, and those that are made of a
# source each, the definitions that they share, the tables of options and walls, and
# the list of profiles.
schema_plain = \
	profiles/schemas/batch-answer.schema.json \
	profiles/schemas/doctor.schema.json \
	profiles/schemas/events.schema.json \
	profiles/schemas/gate-catalogue.schema.json \
	profiles/schemas/gate-kind.schema.json \
	profiles/schemas/gate-result.schema.json \
	profiles/schemas/gate-rules.schema.json \
	profiles/schemas/payload-error.schema.json \
	profiles/schemas/probe-manifest.schema.json \
	profiles/schemas/repo-context.schema.json \
	profiles/schemas/review-flags.schema.json \
	profiles/schemas/run-record.schema.json \
	profiles/schemas/tests.schema.json \
	profiles/schemas/trace-diff.schema.json \
	profiles/schemas/validate.schema.json \
	profiles/schemas/worker-answer.schema.json
schema_made = \
	profiles/schemas/ci.schema.json \
	profiles/schemas/confirm-call.schema.json \
	profiles/schemas/confirm-explore.schema.json \
	profiles/schemas/confirm-synthesis.schema.json \
	profiles/schemas/dependencies.schema.json \
	profiles/schemas/deployment.schema.json \
	profiles/schemas/gate-baseline.schema.json \
	profiles/schemas/gate-signals.schema.json \
	profiles/schemas/language_detection.schema.json \
	profiles/schemas/node_build_system.schema.json \
	profiles/schemas/node_manifest.schema.json \
	profiles/schemas/plan.schema.json \
	profiles/schemas/profile.schema.json \
	profiles/schemas/result.schema.json \
	profiles/schemas/run-log.schema.json \
	profiles/schemas/spec.schema.json \
	profiles/schemas/test_inventory.schema.json \
	profiles/schemas/worker-request.schema.json
schema_sources = $(schema_made:=.in)
schemasdir = $(pkgdatadir)/schemas
dist_schemas_DATA = $(schema_plain)
nodist_schemas_DATA = $(schema_made)
schema_makers = profiles/schemas/compose.py profiles/schemas/shared.json
EXTRA_DIST += $(schema_sources) $(schema_makers)
CLEANFILES += $(schema_made) profiles/schemas/rows.json

# What the tables say, printed by a program that is made of them alone, and without
# sanitizers.
noinst_PROGRAMS += src/cli/schema_rows
src_cli_schema_rows_SOURCES = src/cli/schema_rows.c \
	src/spec/field.c src/plan/wall.c
src_cli_schema_rows_CPPFLAGS = $(AM_CPPFLAGS)
src_cli_schema_rows_CFLAGS = $(CUPEL_CFLAGS)
src_cli_schema_rows_LDFLAGS =
profiles/schemas/rows.json: src/cli/schema_rows$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) profiles/schemas && \
	src/cli/schema_rows$(EXEEXT) >$@.tmp && mv $@.tmp $@
$(schema_made): $(schema_makers) $(profile_files) profiles/schemas/rows.json
$(schema_made): %: %.in
	$(AM_V_GEN)list=; for f in $(profile_files); do \
		list="$$list $(srcdir)/$$f"; done; \
	python3 -B $(srcdir)/profiles/schemas/compose.py \
		profiles/schemas/rows.json \
		$(srcdir)/profiles/schemas/shared.json $(srcdir)/$@.in \
		$$list >$@.tmp && mv $@.tmp $@

core_generated += profiles/schema_texts.c
CLEANFILES += profiles/schema_texts.c
profiles/schema_texts.c: $(schema_plain) $(schema_made) profiles/embed
	$(AM_V_GEN)$(MKDIR_P) profiles && rm -f $@ $@.tmp && \
	list=`{ for f in $(schema_plain); do echo "$(srcdir)/$$f"; done; \
		for f in $(schema_made); do echo "$$f"; done; } | \
		sed 's,.*/,& ,' | LC_ALL=C sort -k 2 | sed 's, ,,'` && \
	$(srcdir)/profiles/embed schema_texts .schema.json $$list >$@.tmp && \
	mv $@.tmp $@

# Which rule of an analyser stands for which class of flag.
rule_files = profiles/data/flag-rules.txt
dist_pkgdata_DATA = $(rule_files)
core_generated += profiles/rule_texts.c
CLEANFILES += profiles/rule_texts.c
profiles/rule_texts.c: $(rule_files) profiles/embed
	$(AM_V_GEN)$(MKDIR_P) profiles && rm -f $@ $@.tmp && \
	$(srcdir)/profiles/embed rule_texts .txt $(srcdir)/$(rule_files) \
		>$@.tmp && mv $@.tmp $@

# What differs between two traces of the same thing, and what is a shell.
trace_files = profiles/data/trace-paths.txt profiles/data/trace-shells.txt
dist_pkgdata_DATA += $(trace_files)
core_generated += profiles/trace_texts.c
CLEANFILES += profiles/trace_texts.c
profiles/trace_texts.c: $(trace_files) profiles/embed
	$(AM_V_GEN)$(MKDIR_P) profiles && rm -f $@ $@.tmp && \
	list=; for f in $(trace_files); do list="$$list $(srcdir)/$$f"; done; \
	$(srcdir)/profiles/embed trace_texts .txt $$list >$@.tmp && \
	mv $@.tmp $@

# Words of other programs, by which a failed command is given advice.
advice_files = profiles/data/advice-words.txt
dist_pkgdata_DATA += $(advice_files)
core_generated += profiles/advice_texts.c
CLEANFILES += profiles/advice_texts.c
profiles/advice_texts.c: $(advice_files) profiles/embed
	$(AM_V_GEN)$(MKDIR_P) profiles && rm -f $@ $@.tmp && \
	$(srcdir)/profiles/embed advice_texts .txt $(srcdir)/$(advice_files) \
		>$@.tmp && mv $@.tmp $@

# Whose a file is, by the directories on its way.
role_files = profiles/data/roles.txt
core_generated += profiles/role_texts.c
CLEANFILES += profiles/role_texts.c
profiles/role_texts.c: $(role_files) profiles/embed
	$(AM_V_GEN)$(MKDIR_P) profiles && rm -f $@ $@.tmp && \
	$(srcdir)/profiles/embed role_texts .txt $(srcdir)/$(role_files) \
		>$@.tmp && mv $@.tmp $@

# What runners load inside, so that each writes a report of its own.
reporter_files = profiles/reporters/cupel_report.py \
	profiles/reporters/sitecustomize.py \
	profiles/reporters/cupel_report.cjs \
	profiles/reporters/cupel_mocha.cjs profiles/reporters/cupel_tap.mjs
EXTRA_DIST += $(reporter_files)
core_generated += profiles/reporter_texts.c
CLEANFILES += profiles/reporter_texts.c
profiles/reporter_texts.c: $(reporter_files) profiles/embed
	$(AM_V_GEN)$(MKDIR_P) profiles && rm -f $@ $@.tmp && \
	list=; for f in $(reporter_files); do list="$$list $(srcdir)/$$f"; done; \
	$(srcdir)/profiles/embed reporter_texts '' $$list >$@.tmp && \
	mv $@.tmp $@

# The gates that come with cupel, and the rules that they judge a change by.
gatesdir = $(pkgdatadir)/gates
dist_gates_DATA = profiles/gates/shipped.yaml profiles/gates/rules.json
core_generated += profiles/gate_texts.c profiles/policy_texts.c
CLEANFILES += profiles/gate_texts.c profiles/policy_texts.c
profiles/gate_texts.c: profiles/gates/shipped.yaml profiles/embed
	$(AM_V_GEN)$(MKDIR_P) profiles && rm -f $@ $@.tmp && \
	$(srcdir)/profiles/embed gate_texts .yaml \
		$(srcdir)/profiles/gates/shipped.yaml >$@.tmp && mv $@.tmp $@
profiles/policy_texts.c: profiles/gates/rules.json profiles/embed
	$(AM_V_GEN)$(MKDIR_P) profiles && rm -f $@ $@.tmp && \
	$(srcdir)/profiles/embed policy_texts .json \
		$(srcdir)/profiles/gates/rules.json >$@.tmp && mv $@.tmp $@

# The scripts of --reproducer, with @WORDS@ to be filled in.
script_files = profiles/reproduce/javascript.txt profiles/reproduce/python.txt
EXTRA_DIST += $(script_files)
core_generated += profiles/script_texts.c
CLEANFILES += profiles/script_texts.c
profiles/script_texts.c: $(script_files) profiles/embed
	$(AM_V_GEN)$(MKDIR_P) profiles && rm -f $@ $@.tmp && \
	list=; for f in $(script_files); do list="$$list $(srcdir)/$$f"; done; \
	$(srcdir)/profiles/embed script_texts .txt $$list >$@.tmp && \
	mv $@.tmp $@
