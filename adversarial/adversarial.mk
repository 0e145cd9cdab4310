# adversarial: attacks, each with a control in which its wall is down
check_PROGRAMS += adversarial/attack
adversarial_attack_SOURCES = \
	adversarial/attack.c adversarial/attack.h \
	adversarial/calls.c adversarial/channel.c adversarial/files.c \
	adversarial/life.c adversarial/limits.c adversarial/memory.c \
	adversarial/net.c adversarial/proc.c adversarial/see.c \
	adversarial/self.c adversarial/tree.c
# One static file that runs in an empty root: never with a sanitizer.
adversarial_attack_CFLAGS = $(CUPEL_CFLAGS)
adversarial_attack_LDFLAGS = -all-static -pthread
adversarial_attack_LDADD =
EXTRA_DIST += \
	adversarial/attacks.t adversarial/fixture.py adversarial/table.py \
	adversarial/attacks/channel.ini adversarial/attacks/files.ini \
	adversarial/attacks/kernel.ini adversarial/attacks/life.ini \
	adversarial/attacks/limits.ini adversarial/attacks/net.ini \
	adversarial/attacks/proc.ini adversarial/attacks/see.ini
