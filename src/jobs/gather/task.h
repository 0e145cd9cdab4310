/* task.h -- one probe of a gather, from its inputs to its output. */
#ifndef CUPEL_JOBS_GATHER_TASK_H
#define CUPEL_JOBS_GATHER_TASK_H

#include "jobs/gather/cache.h"
#include "jobs/gather/model.h"
#include "jobs/gather/select.h"
#include "jobs/probe/attempt.h"

struct answer;
struct answer_schemas;
struct arena;
struct cupel_error;
struct schema_set;

/* The callbacks of a gather in progress. */
struct gather_progress {
	size_t done, running, all;
	const struct gather_probe *finished; /* NULL: something started */
	const char *started; /* name of a probe; NULL: one finished */
};

struct gather_hooks {
	void *data;
	/* Either may be NULL. */
	void (*event)(void *data, enum gather_event event, const char *probe,
		      const struct event_details *details);
	void (*progress)(void *data, const struct gather_progress *p);
};

/* What the tasks of a gather share. */
struct bench {
	const struct selection *selection;
	struct probe_inputs *inputs;          /* one for each probe */
	const struct inputs_request *reading; /* what made them */
	struct gather_probe *results;         /* the same */
	struct answer *answers; /* the same: the results point into them */
	struct answer_schemas *schemas; /* of what is built in */
	struct arena *arena;            /* of the results' trees */
	const char *const *roots;       /* for the sanitizer */
	struct cache *cache;            /* NULL: neither read nor written */
	const struct gather_hooks *hooks;
	const char *program; /* cupel-parse */
	size_t program_len;
	int program_fd;                       /* sealed when first needed, -1 */
	char program_hash[BLAKE3_TEXT_BYTES]; /* the same; "" */
	bool with_node_modules;
	bool has_no_host;           /* this host could not start a vessel */
	bool has_internal;          /* ... or failed by itself */
	char why[CUPEL_ERROR_WHAT]; /* the first such, for the caller */
};

enum task_state {
	TASK_WAITING,
	TASK_RUNNING,
	TASK_ENDED, /* its vessel has ended, its answer is not checked yet */
	TASK_DONE,
};

struct task {
	enum task_state state;
	size_t index; /* of the probe */
	struct attempt attempt;
	struct schema_set *schema; /* of a manifest's probe */
	uint8_t key[BLAKE3_BYTES];
};

/* task_start -- answer from the cache, or start a vessel.  What it requires has
 * been done.  Afterwards it is running or done.
 *
 * Returns 0 or -errno: our own failure, or cause caller for a manifest. */
int task_start(struct bench *b, struct task *t, struct cupel_error *err);

/* task_finish -- the vessel has ended: check, keep, write the output.
 * Returns 0 or -errno. */
int task_finish(struct bench *b, struct task *t, struct cupel_error *err);

void task_done(struct task *t);

#endif
