# src/relay: cupel-relay, the one way of a vessel to the network.  A program of
# its own, linked statically and never sanitized, embedded in the library as
# bytes.
core_sources += src/relay/protocol.h \
	src/relay/relay_image.c src/relay/relay_image.h

# What is pure: for the program and, compiled as everything of theirs is, tests.
relay_pure_sources = \
	src/relay/address.c src/relay/address.h \
	src/relay/book.c src/relay/book.h \
	src/relay/dns.h src/relay/dns_answer.c src/relay/dns_question.c \
	src/relay/dns_wire.h \
	src/relay/hello.c src/relay/hello.h \
	src/relay/message.c src/relay/message.h \
	src/relay/name.c src/relay/name.h \
	src/relay/near.c src/relay/near.h \
	src/relay/packet.c src/relay/packet.h \
	src/relay/rule.c src/relay/rule.h \
	src/relay/special.c src/relay/special.h
check_LIBRARIES += librelay.a
librelay_a_SOURCES = $(relay_pure_sources)

relay_sources = $(relay_pure_sources) \
	src/relay/attack.h \
	src/relay/connection.c src/relay/connection.h \
	src/relay/connection_private.h \
	src/relay/control.c src/relay/control.h \
	src/relay/copy.c src/relay/dial.c src/relay/hello_phase.c \
	src/relay/listener.c src/relay/listener.h \
	src/relay/query.c \
	src/relay/recorder.c src/relay/recorder.h \
	src/relay/relay.h src/relay/relay_main.c \
	src/relay/resolver.c src/relay/resolver.h \
	src/relay/resolver_private.h \
	src/relay/stub.c src/relay/stub.h src/relay/stub_private.h \
	src/relay/stub_socket.c \
	src/relay/wall.c src/relay/wall.h \
	src/relay/wall_filter.c src/relay/wall_filter.h \
	src/relay/watch.c src/relay/watch.h

noinst_PROGRAMS += cupel-relay
cupel_relay_SOURCES = $(relay_sources)
cupel_relay_CPPFLAGS = -I$(srcdir)/src
cupel_relay_CFLAGS = $(CUPEL_CFLAGS) -fPIE
cupel_relay_LDFLAGS = -XCClinker -static-pie

check_PROGRAMS += cupel-relay-testing
cupel_relay_testing_SOURCES = $(relay_sources)
cupel_relay_testing_CPPFLAGS = -I$(srcdir)/src $(with_hooks)
cupel_relay_testing_CFLAGS = $(CUPEL_CFLAGS) -fPIE
cupel_relay_testing_LDFLAGS = -XCClinker -static-pie

cupel-relay.bin: cupel-relay
	$(AM_V_GEN)$(STRIP) -o $@ cupel-relay
cupel-relay-testing.bin: cupel-relay-testing
	$(AM_V_GEN)$(STRIP) -o $@ cupel-relay-testing
CLEANFILES += cupel-relay.bin cupel-relay-testing.bin
# Named through variables: automake takes a plain target for a rule of its own.
relay_image_object = src/relay/libcore_la-relay_image.lo
relay_image_testing_object = src/relay/libcore_testing_a-relay_image.$(OBJEXT)
$(relay_image_object): cupel-relay.bin
$(relay_image_testing_object): cupel-relay-testing.bin
