# src/cli: the command
bin_PROGRAMS += cupel
noinst_LTLIBRARIES += libcli.la
libcli_la_LIBTOOLFLAGS = --tag=disable-shared
libcli_la_SOURCES = \
	src/cli/audit.c \
	src/cli/batch.c \
	src/cli/cli.c src/cli/cli.h \
	src/cli/command.c src/cli/command.h \
	src/cli/completion.c \
	src/cli/confirm.c \
	src/cli/doctor.c \
	src/cli/doctor/apparmor.c \
	src/cli/doctor/calls.c \
	src/cli/doctor/doctor.h \
	src/cli/doctor/egress.c \
	src/cli/doctor/evidence.c \
	src/cli/doctor/finding.c \
	src/cli/doctor/mounts.c \
	src/cli/doctor/report.c src/cli/doctor/report.h \
	src/cli/doctor/row.c \
	src/cli/doctor/trap.c \
	src/cli/doctor/vessel.c \
	src/cli/doctor/walls.c \
	src/cli/egress.c \
	src/cli/explain.c src/cli/explain.h \
	src/cli/explain_fact.c \
	src/cli/workspace.c src/cli/workspace.h \
	src/cli/lack.c src/cli/lack.h \
	src/cli/fail_on.c src/cli/fail_on.h \
	src/cli/file.c src/cli/file.h \
	src/cli/fit.c src/cli/fit.h \
	src/cli/forward.c src/cli/forward.h \
	src/cli/gate.c src/cli/gate.h \
	src/cli/gate_baseline.c src/cli/gate_job.c src/cli/gate_job.h \
	src/cli/gate_run.c \
	src/cli/gate_show.c \
	src/cli/gather.c \
	src/cli/happened.c src/cli/happened.h \
	src/cli/help.c \
	src/cli/junit.c src/cli/junit.h \
	src/cli/load.c src/cli/load.h \
	src/cli/manifests.c src/cli/manifests.h \
	src/cli/option.c src/cli/option.h \
	src/cli/pass.c src/cli/pass.h \
	src/cli/plan.c \
	src/cli/pretty.c src/cli/pretty.h \
	src/cli/probe.c \
	src/cli/profile.c \
	src/cli/progress.c src/cli/progress.h \
	src/cli/report.c \
	src/cli/request.c src/cli/request.h \
	src/cli/run.c \
	src/cli/schema.c \
	src/cli/shell.c \
	src/cli/stop.c src/cli/stop.h \
	src/cli/streams.c src/cli/streams.h \
	src/cli/trace.c \
	src/cli/validate.c \
	src/cli/worker.c src/cli/worker.h
libcli_la_LIBADD = libcore.la

cupel_SOURCES = src/cli/main.c
cupel_LDADD = libcli.la
if STATIC_CLI
cupel_LDFLAGS = $(AM_LDFLAGS) -all-static
endif

# What is installed beside the command, printed by the command itself.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d
apparmordir = $(pkgdatadir)/apparmor
nodist_bashcompletion_DATA = src/cli/completions/cupel
nodist_zshcompletion_DATA = src/cli/completions/_cupel
nodist_fishcompletion_DATA = src/cli/completions/cupel.fish
nodist_apparmor_DATA = profiles/apparmor/cupel
cli_data = $(nodist_bashcompletion_DATA) $(nodist_zshcompletion_DATA) \
	$(nodist_fishcompletion_DATA) $(nodist_apparmor_DATA)
CLEANFILES += $(cli_data)
$(cli_data): cupel$(EXEEXT)
src/cli/completions/cupel:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./cupel completion bash >$@.tmp && \
	mv $@.tmp $@
src/cli/completions/_cupel:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./cupel completion zsh >$@.tmp && \
	mv $@.tmp $@
src/cli/completions/cupel.fish:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./cupel completion fish >$@.tmp && \
	mv $@.tmp $@
profiles/apparmor/cupel:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./cupel doctor --apparmor | \
	sed 's|^profile cupel ".*" |profile cupel "$(bindir)/cupel" |' \
		>$@.tmp && mv $@.tmp $@
