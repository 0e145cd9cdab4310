/* procfs.h -- numbers out of /proc, read with a bound and without trust.
 *
 * The files are the kernel's, but they contain names that processes choose, so
 * nothing is searched for that such a name could imitate.  Source: Linux
 * Documentation/filesystems/proc.rst.
 * */
#ifndef CUPEL_SUPERVISE_PROCFS_H
#define CUPEL_SUPERVISE_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* procfs_read -- at most room - 1 bytes of the file name under dir_fd
 * (AT_FDCWD is fine for an absolute name), NUL-terminated.
 * Returns the length or -errno. */
ssize_t procfs_read(int dir_fd, const char *name, char *text, size_t room);

/* The content of one <pid>/stat line. */
struct proc_stat {
	uint64_t cpu_us;    /* its own user and system time */
	uint64_t reaped_us; /* of the children that it waited for */
	uint64_t vsize_bytes;
	uint64_t rss_pages;
	uint64_t threads;
};

/* procfs_is_leaderless -- whether its first thread has ended while others may
 * go on.  /proc/PID reports the memory of the first thread, which then has
 * none. */
bool procfs_is_leaderless(const struct proc_stat *s);

#define PROCFS_PID_BYTES 12 /* a process id as text */

/* procfs_find_living -- find a thread of process pid that still has memory, and
 * write its id.  /proc/ID of that thread reports the memory of the whole
 * process.
 *
 * @text	room bytes of scratch memory
 * Returns whether there is one. */
bool procfs_find_living(int proc_fd, const char *pid, char *text, size_t room,
			char ret_id[PROCFS_PID_BYTES]);

/* procfs_parse_stat -- 0, or -EINVAL when the line is not one. */
int procfs_parse_stat(const char *text, struct proc_stat *ret);

/* procfs_find_kib -- the number after a line's leading "key:", as in
 * smaps_rollup and status, times 1024; 0 when there is no such line. */
uint64_t procfs_find_kib(const char *text, const char *key);

/* procfs_find_last -- the last number on the line that starts with "key:"
 * (NSpid), or 0. */
int procfs_find_last(const char *text, const char *key);

/* procfs_sum_shm -- bytes that System V segments occupy, from the text of
 * sysvipc/shm; lines that do not parse count nothing. */
uint64_t procfs_sum_shm(const char *text);

/* procfs_each_pid -- walk a proc directory: calls each(data, name) for every
 * entry whose name is digits only, at most max of them, from the start.
 * Returns how many, or -errno. */
int procfs_each_pid(int proc_fd, int max,
		    void (*each)(void *data, const char *name), void *data);

#endif
