/* helper.h -- a program of our own beside a vessel: started with a run, ended
 * with it.
 *
 * It runs outside, as the caller's user, in the caller's namespaces, with all
 * that the caller may do.  It gives up its powers itself, before it reads a
 * byte from inside.  It has no environment, its name as the one argument, a
 * session of its own, so that no terminal signals it, every signal unblocked
 * and at its default, "/" for its directory, and these descriptors:
 *
 *   0, 1, 2            read as empty, and cannot be written to
 *   HELPER_CONTROL_FD  a SOCK_SEQPACKET socket; the other end is the caller's
 *
 * The caller's end is also its lifeline: when that is shut or closed, by the
 * caller or by the caller's death, the helper sends what it still has to send
 * and ends.  It does not end with the thread that started it.
 */
#ifndef CUPEL_LAUNCH_HELPER_H
#define CUPEL_LAUNCH_HELPER_H

#include <stddef.h>
#include <sys/types.h>

#include "launch/native/sys.h"

struct cupel_error;

#define HELPER_CONTROL_FD 3

/* A static program, embedded in the library. */
struct helper_program {
	const char *name; /* its name in /proc */
	const char *bytes;
	size_t len;
};

/* A helper that runs; both descriptors are owned and CLOEXEC. */
struct helper {
	pid_t pid;
	int pidfd;      /* readable when it has ended */
	int control_fd; /* our end */
};
#define HELPER_NONE                                                            \
	((struct helper){ .pid = -1, .pidfd = -1, .control_fd = -1 })

/* helper_start -- start it.  The calling thread sleeps until it has exec'd;
 * none of the caller's pages is copied, however large the caller is.
 *
 * Returns 0 with *ret the caller's, or -errno with *err filled and nothing left
 * behind. */
int helper_start(struct sys *k, const struct helper_program *program,
		 struct helper *ret, struct cupel_error *err);

/* helpers_close -- close the lifelines of all, give them HELPER_END_MS together
 * to end, kill those that have not, and reap each.  Afterwards each is
 * HELPER_NONE; one that is so already is passed over. */
#define HELPER_END_MS 10000 /* on a busy host; it usually takes 1 */
void helpers_close(struct helper *const all[], size_t len);

/* helper_close -- the same for one. */
void helper_close(struct helper *h);

#endif
