# man pages: templates beside this file, tables from the program itself
man_templates = \
	man/cupel.1.in \
	man/cupel-audit.1.in \
	man/cupel-batch.1.in \
	man/cupel-ci.7.in \
	man/cupel-completion.1.in \
	man/cupel-confirm.1.in \
	man/cupel-doctor.1.in \
	man/cupel-egress.1.in \
	man/cupel-fleet.7.in \
	man/cupel-gate.1.in \
	man/cupel-gate-ledger.5.in \
	man/cupel-gather.1.in \
	man/cupel-gate-catalogue.5.in \
	man/cupel-explain.1.in \
	man/cupel-help.1.in \
	man/cupel-limits.7.in \
	man/cupel-plan.1.in \
	man/cupel-report.1.in \
	man/cupel-probe.1.in \
	man/cupel-probes.5.in \
	man/cupel-profile.1.in \
	man/cupel-result.5.in \
	man/cupel-run.1.in \
	man/cupel-schema.1.in \
	man/cupel-seccomp.5.in \
	man/cupel-shell.1.in \
	man/cupel-spec.5.in \
	man/cupel-submit.1.in \
	man/cupel-trace.1.in \
	man/cupel-validate.1.in \
	man/cupel-witness.5.in \
	man/cupel-worker.1.in \
	man/libcupel.3.in
man_pages = $(man_templates:.in=)
EXTRA_DIST += $(man_templates)
nodist_man_MANS += $(man_pages)
CLEANFILES += $(man_pages)

noinst_PROGRAMS += src/cli/manual
src_cli_manual_SOURCES = src/cli/manual.c \
	src/cli/manual_slice.c src/cli/manual_slice.h
src_cli_manual_LDADD = libcli.la
$(man_pages): src/cli/manual$(EXEEXT)
$(man_pages): %: %.in
	$(AM_V_GEN)$(MKDIR_P) man && \
	src/cli/manual$(EXEEXT) $< >$@.tmp && mv $@.tmp $@
