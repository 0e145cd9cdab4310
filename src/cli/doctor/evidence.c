/* evidence.c -- reads what the host says about itself. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "cli/doctor/doctor.h"

#define TEXT_BYTES     65536 /* of one file; mountinfo of a busy host fits */
#define SYS_ADMIN_BIT  21    /* linux/capability.h */
#define CGROUP1_MEMORY "/sys/fs/cgroup/memory"
#define SETID_BITS     ((UINT64_C(1) << 6) | (UINT64_C(1) << 7))

/* Read the text of a file below root; false and "" when it cannot be read. */
static bool read_text(const char *root, const char *path, char *out, size_t n)
{
	char name[PATH_MAX];
	owned_fd int fd = -1;
	size_t len = 0;

	out[0] = '\0';
	(void)snprintf(name, sizeof name, "%s%s", root, path);
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return false;
	while (len < n - 1) {
		ssize_t r = read(fd, out + len, n - 1 - len);

		if (r <= 0)
			break;
		len += (size_t)r;
	}
	out[len] = '\0';
	return true;
}

static long read_number(const char *root, const char *path)
{
	char text[32];
	char *end;
	long value;

	if (!read_text(root, path, text, sizeof text))
		return -1;
	value = strtol(text, &end, 10);
	return end != text ? value : -1;
}

static bool exists(const char *root, const char *path)
{
	char name[PATH_MAX];

	(void)snprintf(name, sizeof name, "%s%s", root, path);
	return access(name, F_OK) == 0;
}

/* The number after "Name:" in a status file, in that base; fallback if there is
 * no such line. */
static uint64_t find_status(const char *text, const char *name, int base,
			    uint64_t fallback)
{
	const char *at = strstr(text, name);

	return at != NULL ? strtoull(at + strlen(name), NULL, base) : fallback;
}

static void copy_line(char *out, size_t n, const char *text, size_t len)
{
	(void)snprintf(out, n, "%.*s", (int)(len < n ? len : n - 1), text);
	utf8_make_line(out);
}

static void read_process(const char *root, struct evidence *e, char *text)
{
	uint64_t caps;

	(void)read_text(root, "/proc/self/status", text, TEXT_BYTES);
	caps = find_status(text, "\nCapEff:", 16, 0);
	e->has_sys_admin = (caps >> SYS_ADMIN_BIT & 1) != 0;
	e->has_setid = (caps & SETID_BITS) == SETID_BITS;
	e->seccomp_mode = (int)find_status(text, "\nSeccomp:", 10, 0);
	e->no_new_privs = find_status(text, "\nNoNewPrivs:", 10, 0) != 0;
	e->is_root = find_status(text, "\nUid:", 10, 1) == 0;
	(void)read_text(root, "/proc/self/uid_map", text, TEXT_BYTES);
	e->has_full_map = strstr(text, "4294967295") != NULL;
	(void)read_text(root, "/proc/self/attr/current", text, TEXT_BYTES);
	copy_line(e->apparmor_label, sizeof e->apparmor_label, text,
		  strcspn(text, "\n"));
}

static void read_kernel(const char *root, struct evidence *e, char *text)
{
	char *dot;
	unsigned long major;

	(void)read_text(root, "/proc/sys/kernel/osrelease", text, TEXT_BYTES);
	copy_line(e->release, sizeof e->release, text, strcspn(text, "\n"));
	major = strtoul(text, &dot, 10);
	e->kernel = (unsigned)(major << 8);
	if (*dot == '.')
		e->kernel |= (unsigned)strtoul(dot + 1, NULL, 10) & 0xff;
	e->is_wsl = strstr(text, "icrosoft") != NULL;
	e->is_wsl1 = e->is_wsl && strstr(text, "Microsoft") != NULL &&
		     strstr(text, "WSL2") == NULL;
	(void)read_text(root, "/proc/version", text, TEXT_BYTES);
	e->is_gvisor = strstr(text, "gVisor") != NULL;
}

static void read_sysctls(const char *root, struct evidence *e, char *text)
{
	e->apparmor_restrict = (int)read_number(
		root, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
	e->userns_clone = (int)read_number(
		root, "/proc/sys/kernel/unprivileged_userns_clone");
	e->max_userns = read_number(root, "/proc/sys/user/max_user_namespaces");
	e->memfd_noexec = (int)read_number(root, "/proc/sys/vm/memfd_noexec");
	e->has_selinux = read_number(root, "/sys/fs/selinux/enforce") == 1;
	(void)read_text(root, "/proc/sys/kernel/core_pattern", text,
			TEXT_BYTES);
	e->has_core_pipe = text[0] == '|';
}

static void read_box(const char *root, struct evidence *e)
{
	e->is_github = getenv("GITHUB_ACTIONS") != NULL;
	e->is_unit = getenv("INVOCATION_ID") != NULL;
	if (getenv("KUBERNETES_SERVICE_HOST") != NULL ||
	    exists(root, "/var/run/secrets/kubernetes.io"))
		e->box = BOX_KUBERNETES;
	else if (exists(root, "/run/.containerenv"))
		e->box = BOX_PODMAN;
	else if (exists(root, "/.dockerenv"))
		e->box = BOX_DOCKER;
	else if (getenv("container") != NULL)
		e->box = BOX_OTHER;
}

/* One line of mountinfo: "36 35 98:0 /root /mnt rw,noatime - ext3 dev opts". */
static void read_mount(char *line, struct evidence *e)
{
	const char *options = strstr(line, " - ");
	char *at = line;
	size_t n;

	for (int field = 0; field < 4 && at != NULL; field++) {
		at = strchr(at, ' ');
		at = at != NULL ? at + 1 : NULL;
	}
	if (at == NULL)
		return;
	n = strcspn(at, " ");
	if (n == 1 && *at == '/')
		e->has_root_mount = true;
	if (n == 5 && strncmp(at, "/proc", 5) == 0 && options != NULL &&
	    strstr(options, "hidepid=") != NULL &&
	    strstr(options, "hidepid=0") == NULL)
		e->proc_is_hidden = true;
	if (n == strlen(CGROUP1_MEMORY) &&
	    strncmp(at, CGROUP1_MEMORY, n) == 0 && options != NULL &&
	    strncmp(options, " - cgroup ", 10) == 0)
		e->has_cgroup1_memory = true;
	/* An autofs for binfmt_misc covers nothing that matters: the kernel
	 * counts only mounts over files and non-empty directories. */
	if (n > 6 && strncmp(at, "/proc/", 6) == 0 &&
	    e->proc_masked[0] == '\0' &&
	    strncmp(at, "/proc/sys/fs/binfmt_misc", 24) != 0)
		copy_line(e->proc_masked, sizeof e->proc_masked, at, n);
}

static void read_mounts(const char *root, struct evidence *e, char *text)
{
	char *rest = NULL;

	if (!read_text(root, "/proc/self/mountinfo", text, TEXT_BYTES))
		return;
	for (char *line = strtok_r(text, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest))
		read_mount(line, e);
}

void evidence_read(const char *root, struct evidence *ret)
{
	owned_mem char *text = malloc(TEXT_BYTES);
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	*ret = (struct evidence){ 0 };
	if (text == NULL)
		return;
	if (n > 0)
		copy_line(ret->self, sizeof ret->self, self, (size_t)n);
	read_process(root, ret, text);
	read_kernel(root, ret, text);
	read_sysctls(root, ret, text);
	read_box(root, ret);
	read_mounts(root, ret, text);
}
