/* kill.c -- signal everything below init, and nothing else. */
#include <fcntl.h>
#include <string.h>

#include "launch/init/init.h"

/* Room for some hundred children a pass; the caller repeats. */
#define CHILDREN_BYTES 2048

static char *number_before(char *end, long n)
{
	do {
		*--end = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	return end;
}

/* "/proc/self/task/TID/children": only without a PID namespace, on the host's
 * own /proc.  Returns a descriptor or -errno. */
static int children_open(struct init *in)
{
	static const char head[] = "/proc/self/task/";
	static const char tail[] = "/children";
	char path[64];
	char digits[20];
	char *from = number_before(digits + sizeof digits,
				   sys0(&in->k, SYS_gettid));
	size_t n = sizeof head - 1;

	memcpy(path, head, n);
	while (from < digits + sizeof digits)
		path[n++] = *from++;
	memcpy(path + n, tail, sizeof tail);
	return (int)sys4(&in->k, SYS_openat, AT_FDCWD, path,
			 O_RDONLY | O_CLOEXEC, 0);
}

void children_signal(struct init *in, int sig)
{
	owned_sys_fd int fd = -1;
	char text[CHILDREN_BYTES];
	long pid = 0;
	long n;

	if (sys0(&in->k, SYS_getpid) == 1) {
		(void)sys2(&in->k, SYS_kill, -1, sig);
		return;
	}
	fd = children_open(in);
	n = fd >= 0 ? sys3(&in->k, SYS_read, fd, text, sizeof text) : 0;
	for (long i = 0; i < n; i++) {
		if (text[i] >= '0' && text[i] <= '9') {
			pid = pid * 10 + (text[i] - '0');
			continue;
		}
		if (pid > 1)
			(void)sys2(&in->k, SYS_kill, pid, sig);
		pid = 0;
	}
	if (fd < 0 && in->command_pid > 0)
		(void)sys2(&in->k, SYS_kill, in->command_pid, sig);
}
