# src/cli: the command
bin_PROGRAMS += cupel
noinst_LTLIBRARIES += libcli.la
libcli_la_SOURCES = \
	src/cli/cli.c src/cli/cli.h \
	src/cli/command.c src/cli/command.h \
	src/cli/completion.c \
	src/cli/doctor.c \
	src/cli/doctor/apparmor.c \
	src/cli/doctor/calls.c \
	src/cli/doctor/doctor.h \
	src/cli/doctor/evidence.c \
	src/cli/doctor/finding.c \
	src/cli/doctor/mounts.c \
	src/cli/doctor/report.c src/cli/doctor/report.h \
	src/cli/doctor/row.c \
	src/cli/doctor/trap.c \
	src/cli/doctor/walls.c \
	src/cli/file.c src/cli/file.h \
	src/cli/help.c \
	src/cli/load.c src/cli/load.h \
	src/cli/option.c src/cli/option.h \
	src/cli/pass.c src/cli/pass.h \
	src/cli/profile.c
libcli_la_LIBADD = libcore.la

cupel_SOURCES = src/cli/main.c
cupel_LDADD = libcli.la
if STATIC_CLI
cupel_LDFLAGS = $(AM_LDFLAGS) -all-static
endif
