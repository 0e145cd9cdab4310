/* confirm.h -- turns flags into a log of facts. */
#ifndef CUPEL_JOBS_CONFIRM_CONFIRM_H
#define CUPEL_JOBS_CONFIRM_CONFIRM_H

#include <stddef.h>

#include "jobs/confirm/tally.h"
#include "jobs/confirm/verdict.h"

struct caps;
struct cupel_error;
struct vessel_option;

#define CONFIRM_JOBS_MAX 64
/* Seconds for all runs of one flag: what three witnesses that run into the
 * alarm take, and half as much again for the others. */
#define CONFIRM_FLAG_TIME_S     60
#define CONFIRM_FLAG_TIME_MAX_S 86400
#define CONFIRM_FOLDER          ".cupel"
#define CONFIRM_FLAGS           "review-flags.jsonl"
#define CONFIRM_LOG             "run-log.jsonl"

struct confirm_counts {
	/* Flags by status, without those whose rule stands for no class. */
	size_t of[CONFIRM_STATUS_MAX_];
	size_t no_class; /* of rules that stand for no class, recorded now */
	size_t flags;
	size_t faults, faults_told; /* skipped; passed to fault() */
	size_t left_out; /* results that say that they are not findings */
	size_t recorded; /* flags that the log has already */
	/* Those by status, again without flags of rules of no class. */
	size_t recorded_of[CONFIRM_STATUS_MAX_];
	size_t log_bad;      /* lines of the log that are no record */
	size_t log_unsealed; /* records that are not believed (seal.h) */
	struct tally tally;  /* flags of rules that stand for no class */
	bool has_seal;       /* records are sealed */
};

struct confirm_request {
	const char *repo;  /* host directory */
	const char *flags; /* path of review-flags.jsonl, or of SARIF */
	const char *rules; /* path of rules before our own, or NULL */
	const char *log;   /* path of run-log.jsonl */
	const char *sarif; /* path of a SARIF log to write, or NULL */
	/* Set when the caller has not named them.  Then flags and log are those
	 * in REPO/CONFIRM_FOLDER, which may have come with the repository. */
	bool has_own_flags, has_own_log;
	unsigned jobs;        /* flags that run at once, 1..CONFIRM_JOBS_MAX */
	unsigned flag_time_s; /* of one flag, 1..CONFIRM_FLAG_TIME_MAX_S */
	bool is_cold; /* run no witness in a copy of a warm interpreter */
	/* NULL = the runners' own */
	const struct caps *caps;
	/* ro and runtime of cupel-run(1), at most HARNESS_VIEWS_MAX; or NULL */
	const struct vessel_option *views;
	int reproducer_fd; /* directory of scripts; -1 = none */
	bool resume;       /* leave out flags that the log has */
	int stop_fd;       /* readable: stop; -1 = never */
	void *data;
	/* Called for each line or result (unit) of the flags file that is
	 * skipped, at most FLAG_FAULTS_MAX times; may be NULL. */
	void (*fault)(void *data, const char *unit, size_t number,
		      const char *message);
	/* Called when the flags are read and no vessel has started; may be
	 * NULL. */
	void (*begin)(void *data, const struct confirm_counts *c);
	/* Called for a confirmed bug that no script can express; may be
	 * NULL. */
	void (*no_script)(void *data, const struct flag *flag, const char *why);
	/* Called when a record was written, the done-th of all; may be NULL. */
	void (*progress)(void *data, const struct flag *flag,
			 const struct verdict *v, size_t done, size_t all);
};

/* confirm_run -- run the flags, and append one record for each as it is done.
 *
 * @ret		filled as far as the job came, on failure too
 * Returns 0, or -errno with *err filled: the flags could not be read (cause
 * caller) or the log could not be written; -EINTR: stop_fd became readable, at
 * whatever moment.  Flags that were still running then have no record. */
int confirm_run(const struct confirm_request *req, struct confirm_counts *ret,
		struct cupel_error *err);

/* confirm_write_summary -- append {"confirmed": N, ...}, see
 * cupel-confirm(1). */
void confirm_write_summary(const struct confirm_counts *c, struct buf *out);

#endif
