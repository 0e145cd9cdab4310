/* procfs.c -- bounded readers of the kernel's process files. */
#include "supervise/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"

#define TICK_US      10000U /* USER_HZ is 100 on every Linux we run on */
#define DIRENT_BYTES 8192   /* a few hundred names at a time */

ssize_t procfs_read(int dir_fd, const char *name, char *text, size_t room)
{
	owned_fd int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);
	size_t len = 0;

	if (fd < 0)
		return -errno;
	while (len < room - 1) {
		ssize_t n = read(fd, text + len, room - 1 - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	text[len] = '\0';
	return (ssize_t)len;
}

static const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* Read a decimal number at *p, saturating, and move *p behind it. */
static bool take_number(const char **p, uint64_t *ret)
{
	const char *s = skip_blanks(*p);
	uint64_t value = 0;

	if (*s < '0' || *s > '9')
		return false;
	for (; *s >= '0' && *s <= '9'; s++) {
		unsigned digit = (unsigned)(*s - '0');

		if (value > (UINT64_MAX - digit) / 10)
			value = UINT64_MAX / 10 - 1;
		value = value * 10 + digit;
	}
	*p = s;
	*ret = value;
	return true;
}

static const char *skip_word(const char *p)
{
	p = skip_blanks(p);
	while (*p != '\0' && *p != ' ' && *p != '\t' && *p != '\n')
		p++;
	return p;
}

/* Fields are numbered from 1 as in proc(5).  The name is field 2 and may
 * contain anything, so counting starts after the last ')'. */
int procfs_parse_stat(const char *text, struct proc_stat *ret)
{
	enum {
		UTIME = 14,
		STIME,
		CUTIME,
		CSTIME,
		THREADS = 20,
		VSIZE = 23,
		RSS
	};
	const char *p = strrchr(text, ')');
	uint64_t v[RSS + 1] = { 0 };

	if (p == NULL)
		return -EINVAL;
	p++;
	for (int field = 3; field <= RSS; field++) {
		bool is_kept = (field >= UTIME && field <= CSTIME) ||
			       field == THREADS || field >= VSIZE;

		if (!is_kept)
			p = skip_word(p);
		else if (!take_number(&p, &v[field]))
			return -EINVAL;
	}
	*ret = (struct proc_stat){
		.cpu_us = (v[UTIME] + v[STIME]) * TICK_US,
		.reaped_us = (v[CUTIME] + v[CSTIME]) * TICK_US,
		.vsize_bytes = v[VSIZE],
		.rss_pages = v[RSS],
		.threads = v[THREADS],
	};
	return 0;
}

/* Without memory the kernel reports 0 for all of its size, not only for what is
 * resident. */
bool procfs_is_leaderless(const struct proc_stat *s)
{
	return s->threads > 1 && s->vsize_bytes == 0;
}

/* The text behind "key:" at the start of a line, or NULL. */
static const char *find_line(const char *text, const char *key)
{
	size_t n = strlen(key);

	for (const char *p = text; p != NULL && *p != '\0';) {
		if (strncmp(p, key, n) == 0 && p[n] == ':')
			return p + n + 1;
		p = strchr(p, '\n');
		if (p != NULL)
			p++;
	}
	return NULL;
}

uint64_t procfs_find_kib(const char *text, const char *key)
{
	const char *p = find_line(text, key);
	uint64_t kib;

	if (p == NULL || !take_number(&p, &kib) || kib > UINT64_MAX / 1024)
		return 0;
	return kib * 1024;
}

int procfs_find_last(const char *text, const char *key)
{
	const char *p = find_line(text, key);
	uint64_t value = 0;

	if (p == NULL)
		return 0;
	while (take_number(&p, &value))
		;
	return value <= INT_MAX ? (int)value : 0;
}

uint64_t procfs_sum_shm(const char *text)
{
	enum { RSS_COLUMN = 15 }; /* from 1; swap stands behind it */
	uint64_t sum = 0;

	for (const char *p = strchr(text, '\n'); p != NULL;) {
		uint64_t rss, swap;

		p++;
		for (int column = 1; column < RSS_COLUMN; column++)
			p = skip_word(p);
		if (take_number(&p, &rss) && take_number(&p, &swap) &&
		    sum + rss + swap >= sum)
			sum += rss + swap;
		p = strchr(p, '\n');
	}
	return sum;
}

static bool is_number(const char *name)
{
	size_t n = strspn(name, "0123456789");

	return n > 0 && n <= 10 && name[n] == '\0';
}

int procfs_each_pid(int proc_fd, int max,
		    void (*each)(void *data, const char *name), void *data)
{
	struct dirent64_head {
		uint64_t ino;
		int64_t off;
		unsigned short reclen;
		unsigned char type;
		char name[];
	};
	_Alignas(8) char bytes[DIRENT_BYTES];
	int found = 0;

	if (lseek(proc_fd, 0, SEEK_SET) < 0)
		return -errno;
	while (found < max) {
		long n = syscall(SYS_getdents64, proc_fd, bytes, sizeof bytes);

		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		for (long at = 0; at < n && found < max;) {
			const struct dirent64_head *e =
				(const void *)(bytes + at);

			at += e->reclen;
			if (!is_number(e->name))
				continue;
			each(data, e->name);
			found++;
		}
	}
	return found;
}

#define THREADS_MAX 4096 /* more than any vessel may have */

struct living {
	int task_fd;
	bool is_found;
	char *text;
	size_t room;
	char *id;
};

static void add_living(void *data, const char *id)
{
	struct living *l = data;
	struct proc_stat s;
	char name[PROCFS_PID_BYTES + sizeof "/stat"];

	if (l->is_found)
		return;
	(void)snprintf(name, sizeof name, "%s/stat", id);
	if (procfs_read(l->task_fd, name, l->text, l->room) < 0 ||
	    procfs_parse_stat(l->text, &s) < 0 || s.vsize_bytes == 0)
		return;
	l->is_found = true;
	(void)snprintf(l->id, PROCFS_PID_BYTES, "%s", id);
}

bool procfs_find_living(int proc_fd, const char *pid, char *text, size_t room,
			char ret_id[PROCFS_PID_BYTES])
{
	char name[PROCFS_PID_BYTES + sizeof "/task"];
	owned_fd int fd = -1;
	struct living l = { .text = text, .room = room, .id = ret_id };

	(void)snprintf(name, sizeof name, "%s/task", pid);
	fd = openat(proc_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return false;
	l.task_fd = fd;
	(void)procfs_each_pid(fd, THREADS_MAX, add_living, &l);
	return l.is_found;
}
