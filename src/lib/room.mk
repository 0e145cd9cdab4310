# src/lib: the public library
include_HEADERS += src/cupel.h
core_sources += \
	src/lib/cgroup.c src/lib/cgroup.h \
	src/lib/fields.h \
	src/lib/finish.c \
	src/lib/file.c src/lib/file.h \
	src/lib/cache_dir.c src/lib/cache_dir.h \
	src/lib/filter_cache.c src/lib/filter_cache.h \
	src/lib/filter_load.c src/lib/filter_load.h \
	src/lib/parse_program.c src/lib/parse_program.h \
	src/lib/plan.c \
	src/lib/prepare.c src/lib/prepare.h \
	src/lib/report.c src/lib/report.h \
	src/lib/report_answer.c src/lib/report_answer.h \
	src/lib/run.c src/lib/run_private.h \
	src/lib/schema.c src/lib/schema.h \
	src/lib/sealed.c src/lib/sealed.h \
	src/lib/secret.c src/lib/secret.h \
	src/lib/spec.c src/lib/spec.h \
	src/lib/template.c src/lib/template.h \
	src/lib/trace.c src/lib/trace.h \
	src/lib/vessel.c src/lib/vessel.h

# Named through variables: automake takes a plain target for a rule of its own.
parse_program_object = src/lib/libcore_la-parse_program.lo
parse_program_testing_object = src/lib/libcore_testing_la-parse_program.lo
$(parse_program_object): cupel-parse.bin
$(parse_program_testing_object): cupel-parse.bin

# All of the core, and of its symbols those that the map names.
lib_LTLIBRARIES += libcupel.la
libcupel_la_SOURCES =
libcupel_la_LIBADD = libcore.la
libcupel_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined \
	-Wl,--version-script=$(srcdir)/src/lib/libcupel.map
libcupel_la_DEPENDENCIES = libcore.la src/lib/libcupel.map
EXTRA_DIST += src/lib/libcupel.map src/lib/libcupel.pc.in

# pkg-config file: by sed, as everything here that holds a path.
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = src/lib/libcupel.pc
CLEANFILES += src/lib/libcupel.pc
src/lib/libcupel.pc: src/lib/libcupel.pc.in Makefile
	$(AM_V_GEN)$(MKDIR_P) src/lib && sed \
		-e 's|@prefix[@]|$(prefix)|' \
		-e 's|@exec_prefix[@]|$(exec_prefix)|' \
		-e 's|@libdir[@]|$(libdir)|' \
		-e 's|@includedir[@]|$(includedir)|' \
		-e 's|@PACKAGE_VERSION[@]|$(PACKAGE_VERSION)|' \
		$(srcdir)/src/lib/libcupel.pc.in >$@.new && mv -f $@.new $@
