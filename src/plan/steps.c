/* steps.c -- the runtime, /dev, /proc, the places to write. */
#include <linux/mount.h>

#include "plan/build.h"

static void runtime_add(struct build *b)
{
	for (size_t i = 0; i < b->host->root_len; i++) {
		const struct host_entry *e = &b->host->root[i];
		struct plan_step *s;

		if (e->kind == HOST_LINK) {
			build_step(b, STEP_LINK, e->name)->text = e->target;
			continue;
		}
		if (e->kind != HOST_DIR)
			continue;
		build_dirs(b, e->name, true);
		s = build_step(b, STEP_BIND, e->name);
		s->source = build_source(b, &e->source, false);
		b->plan->sources[s->source].is_runtime = true;
		s->attr = PLAN_ATTR_RO;
		s->is_dir = true;
	}
}

/* The device number is part of the plan: a host that has another device under
 * the name is refused. */
static const struct {
	const char *name, *target, *path;
	uint32_t minor;
} devices[] = {
	{ "null", "dev/null", "/dev/null", 3 },
	{ "zero", "dev/zero", "/dev/zero", 5 },
	{ "full", "dev/full", "/dev/full", 7 },
	{ "random", "dev/random", "/dev/random", 8 },
	{ "urandom", "dev/urandom", "/dev/urandom", 9 },
};

static const char *const dev_links[][2] = {
	{ "dev/fd", "/proc/self/fd" },
	{ "dev/stdin", "/proc/self/fd/0" },
	{ "dev/stdout", "/proc/self/fd/1" },
	{ "dev/stderr", "/proc/self/fd/2" },
};

/* /dev/tty is the terminal of the process that opens it: inside, that can only
 * be ours. */
static void terminal_add(struct build *b)
{
	struct plan_step *s;

	build_step(b, STEP_FILE, "dev/tty")->mode = 0444;
	s = build_step(b, STEP_DEVICE, "dev/tty");
	s->text = "/dev/tty";
	s->dev_major = 5;
	s->attr = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
	s->wall = WALL_DEVICES;
	build_dirs(b, "dev/pts", true);
	s = build_step(b, STEP_TERMINAL, "dev/pts");
	s->attr = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
	build_step(b, STEP_LINK, "dev/ptmx")->text = "pts/ptmx";
}

static void dev_add(struct build *b)
{
	build_dirs(b, "dev", true);
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
		struct plan_step *s;

		build_step(b, STEP_FILE, devices[i].target)->mode = 0444;
		s = build_step(b, STEP_DEVICE, devices[i].target);
		s->text = devices[i].path;
		s->dev_major = 1;
		s->dev_minor = devices[i].minor;
		s->attr = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID |
			  MOUNT_ATTR_NOEXEC;
		s->wall = WALL_DEVICES;
	}
	for (size_t i = 0; i < sizeof dev_links / sizeof *dev_links; i++)
		build_step(b, STEP_LINK, dev_links[i][0])->text =
			dev_links[i][1];
	if (b->plan->terminal)
		terminal_add(b);
}

/* What a new proc shows of the host to an id without capabilities.  Only root
 * may read kcore, kmsg, timer_list, vmallocinfo, slabinfo and sysrq-trigger:
 * the kernel refuses them by mode, so they need no cover. */
static const struct {
	const char *target;
	bool is_dir;
} covers[] = {
	{ "proc/cmdline", false },
	{ "proc/config.gz", false },
	{ "proc/kallsyms", false },
	{ "proc/keys", false },
	{ "proc/key-users", false },
	{ "proc/locks", false },
	{ "proc/modules", false },
	{ "proc/partitions", false },
	{ "proc/diskstats", false },
	{ "proc/swaps", false },
	{ "proc/interrupts", false },
	{ "proc/sched_debug", false },
	{ "proc/acpi", true },
	{ "proc/bus", true },
	{ "proc/driver", true },
	{ "proc/fs", true },
	{ "proc/irq", true },
	{ "proc/pressure", true },
	{ "proc/scsi", true },
	{ "proc/sys/kernel/random/boot_id", false },
};

static void proc_add(struct build *b)
{
	bool pid_only = b->spec->proc == PROC_SUBSET_PID;
	struct plan_step *s;

	if (b->spec->proc == PROC_NONE)
		return;
	/* A bare root has no /proc: only the supervisor sees one. */
	if (!b->spec->bare)
		build_dirs(b, "proc", true);
	s = build_step(b, STEP_PROC, b->spec->bare ? "" : "proc");
	s->attr = PLAN_ATTR_RO | MOUNT_ATTR_NOEXEC;
	s->subset_pid = pid_only;
	s->wall = WALL_PROC_PRIVATE;
	for (size_t i = 0; !pid_only && i < sizeof covers / sizeof *covers;
	     i++) {
		s = build_step(b, STEP_COVER, covers[i].target);
		s->is_dir = covers[i].is_dir;
		s->wall = WALL_PROC_PRIVATE;
	}
}

static void expose_add(struct build *b, const char *target, const char *dir)
{
	struct plan_step *s;

	build_dirs(b, target, true);
	s = build_step(b, STEP_EXPOSE, target);
	s->text = dir;
	s->attr = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
}

static void scratch_add(struct build *b)
{
	if (b->spec->scratch_bytes == 0)
		return;
	expose_add(b, "scratch", "scratch");
	expose_add(b, "tmp", "tmp");
	expose_add(b, "dev/shm", "shm");
}

void build_root(struct build *b)
{
	if (!b->spec->bare) {
		runtime_add(b);
		dev_add(b);
	}
	proc_add(b);
	if (!b->spec->bare)
		scratch_add(b);
}
