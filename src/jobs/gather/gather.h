/* gather.h -- a repository in, facts out: all probes, one context. */
#ifndef CUPEL_JOBS_GATHER_GATHER_H
#define CUPEL_JOBS_GATHER_GATHER_H

#include "base/arena.h"
#include "jobs/gather/schedule.h"
#include "jobs/gather/select.h"
#include "jobs/probe/answer.h"
#include "jobs/probe/walk.h"

struct cupel_error;

/* cupel-gather(1), "EXIT STATUS". */
enum gather_exit {
	GATHER_DONE = 0,
	GATHER_USAGE = 2,
	GATHER_HOST = 3,   /* this host cannot sandbox */
	GATHER_SCHEMA = 4, /* the context is not what its schema says */
	GATHER_INTERNAL = 5,
};

struct gather_request {
	const char *repo; /* host directory */
	const char *out;  /* NULL: .cupel in the repository */
	bool is_json;
	const char *sbom; /* file for a bill of materials, or NULL */
	/* gather_publish() will follow, so a place that cannot be written is
	 * reported now. */
	bool has_output;
	unsigned jobs;           /* 1 to SCHEDULE_JOBS_MAX */
	const char *const *only; /* names; only_len 0: all probes */
	size_t only_len;
	bool no_cache;
	bool with_node_modules;
	/* Nothing is written, so .cupel is a directory like any other. */
	bool with_own_output;
	const struct probe *others; /* of manifests; borrowed */
	size_t others_len;
	int stop_fd; /* readable: stop; -1 = never */
	struct gather_hooks hooks;
	/* Executed instead of cupel-parse, for tests; NULL = the real one. */
	const void *program;
	size_t program_len;
};

/* The state of a gather.  Zero is valid except for root_fd. */
struct gather {
	struct gather_run run; /* the input of the record and the report */
	enum gather_exit exit;
	char why[CUPEL_ERROR_WHAT]; /* with exit 3 and 4, or a broken chain of
				     * run records: a line; or "" */
	struct selection selection;
	struct walk walk;
	bool has_output; /* of an earlier gather: answers may be kept */
	struct inputs_request reading;
	struct probe_inputs inputs[PROBES_MAX];
	struct gather_probe results[PROBES_MAX];
	struct answer answers[PROBES_MAX]; /* the results point into them */
	struct answer_schemas schemas;     /* by which they are judged */
	char repo[4096];                   /* absolute, for the sanitizer */
	int root_fd;
	struct arena arena;
};

/* gather_collect -- run the probes; nothing is written but the cache.
 *
 * @ret		gather_done() frees it, after a failure too; exit is always set
 * Returns 0; -EINTR when stop_fd was readable; -errno. */
int gather_collect(const struct gather_request *req, struct gather *ret,
		   struct cupel_error *err);

/* gather_publish -- merge, check, and write context, report and run record.
 *
 * The earlier output stays whole until the new one is complete.  A context that
 * does not fit its schema is kept as NAME.invalid, and exit says so.  Returns
 * 0; -EINTR; -errno. */
int gather_publish(const struct gather_request *req, struct gather *g,
		   struct cupel_error *err);

void gather_done(struct gather *g);

#endif
