/* host_lesser.c -- see host_lesser.h. */
#include "plan/host_lesser.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "plan/host_cgroup.h"

#define MOUNT      "/sys/fs/cgroup"
#define TEXT_BYTES 4096
#define CAPS_MAX   64 /* of the kernel's masks */

static bool has_setpcap(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct data[2] = { 0 };

	return syscall(SYS_capget, &head, data) == 0 &&
	       (data[0].effective & 1U << CAP_SETPCAP) != 0;
}

static bool bounding_is_empty(void)
{
	for (int cap = 0; cap < CAPS_MAX; cap++)
		if (syscall(SYS_prctl, PR_CAPBSET_READ, cap, 0, 0, 0) > 0)
			return false;
	return true;
}

/* Whether the user may write to the files that kill, stop or move the processes
 * of the cgroup dir.  Root's command gets another id, so a directory with any
 * other owner than root counts as that id's. */
static bool is_open(const char *dir)
{
	static const char *const names[] = { "cgroup.kill", "cgroup.freeze",
					     "cgroup.procs" };
	char path[PATH_MAX];
	struct stat st;

	if (geteuid() == 0)
		return stat(dir, &st) == 0 && st.st_uid != 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (snprintf(path, sizeof path, "%s/%s", dir, names[i]) <
			    (int)sizeof path &&
		    faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0)
			return true;
	return false;
}

/* Check the cgroup that we are in and every one above it.  A directory that we
 * cannot see from here we cannot write to by its name either. */
static bool has_own_cgroup(void)
{
	owned_fd int fd = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
	char text[TEXT_BYTES] = "";
	char dir[PATH_MAX];
	const char *own = NULL;
	size_t n = 0;

	if (fd >= 0 && read(fd, text, sizeof text - 1) > 0)
		own = cgroup_find_own(text, &n);
	if (own == NULL || snprintf(dir, sizeof dir, MOUNT "%.*s", (int)n,
				    own) >= (int)sizeof dir)
		return false;
	while (strlen(dir) >= sizeof MOUNT) {
		if (is_open(dir))
			return true;
		*strrchr(dir, '/') = '\0';
	}
	return false;
}

void host_lesser_read(struct host *h)
{
	h->is_bounded = bounding_is_empty() || has_setpcap();
	h->has_own_cgroup = has_own_cgroup();
}
