/* trace.h -- what a run could leave behind, taken before and after. */
#ifndef CUPEL_TESTS_FAULT_TRACE_H
#define CUPEL_TESTS_FAULT_TRACE_H

struct trace {
	char *fds;     /* our open descriptors */
	char *mounts;  /* of our mount namespace */
	char *files;   /* where we run, and our TMPDIR and HOME */
	char *cgroups; /* of our runs, below /sys/fs/cgroup */
	char *state;   /* umask, mask, dumpability, directory, environment */
	int children;  /* processes of ours, orphans included */
};

void trace_take(struct trace *t);
void trace_close(struct trace *t);

/* trace_difference -- what differs, in words, or NULL.  Static text. */
const char *trace_difference(const struct trace *a, const struct trace *b);

#endif
