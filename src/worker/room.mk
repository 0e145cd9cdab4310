# src/worker: cupel-worker, a program of its own, linked with libnats and
# with libcrypto, which libnats is linked with.  Where they are not there, the command
# says what to install.
if WORKER
bin_PROGRAMS += cupel-worker
cupel_worker_SOURCES = \
	src/worker/address.c src/worker/address.h \
	src/worker/answer.c \
	src/worker/check.c src/worker/check.h \
	src/worker/child.c src/worker/child.h \
	src/worker/deliver.c src/worker/deliver.h \
	src/worker/do.c src/worker/do.h \
	src/worker/git.c \
	src/worker/hear.c \
	src/worker/link.c src/worker/link.h \
	src/worker/metrics.c src/worker/metrics.h \
	src/worker/pending.c src/worker/pending.h \
	src/worker/place.c src/worker/place.h \
	src/worker/pulse.c src/worker/pulse.h \
	src/worker/request.c src/worker/request.h \
	src/worker/scratch.c src/worker/scratch.h \
	src/worker/settle.c src/worker/settle.h \
	src/worker/settings.c src/worker/settings.h \
	src/worker/slot.c src/worker/slot.h \
	src/worker/source.c src/worker/source.h \
	src/worker/steady.c src/worker/steady.h \
	src/worker/submit.c src/worker/submit.h \
	src/worker/unpack.c src/worker/unpack.h \
	src/worker/work.c \
	src/worker/worker.h src/worker/worker_main.c
cupel_worker_CPPFLAGS = $(AM_CPPFLAGS) $(NATS_CFLAGS) $(CRYPTO_CFLAGS)
cupel_worker_LDADD = libcli.la $(NATS_LIBS) $(CRYPTO_LIBS)
endif
