/* cli_trap.c -- other hosts than this one: what they report, and the cause that
 * the doctor names for it. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "tap.h"

/* A laptop on which everything could work. */
static const struct evidence plain = {
	.kernel = 6 << 8 | 8,
	.has_full_map = true,
	.apparmor_restrict = -1,
	.userns_clone = -1,
	.max_userns = 65536,
	.memfd_noexec = -1,
	.has_root_mount = true,
};

struct host_row {
	const char *code;
	unsigned topic;
	int sys;
	void (*set)(struct evidence *e);
};

#define SETTER(name, ...)                                                      \
	static void name(struct evidence *e)                                   \
	{                                                                      \
		__VA_ARGS__;                                                   \
	}
SETTER(as_is, (void)e)
SETTER(ubuntu, e->apparmor_restrict = 1)
SETTER(ubuntu_docker, e->apparmor_restrict = 1; e->box = BOX_DOCKER;
       e->seccomp_mode = 2)
SETTER(ubuntu_runner, e->apparmor_restrict = 1; e->is_github = true)
SETTER(ubuntu_root, e->apparmor_restrict = 1; e->is_root = true;
       e->has_sys_admin = true; e->has_setid = true)
SETTER(debian_hard, e->userns_clone = 0)
SETTER(max_zero, e->max_userns = 0)
SETTER(docker, e->box = BOX_DOCKER; e->seccomp_mode = 2)
SETTER(docker_masked, e->box = BOX_DOCKER; e->proc_masked[0] = '/')
SETTER(podman_masked, e->box = BOX_PODMAN; e->proc_masked[0] = '/')
SETTER(pod, e->box = BOX_KUBERNETES)
SETTER(pod_masked, e->box = BOX_KUBERNETES; e->proc_masked[0] = '/')
SETTER(unit, e->is_unit = true; e->seccomp_mode = 2)
SETTER(filtered, e->seccomp_mode = 2)
SETTER(selinux, e->has_selinux = true)
SETTER(chrooted, e->has_root_mount = false)
SETTER(procless, e->kernel = 0; e->has_full_map = false)
SETTER(hidden, e->proc_is_hidden = true)
SETTER(gvisor, e->is_gvisor = true)
SETTER(wsl1, e->is_wsl1 = true)
SETTER(noexec, e->memfd_noexec = 2)
SETTER(poor_root, e->is_root = true)
SETTER(small_root, e->is_root = true; e->has_sys_admin = true;
       e->has_setid = true; e->has_full_map = false)
SETTER(cgroup1, e->has_cgroup1_memory = true)
SETTER(core_pipe, e->has_core_pipe = true)
SETTER(old, e->kernel = 5 << 8 | 4)
#undef SETTER

static const struct host_row hosts[] = {
	{ "USERNS_APPARMOR", TOPIC_MAP, EPERM, ubuntu },
	{ "USERNS_APPARMOR", TOPIC_CAPABILITY, EPERM, ubuntu },
	{ "USERNS_APPARMOR", TOPIC_USERNS, EACCES, ubuntu },
	{ "USERNS_APPARMOR_HOST", TOPIC_USERNS, EPERM, ubuntu_docker },
	{ "USERNS_APPARMOR_GITHUB", TOPIC_MAP, EPERM, ubuntu_runner },
	{ "REFUSED", TOPIC_MAP, EPERM, ubuntu_root },
	{ "USERNS_SYSCTL", TOPIC_USERNS, EPERM, debian_hard },
	{ "USERNS_MAX_ZERO", TOPIC_USERNS, ENOSPC, max_zero },
	{ "USERNS_LIMIT", TOPIC_USERNS, ENOSPC, as_is },
	{ "USERNS_LIMIT", TOPIC_NAMESPACE, ENOSPC, as_is },
	{ "USERNS_LIMIT", TOPIC_USERNS, EUSERS, as_is },
	{ "CONTAINER", TOPIC_USERNS, EPERM, docker },
	{ "PROC_MASKED", TOPIC_PROC, EPERM, docker_masked },
	{ "PROC_MASKED", TOPIC_PROC, EROFS, docker_masked },
	{ "PROC_MASKED_PODMAN", TOPIC_PROC, EPERM, podman_masked },
	{ "PROC_MASKED_KUBERNETES", TOPIC_PROC, EPERM, pod_masked },
	{ "KUBERNETES", TOPIC_USERNS, EPERM, pod },
	{ "SYSTEMD_UNIT", TOPIC_CALL, ENOSYS, unit },
	{ "SYSTEMD_UNIT", TOPIC_USERNS, EPERM, unit },
	{ "OPENAT2_FILTERED", TOPIC_CALL, ENOSYS, filtered },
	{ "OPENAT2_FILTERED", TOPIC_USERNS, ENOSYS, filtered },
	{ "SECCOMP_FILTERED", TOPIC_USERNS, EPERM, filtered },
	{ "SELINUX", TOPIC_USERNS, EACCES, selinux },
	{ "CHROOT", TOPIC_USERNS, EPERM, chrooted },
	{ "PROC_ABSENT", TOPIC_USERNS, EPERM, procless },
	{ "PROC_ABSENT", TOPIC_HOST, 0, procless },
	{ "PROC_HIDEPID", TOPIC_MAP, ENOENT, hidden },
	{ "GVISOR", TOPIC_LANDLOCK, ENOSYS, gvisor },
	{ "WSL1", TOPIC_HOST, 0, wsl1 },
	{ "MEMFD_NOEXEC", TOPIC_MEMFD, EACCES, noexec },
	{ "ROOT_WITHOUT_CAPABILITIES", TOPIC_LAUNCHER, 0, poor_root },
	{ "ROOT_WITHOUT_CAPABILITIES", TOPIC_MAP, EPERM, poor_root },
	{ "ROOT_WITHOUT_USERS", TOPIC_MAP, EPERM, small_root },
	{ "KERNEL_TOO_OLD", TOPIC_HOST, 0, old },
	{ "OVERLAY_KERNEL", TOPIC_OVERLAY, EPERM, old },
	{ "OVERLAY_TMPFS_XATTR", TOPIC_OVERLAY, EOPNOTSUPP, as_is },
	{ "OVERLAY_REFUSED", TOPIC_OVERLAY, ENODEV, as_is },
	{ "LISTENER_BUSY", TOPIC_NOTIFY, EBUSY, as_is },
	{ "LANDLOCK_ABSENT", TOPIC_LANDLOCK, EOPNOTSUPP, as_is },
	{ "IDMAP_REFUSED", TOPIC_IDMAP, EINVAL, as_is },
	{ "HARD_LIMIT", TOPIC_LIMIT, EPERM, as_is },
	{ "CORE_PIPE", TOPIC_LIMIT, 0, core_pipe },
	{ "REFUSED", TOPIC_LIMIT, EROFS, core_pipe },
	{ "CGROUP_V1", TOPIC_CGROUP, 0, cgroup1 },
	{ "CGROUP_NOT_DELEGATED", TOPIC_CGROUP, 0, as_is },
	{ "NOEXEC", TOPIC_EXEC, 0, as_is },
	{ "NOT_SUPPORTED", TOPIC_USERNS, EINVAL, as_is },
	{ "REFUSED", TOPIC_MOUNT, EPERM, as_is },
};

static void explains_each_host(void)
{
	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
		struct evidence e = plain;
		struct finding f = { .sys = hosts[i].sys };
		const struct trap *t;

		hosts[i].set(&e);
		t = trap_find(&e, hosts[i].topic, &f);
		if (strcmp(t->code, hosts[i].code) != 0)
			fprintf(stderr, "# row %zu: %s, wanted %s\n", i,
				t->code, hosts[i].code);
		ok(strcmp(t->code, hosts[i].code) == 0);
	}
}

/* The step that failed counts, not the row that it was tried for. */
static void explains_the_step_that_failed(void)
{
	struct evidence e = plain;
	struct finding f = { .sys = ENOSPC, .reached = TOPIC_USERNS };

	e.max_userns = 0;
	ok(strcmp(trap_find(&e, TOPIC_PROC, &f)->code, "USERNS_MAX_ZERO") == 0);
}

static void every_cause_has_words_and_a_way_out(void)
{
	static const char *const kinds[] = { "sysctl", "apparmor",
					     "container-flag", "package",
					     "kernel" };

	for (size_t i = 0; i < traps_len; i++) {
		const struct trap *t = &traps[i];

		ok(t->words[0] != '\0');
		ok(t->fixes[0].kind != NULL || i + 1 == traps_len);
		for (int k = 0; k < REMEDIES_MAX && t->fixes[k].kind; k++) {
			bool is_known = false;

			for (size_t j = 0; j < 5; j++)
				if (strcmp(kinds[j], t->fixes[k].kind) == 0)
					is_known = true;
			ok(is_known);
			ok(strlen(t->fixes[k].command) > 10);
		}
	}
}

static void put(const char *root, const char *path, const char *text)
{
	char name[512];
	int fd;

	(void)snprintf(name, sizeof name, "%s%s", root, path);
	for (char *c = strchr(name + 1, '/'); c; c = strchr(c + 1, '/')) {
		*c = '\0';
		(void)mkdir(name, 0700);
		*c = '/';
	}
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ok(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	(void)close(fd);
}

static void reads_a_host(const char *root)
{
	struct evidence e;

	put(root, "/proc/sys/kernel/osrelease", "6.8.0-41-generic\n");
	put(root, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
	    "1\n");
	put(root, "/proc/sys/kernel/unprivileged_userns_clone", "0\n");
	put(root, "/proc/sys/user/max_user_namespaces", "127\n");
	put(root, "/proc/sys/vm/memfd_noexec", "2\n");
	put(root, "/proc/sys/kernel/core_pattern", "|/usr/share/apport %p\n");
	put(root, "/proc/version", "Linux version 6.8.0 gVisor\n");
	put(root, "/proc/self/attr/current", "unconfined\n");
	put(root, "/proc/self/uid_map", "  0  100000  65536\n");
	put(root, "/proc/self/status",
	    "Name:\tx\nUid:\t0\t0\t0\t0\nCapEff:\t00000000a80425fb\n"
	    "NoNewPrivs:\t1\nSeccomp:\t2\n");
	put(root, "/proc/self/mountinfo",
	    "1 0 0:1 / / rw - overlay overlay rw\n"
	    "2 1 0:2 / /proc rw,nosuid - proc proc rw,hidepid=2\n"
	    "3 2 0:2 /x /proc/sys/fs/binfmt_misc rw - autofs x rw\n"
	    "4 2 0:3 / /proc/acpi ro - tmpfs tmpfs ro\n"
	    "5 1 0:4 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
	put(root, "/run/.containerenv", "");
	evidence_read(root, &e);
	ok_int(e.kernel, 6 << 8 | 8);
	ok_int(e.apparmor_restrict, 1);
	ok_int(e.userns_clone, 0);
	ok_int(e.max_userns, 127);
	ok_int(e.memfd_noexec, 2);
	ok(e.has_core_pipe && e.is_gvisor && e.is_root && e.no_new_privs);
	ok(!e.has_full_map && e.has_setid && !e.has_sys_admin);
	ok_int(e.seccomp_mode, 2);
	ok(strcmp(e.apparmor_label, "unconfined") == 0);
	ok(e.has_root_mount && e.proc_is_hidden && e.has_cgroup1_memory);
	ok(strcmp(e.proc_masked, "/proc/acpi") == 0);
	ok_int(e.box, BOX_PODMAN);
}

static void reads_what_a_host_says(void)
{
	char root[] = "/tmp/cupel-cli-trap-XXXXXX";
	const char *argv[] = { "rm", "-rf", root, NULL };

	(void)unsetenv("KUBERNETES_SERVICE_HOST");
	ok(mkdtemp(root) != NULL);
	reads_a_host(root);
	if (fork() == 0) {
		(void)execvp("rm", (char *const *)(uintptr_t)argv);
		_exit(1);
	}
	(void)wait(NULL);
}

static void absent_files_are_no_evidence(void)
{
	struct evidence e;

	evidence_read("/nonexistent", &e);
	ok_int(e.apparmor_restrict, -1);
	ok_int(e.userns_clone, -1);
	ok_int(e.max_userns, -1);
	ok_int(e.memfd_noexec, -1);
	ok(!e.has_root_mount && e.proc_masked[0] == '\0' && !e.is_gvisor);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(explains_each_host), CASE(explains_the_step_that_failed),
		CASE(every_cause_has_words_and_a_way_out),
		CASE(reads_what_a_host_says),
		CASE(absent_files_are_no_evidence), TAP_END });
}
