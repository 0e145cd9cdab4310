/* notify.c -- one seccomp user notification into a struct violation. */
#include "supervise/notify.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "supervise/procfs.h"

#define STATUS_BYTES 4096

/* The kernel may know a longer struct than these headers; it wants to be given
 * its own size, zeroed. */
union notification {
	struct seccomp_notif n;
	char room[512];
};

static int check_size(void)
{
	struct seccomp_notif_sizes sizes = { 0 };

	if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) < 0)
		return -errno;
	return sizes.seccomp_notif <= sizeof(union notification) ? 0 : -E2BIG;
}

/* The host's /proc speaks of the caller by the number that the notification
 * has; NSpid's last number is the one inside. */
static void read_caller(unsigned pid, struct violation *v)
{
	char text[STATUS_BYTES];
	char name[40];
	ssize_t n;

	(void)snprintf(name, sizeof name, "/proc/%u/status", pid);
	if (procfs_read(AT_FDCWD, name, text, sizeof text) > 0)
		v->pid = procfs_find_last(text, "NSpid");
	(void)snprintf(name, sizeof name, "/proc/%u/comm", pid);
	n = procfs_read(AT_FDCWD, name, text, sizeof v->comm + 1);
	if (n <= 0)
		return;
	if (text[n - 1] == '\n')
		n--;
	if ((size_t)n >= sizeof v->comm)
		n = sizeof v->comm - 1;
	memcpy(v->comm, text, (size_t)n);
	v->comm[n] = '\0';
}

int notify_read(int listener_fd, struct violation *ret)
{
	union notification u;
	struct violation v = { .any = true };
	int r = check_size();

	if (r < 0)
		return r;
	memset(&u, 0, sizeof u);
	if (ioctl(listener_fd, SECCOMP_IOCTL_NOTIF_RECV, &u.n) < 0)
		return -errno;
	v.number = u.n.data.nr;
	v.arch = u.n.data.arch;
	for (size_t i = 0; i < 6; i++)
		v.args[i] = u.n.data.args[i];
	if (u.n.pid != 0)
		read_caller(u.n.pid, &v);
	/* The number may have passed to another process while we read. */
	if (ioctl(listener_fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &u.n.id) < 0)
		return -errno;
	*ret = v;
	return 0;
}
