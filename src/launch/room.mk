# src/launch: from a plan to a running vessel.  launch/init is a freestanding
# program of its own, embedded in the library as bytes.
core_sources += \
	src/launch/begin.c src/launch/begin.h \
	src/launch/cgroup.c src/launch/cgroup.h \
	src/launch/cgroup_name.c \
	src/launch/cgroup_remove.c \
	src/launch/fd.c src/launch/fd.h \
	src/launch/idmap.c src/launch/idmap.h \
	src/launch/image.c src/launch/image.h src/launch/image_write.h \
	src/launch/init_image.c src/launch/init_image.h \
	src/launch/launch.c src/launch/launch.h \
	src/launch/place.c src/launch/place.h \
	src/launch/record.h \
	src/launch/scope.c src/launch/scope.h \
	src/launch/scope_message.c \
	src/launch/source.c src/launch/source.h \
	src/launch/spawn.c src/launch/spawn.h \
	src/launch/sys.c src/launch/sys.h \
	src/launch/template.c src/launch/template.h

init_sources = \
	src/launch/init/child.c \
	src/launch/init/command.c \
	src/launch/init/event.c \
	src/launch/init/filter.c \
	src/launch/init/image.c \
	src/launch/init/init.h \
	src/launch/init/kill.c \
	src/launch/init/landlock.c \
	src/launch/init/limit.c \
	src/launch/init/main.c \
	src/launch/init/mount.c \
	src/launch/init/names.c \
	src/launch/init/notify.c \
	src/launch/init/overlay.c \
	src/launch/init/privilege.c \
	src/launch/init/report.c \
	src/launch/init/root.c \
	src/launch/init/scratch.c \
	src/launch/init/start.c \
	src/launch/init/step.c \
	src/launch/init/terminal.c \
	src/launch/init/watch.c \
	src/launch/place.c src/launch/sys.c src/plan/wall.c

# No libc, no start files, no sanitizer, nothing that wants a stack guard: what
# runs between clone and exec cannot allocate or lock because it is not there.
init_cflags = $(CUPEL_CFLAGS) -Os -ffreestanding -fno-stack-protector \
	-fno-sanitize=all -fno-pie -fno-asynchronous-unwind-tables \
	-fcf-protection=none
init_ldflags = -nostdlib -nostartfiles -static -Wl,--build-id=none \
	-Wl,-z,noexecstack -Wl,-z,noseparate-code

noinst_PROGRAMS += cupel-init
cupel_init_SOURCES = $(init_sources)
cupel_init_CFLAGS = $(init_cflags)
cupel_init_LDFLAGS = $(init_ldflags)
cupel_init_LINK = $(CC) $(init_cflags) $(init_ldflags) -o $@

check_PROGRAMS += cupel-init-testing
cupel_init_testing_SOURCES = $(init_sources)
cupel_init_testing_CPPFLAGS = $(AM_CPPFLAGS) -DCUPEL_TEST_HOOKS
cupel_init_testing_CFLAGS = $(init_cflags)
cupel_init_testing_LDFLAGS = $(init_ldflags)
cupel_init_testing_LINK = $(CC) $(init_cflags) $(init_ldflags) -o $@

# The same code once more, as what a template loads: a shared object with one
# name, and as little of the C library.
template_sources = $(init_sources) src/launch/init/copy.c \
	src/launch/init/template.c src/launch/init/template.h
template_cflags = $(init_cflags) -fPIC -fvisibility=hidden -ffunction-sections
template_ldflags = -shared -nostdlib -nostartfiles -Wl,--build-id=none \
	-Wl,-z,noexecstack -Wl,-z,noseparate-code -Wl,--gc-sections \
	-Wl,-Bsymbolic -Wl,-z,defs

noinst_PROGRAMS += cupel-template
cupel_template_SOURCES = $(template_sources)
cupel_template_CFLAGS = $(template_cflags)
cupel_template_LDFLAGS = $(template_ldflags)
cupel_template_LINK = $(CC) $(template_cflags) $(template_ldflags) -o $@

check_PROGRAMS += cupel-template-testing
cupel_template_testing_SOURCES = $(template_sources)
cupel_template_testing_CPPFLAGS = $(AM_CPPFLAGS) -DCUPEL_TEST_HOOKS
cupel_template_testing_CFLAGS = $(template_cflags)
cupel_template_testing_LDFLAGS = $(template_ldflags)
cupel_template_testing_LINK = $(CC) $(template_cflags) $(template_ldflags) \
	-o $@

# The builder's own CFLAGS come last on a command line; distributions ask there
# for what needs a libc.
init_objects = $(cupel_init_OBJECTS) $(cupel_init_testing_OBJECTS) \
	$(cupel_template_OBJECTS) $(cupel_template_testing_OBJECTS)
$(init_objects): override CFLAGS += -fno-stack-protector \
	-fno-stack-clash-protection -U_FORTIFY_SOURCE -fno-lto

cupel-template.bin: cupel-template
	$(AM_V_GEN)$(STRIP) -o $@ cupel-template
cupel-template-testing.bin: cupel-template-testing
	$(AM_V_GEN)$(STRIP) -o $@ cupel-template-testing
CLEANFILES += cupel-template.bin cupel-template-testing.bin

cupel-init.bin: cupel-init
	$(AM_V_GEN)$(STRIP) -o $@ cupel-init
cupel-init-testing.bin: cupel-init-testing
	$(AM_V_GEN)$(STRIP) -o $@ cupel-init-testing
CLEANFILES += cupel-init.bin cupel-init-testing.bin
# Named through variables: automake takes a plain target for a rule of its own.
init_image_object = src/launch/libcore_la-init_image.lo
init_image_testing_object = src/launch/libcore_testing_la-init_image.lo
$(init_image_object): cupel-init.bin cupel-template.bin
$(init_image_testing_object): cupel-init-testing.bin \
	cupel-template-testing.bin
