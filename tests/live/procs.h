/* procs.h -- for tests of how runs end and of many runs at once: start the command,
 * look at processes, look at files. */
#ifndef CUPEL_TESTS_LIVE_PROCS_H
#define CUPEL_TESTS_LIVE_PROCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* procs_now_us -- CLOCK_MONOTONIC. */
int64_t procs_now_us(void);

/* procs_start -- BUILD/cupel with args (NULL-terminated, from argv[1] on).
 * stdout goes to out_fd (-1: /dev/null), stdin is /dev/null, stderr is ours.
 * Returns the pid; exits the test when that fails. */
pid_t procs_start(const char *const args[], int out_fd);

/* procs_adopt -- from now on, orphans among our descendants become ours, so
 * that "no child is left" means that nothing of ours lives. */
void procs_adopt(void);

/* procs_gone_us -- reap until there is no child, for at most limit_us.  What ran or
 * waited for the kernel when LATE_US were over is told on stderr.
 * Returns the microseconds that it took, or -1 if something still lives. */
int64_t procs_gone_us(int64_t limit_us);
#define LATE_US 100000

/* procs_count -- processes on this host with text in their argv. */
int procs_count(const char *text);

/* procs_kill -- SIGKILL those, to leave a clean machine after a failure. */
void procs_kill(const char *text);

/* procs_listing -- the names below a directory, recursively, sorted and
 * joined; freed with free(3).  If two listings are equal, nothing came or went. */
char *procs_listing(const char *dir);

/* procs_here -- a fresh directory to run in, with a small repository, made the
 * working directory; TMPDIR and HOME point to an empty directory in it. */
void procs_here(void);

/* procs_leave -- remove it. */
void procs_leave(void);

/* procs_is_full -- whether CUPEL_TIER asks for the full counts. */
bool procs_is_full(void);

#endif
