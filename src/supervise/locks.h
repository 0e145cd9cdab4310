/* locks.h -- counts the file locks of a vessel, which no limit of memory
 * counts: not RLIMIT_LOCKS (Linux ignores it), not a memory cgroup, and not what
 * the watchdog adds up.
 *
 * To count them all is dear, so that is done only when the host's kernel memory
 * has grown since it was last done.  A vessel whose locks do not make it grow
 * costs the host nothing. */
#ifndef CUPEL_SUPERVISE_LOCKS_H
#define CUPEL_SUPERVISE_LOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No honest program is known that holds a hundredth of them.  They take 14 MiB,
 * and 700 bytes more for each file that has one. */
#define LOCKS_MAX 65536

/* Zero is a count that has not begun. */
struct locks {
	uint64_t slab_bytes; /* of the host, when they were last counted */
	uint64_t next_ns;    /* not before */
	/* Where a count stopped for want of time: the last process that was
	 * done, the next one, and how many of its threads were. */
	uint32_t last_pid, at_pid, threads;
	uint32_t found; /* so far */
};

/* locks_look -- count the locks of the processes below proc_fd, if it is time to.
 * A lock counts once for each descriptor by which it can be seen, which is once
 * in a program that does not duplicate descriptors.
 *
 * @text	room bytes of scratch memory
 * @now_ns	CLOCK_MONOTONIC
 * Returns whether there are more than LOCKS_MAX. */
bool locks_look(struct locks *l, int proc_fd, uint64_t now_ns, char *text,
		size_t room);

#endif
