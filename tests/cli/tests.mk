# tests/cli: what a person and a script see of the command
cli_tests = \
	tests/cli/apparmor.t tests/cli/audit.t \
	tests/cli/completion.t tests/cli/confirm.t \
	tests/cli/doctor.t tests/cli/explain.t \
	tests/cli/gather.t tests/cli/happened.t \
	tests/cli/man.t \
	tests/cli/plan.t \
	tests/cli/profile.t \
	tests/cli/run.t \
	tests/cli/schema.t tests/cli/schema_suite.t \
	tests/cli/shell.t tests/cli/source.t \
	tests/cli/signal.t \
	tests/cli/terminal.t \
	tests/cli/usage.t \
	tests/cli/validate.t
TESTS += $(cli_tests)
EXTRA_DIST += $(cli_tests) tests/cli/lib.sh tests/cli/shell.py \
	tests/cli/zsh_complete.py

cli_units = tests/unit/cli_file.t \
	tests/unit/cli_pass.t tests/unit/cli_trap.t
check_PROGRAMS += $(cli_units)
TESTS += $(cli_units)
tests_unit_cli_file_t_SOURCES = tests/unit/cli_file.c tests/tap.h
tests_unit_cli_file_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_unit_cli_file_t_LDADD = libcli.la
tests_unit_cli_pass_t_SOURCES = tests/unit/cli_pass.c tests/tap.h
tests_unit_cli_pass_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_unit_cli_pass_t_LDADD = libcli.la
tests_unit_cli_trap_t_SOURCES = tests/unit/cli_trap.c tests/tap.h
tests_unit_cli_trap_t_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
tests_unit_cli_trap_t_LDADD = libcli.la
