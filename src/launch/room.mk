# src/launch: from a plan to a running vessel.  launch/native/init is a freestanding
# program of its own, embedded in the library as bytes.
core_sources += \
	src/launch/launch.c src/launch/launch.h src/launch/launcher.h \
	src/launch/native/begin.c src/launch/native/begin.h \
	src/launch/native/cgroup.c src/launch/native/cgroup.h \
	src/launch/native/cgroup_name.c \
	src/launch/native/cgroup_remove.c \
	src/launch/native/fd.c src/launch/native/fd.h \
	src/launch/native/helper.c src/launch/native/helper.h \
	src/launch/native/holder.c src/launch/native/holder.h \
	src/launch/native/idmap.c src/launch/native/idmap.h \
	src/launch/native/image.c src/launch/native/image.h src/launch/native/image_write.h \
	src/launch/native/init_image.c src/launch/native/init_image.h \
	src/launch/native/launch.c \
	src/launch/native/place.c src/launch/native/place.h \
	src/launch/record.h \
	src/launch/native/relay.c src/launch/native/relay.h \
	src/launch/native/scope.c src/launch/native/scope.h \
	src/launch/native/scope_message.c \
	src/launch/native/source.c src/launch/native/source.h \
	src/launch/native/spawn.c src/launch/native/spawn.h \
	src/launch/native/sync.c src/launch/sync.h \
	src/launch/native/sys.c src/launch/native/sys.h \
	src/launch/native/template.c src/launch/native/template.h \
	src/launch/native/tracer.c src/launch/native/tracer.h

init_sources = \
	src/launch/native/init/child.c \
	src/launch/native/init/command.c \
	src/launch/native/init/event.c \
	src/launch/native/init/filter.c \
	src/launch/native/init/find.c \
	src/launch/native/init/holder.c \
	src/launch/native/init/image.c \
	src/launch/native/init/init.h \
	src/launch/native/init/kill.c \
	src/launch/native/init/landlock.c \
	src/launch/native/init/limit.c \
	src/launch/native/init/main.c \
	src/launch/native/init/mount.c \
	src/launch/native/init/names.c \
	src/launch/native/init/network.c \
	src/launch/native/init/notify.c \
	src/launch/native/init/overlay.c \
	src/launch/native/init/phase.c \
	src/launch/native/init/privilege.c \
	src/launch/native/init/report.c \
	src/launch/native/init/root.c \
	src/launch/native/init/scratch.c \
	src/launch/native/init/socket.c \
	src/launch/native/init/start.c \
	src/launch/native/init/step.c \
	src/launch/native/init/terminal.c \
	src/launch/native/init/trace.c \
	src/launch/native/init/tree.c \
	src/launch/native/init/tree_attest.c \
	src/launch/native/init/watch.c \
	src/launch/native/place.c src/launch/native/sys.c \
	src/plan/backend.c src/plan/wall.c

# No libc, no start files, no sanitizer, nothing that wants a stack guard: code
# between clone and exec cannot allocate or lock, because these do not exist.
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
cupel_init_testing_CPPFLAGS = $(AM_CPPFLAGS) $(with_hooks)
cupel_init_testing_CFLAGS = $(init_cflags)
cupel_init_testing_LDFLAGS = $(init_ldflags)
cupel_init_testing_LINK = $(CC) $(init_cflags) $(init_ldflags) -o $@

# The same code once more, for a template to load: a shared object that exports
# one name, and uses no C library either.
template_sources = $(init_sources) src/launch/native/init/copy.c \
	src/launch/native/init/template.c src/launch/native/init/template.h
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
cupel_template_testing_CPPFLAGS = $(AM_CPPFLAGS) $(with_hooks)
cupel_template_testing_CFLAGS = $(template_cflags)
cupel_template_testing_LDFLAGS = $(template_ldflags)
cupel_template_testing_LINK = $(CC) $(template_cflags) $(template_ldflags) \
	-o $@

# What waits for the disk has init's entry point and flags, and no hooks.
noinst_PROGRAMS += cupel-sync
cupel_sync_SOURCES = src/launch/native/sync/main.c \
	src/launch/native/init/start.c
cupel_sync_CPPFLAGS = $(AM_CPPFLAGS) -DPROGRAM_MAIN=sync_main
cupel_sync_CFLAGS = $(init_cflags)
cupel_sync_LDFLAGS = $(init_ldflags)
cupel_sync_LINK = $(CC) $(init_cflags) $(init_ldflags) -o $@

# The builder's own CFLAGS come last on a command line, and distributions put
# options there that need a libc.
init_objects = $(cupel_init_OBJECTS) $(cupel_init_testing_OBJECTS) \
	$(cupel_template_OBJECTS) $(cupel_template_testing_OBJECTS) \
	$(cupel_sync_OBJECTS)
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
cupel-sync.bin: cupel-sync
	$(AM_V_GEN)$(STRIP) -o $@ cupel-sync
CLEANFILES += cupel-sync.bin
# These go through variables, because automake takes a plain target for a rule
# that replaces its own.
init_image_object = src/launch/native/libcore_la-init_image.lo
init_image_testing_object = src/launch/native/libcore_testing_a-init_image.$(OBJEXT)
$(init_image_object): cupel-init.bin cupel-template.bin cupel-sync.bin
$(init_image_testing_object): cupel-init-testing.bin \
	cupel-template-testing.bin cupel-sync.bin
