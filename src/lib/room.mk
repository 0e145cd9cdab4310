# src/lib: the public library
include_HEADERS += src/cupel.h
core_sources += \
	src/lib/batch.c \
	src/lib/fields.h \
	src/lib/plan.c \
	src/lib/run.c \
	src/lib/spec.c

# All of the core, but only the symbols that the map names.
lib_LTLIBRARIES += libcupel.la
libcupel_la_SOURCES =
libcupel_la_LIBADD = libcore.la
# current:revision:age.  A new function adds a node to the map, and one to current
# and age: the name of the library stays libcupel.so.0.
libcupel_la_LDFLAGS = $(AM_LDFLAGS) -version-info 1:0:1 -no-undefined \
	-Wl,--version-script=$(srcdir)/src/lib/libcupel.map
libcupel_la_DEPENDENCIES = libcore.la src/lib/libcupel.map
EXTRA_DIST += src/lib/libcupel.map src/lib/cupel.pc.in

# The pkg-config file is made by sed, like everything here that holds a path.
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = src/lib/cupel.pc
CLEANFILES += src/lib/cupel.pc
src/lib/cupel.pc: src/lib/cupel.pc.in Makefile
	$(AM_V_GEN)$(MKDIR_P) src/lib && sed \
		-e 's|@prefix[@]|$(prefix)|' \
		-e 's|@exec_prefix[@]|$(exec_prefix)|' \
		-e 's|@libdir[@]|$(libdir)|' \
		-e 's|@includedir[@]|$(includedir)|' \
		-e 's|@PACKAGE_VERSION[@]|$(PACKAGE_VERSION)|' \
		$(srcdir)/src/lib/cupel.pc.in >$@.new && mv -f $@.new $@
