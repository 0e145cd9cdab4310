# adversarial: attacks, each with a control in which its wall is down
check_PROGRAMS += adversarial/attack
adversarial_attack_SOURCES = \
	adversarial/attack.c adversarial/attack.h \
	adversarial/calls.c adversarial/channel.c adversarial/egress.c \
	adversarial/egress.h adversarial/egress_hello.c adversarial/files.c \
	adversarial/life.c adversarial/limits.c adversarial/memory.c adversarial/queues.c \
	adversarial/net.c adversarial/options.c adversarial/peer.c \
	adversarial/proc.c adversarial/see.c adversarial/self.c \
	adversarial/tell.c adversarial/trace.c \
	adversarial/tree.c adversarial/vanish.c
# One static file that runs in an empty root: never with a sanitizer.
adversarial_attack_CFLAGS = $(CUPEL_CFLAGS)
adversarial_attack_LDFLAGS = -all-static -pthread
adversarial_attack_LDADD =
# The leakage oracle's programs: what they look at is theirs alone, so no
# sanitizer either.
check_PROGRAMS += adversarial/leak
adversarial_leak_SOURCES = adversarial/leak.c adversarial/leak.h \
	adversarial/leak_leave.c
adversarial_leak_CFLAGS = $(CUPEL_CFLAGS)
adversarial_leak_LDFLAGS = -all-static
adversarial_leak_LDADD =
# The command itself, with walls that can be taken down (CUPEL_TEST_DROP).
check_PROGRAMS += tests/cupel-testing
tests_cupel_testing_SOURCES = src/cli/main.c
tests_cupel_testing_LDADD = $(linked_cli_testing)
tests_cupel_testing_LINK = $(static_link) -o $@

TESTS += adversarial/attacks.t adversarial/gather.t adversarial/leakage.t
EXTRA_DIST += \
	adversarial/leakage.t \
	adversarial/gather.t adversarial/gather_hold.py \
	adversarial/gather_make.py \
	adversarial/gather/cache.ini adversarial/gather/files.ini \
	adversarial/gather/json.ini adversarial/gather/liar.ini \
	adversarial/gather/output.ini adversarial/gather/race.ini \
	adversarial/gather/text.ini adversarial/gather/yaml.ini
EXTRA_DIST += \
	adversarial/attacks.t adversarial/cache_fixture.py adversarial/fixture.py adversarial/outside.py \
	adversarial/outside_fixture.py adversarial/table.py \
	adversarial/attacks/cache.ini adversarial/attacks/channel.ini \
	adversarial/attacks/egress.ini adversarial/attacks/files.ini \
	adversarial/attacks/kernel.ini \
	adversarial/attacks/landlock.ini adversarial/attacks/lesser.ini \
	adversarial/attacks/life.ini \
	adversarial/attacks/limits.ini adversarial/attacks/net.ini \
	adversarial/attacks/options.ini adversarial/attacks/proc.ini adversarial/attacks/see.ini \
	adversarial/attacks/trace.ini
