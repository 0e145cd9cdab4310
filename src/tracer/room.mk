# src/tracer: cupel-tracer, which sees what a vessel executes and connects to: a
# static program of its own, embedded in the library as bytes.
core_sources += \
	src/tracer/protocol.h src/tracer/stops.h \
	src/tracer/tracer_image.c src/tracer/tracer_image.h

noinst_PROGRAMS += src/tracer/cupel-tracer
src_tracer_cupel_tracer_SOURCES = \
	src/base/blake3.c src/base/blake3.h \
	src/base/blake3_core.c src/base/blake3_core.h \
	src/tracer/protocol.h src/tracer/stops.h \
	src/tracer/tracer.h \
	src/tracer/tracer_claim.c \
	src/tracer/tracer_connect.c \
	src/tracer/tracer_exec.c \
	src/tracer/tracer_look.c \
	src/tracer/tracer_main.c \
	src/tracer/tracer_queue.c \
	src/tracer/tracer_regs.c \
	src/tracer/tracer_stop.c src/tracer/tracer_stop.h \
	src/tracer/tracer_task.c \
	src/tracer/tracer_wait.c \
	src/tracer/tracer_wall.c
src_tracer_cupel_tracer_CPPFLAGS = -I$(srcdir)/src
src_tracer_cupel_tracer_CFLAGS = $(CUPEL_CFLAGS) -fPIE
src_tracer_cupel_tracer_LDFLAGS = -XCClinker -static-pie
src_tracer_cupel_tracer_LDADD =
cupel-tracer.bin: src/tracer/cupel-tracer$(EXEEXT)
	$(AM_V_GEN)$(STRIP) -o $@ src/tracer/cupel-tracer$(EXEEXT)
CLEANFILES += cupel-tracer.bin
# Named through variables: automake takes a plain target for a rule of its own.
tracer_image_object = src/tracer/libcore_la-tracer_image.lo
$(tracer_image_object): cupel-tracer.bin
