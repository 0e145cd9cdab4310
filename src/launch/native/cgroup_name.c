/* cgroup_name.c -- writes the owner of a cgroup into its name, and reads it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "launch/native/cgroup.h"

#define STAT_BYTES    1024 /* of /proc/PID/stat */
#define FIELD_STARTED 22   /* proc_pid_stat(5) */
#define RANDOM_DIGITS 16
#define NUMBER_DIGITS 20

uint64_t cgroup_find_started(const char *stat)
{
	/* The name of a program may hold anything, even a bracket. */
	const char *at = strrchr(stat, ')');
	uint64_t value = 0;

	for (int field = 2; at != NULL && field < FIELD_STARTED; field++) {
		at = strchr(at, ' ');
		at = at != NULL ? at + 1 : NULL;
	}
	for (; at != NULL && *at >= '0' && *at <= '9'; at++)
		value = value * 10 + (uint64_t)(*at - '0');
	return value;
}

int cgroup_owner_self(struct sys *k, struct cgroup_owner *ret)
{
	char text[STAT_BYTES];
	struct stat st;
	long fd = sys4(k, SYS_openat, AT_FDCWD, "/proc/self/stat",
		       O_RDONLY | O_CLOEXEC, 0);
	long n;

	if (fd < 0)
		return (int)fd;
	n = sys3(k, SYS_read, fd, text, sizeof text - 1);
	sys_close((int)fd);
	if (n < 0)
		return (int)n;
	text[n] = '\0';
	n = sys4(k, SYS_newfstatat, AT_FDCWD, "/proc/self/ns/pid", &st, 0);
	if (n < 0)
		return (int)n;
	ret->pidns = st.st_ino;
	ret->started = cgroup_find_started(text);
	ret->pid = (uint64_t)sys_raw(SYS_getpid, 0, 0, 0, 0, 0, 0);
	return ret->started != 0 ? 0 : -EINVAL;
}

void cgroup_name_write(const char *prefix, const struct cgroup_owner *o,
		       const uint64_t *random, char ret[CGROUP_NAME_BYTES])
{
	int n = snprintf(ret, CGROUP_NAME_BYTES, "%s%llu-%llu-%llu", prefix,
			 (unsigned long long)o->pidns,
			 (unsigned long long)o->pid,
			 (unsigned long long)o->started);

	if (random != NULL)
		(void)snprintf(ret + n, CGROUP_NAME_BYTES - (size_t)n,
			       "-%016llx", (unsigned long long)*random);
}

/* Read a number without leading zeros, and the character that ends it. */
static bool number_read(const char **at, char end, uint64_t *ret)
{
	uint64_t value = 0;
	int digits = 0;

	for (; **at >= '0' && **at <= '9'; (*at)++, digits++) {
		if (digits == NUMBER_DIGITS - 1 || (digits > 0 && value == 0))
			return false;
		value = value * 10 + (uint64_t)(**at - '0');
	}
	if (digits == 0 || **at != end)
		return false;
	*at += end != '\0';
	*ret = value;
	return true;
}

bool cgroup_name_read(const char *prefix, bool has_random, const char *name,
		      struct cgroup_owner *ret)
{
	struct cgroup_owner o;
	const char *at = name + strlen(prefix);

	if (strncmp(name, prefix, strlen(prefix)) != 0 ||
	    !number_read(&at, '-', &o.pidns) ||
	    !number_read(&at, '-', &o.pid) ||
	    !number_read(&at, has_random ? '-' : '\0', &o.started))
		return false;
	if (has_random && (strlen(at) != RANDOM_DIGITS ||
			   strspn(at, "0123456789abcdef") != RANDOM_DIGITS))
		return false;
	*ret = o;
	return true;
}
