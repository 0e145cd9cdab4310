/* do.h -- lets the command do a request, and writes its answer. */
#ifndef CUPEL_WORKER_DO_H
#define CUPEL_WORKER_DO_H

#include "worker/source.h"

struct buf;

/* The largest answer; the server's own limit may be lower. */
#define WORKER_ANSWER_BYTES ((size_t)64 << 20)

/* worker_do -- do what the request asks for.
 *
 * @result	receives the result, which is strict and complete JSON
 * Returns an end.  WORKER_DONE: the result is set; otherwise *why is. */
enum worker_end worker_do(const struct worker_job *job, struct buf *result,
			  struct worker_why *why);

struct worker_answer {
	const struct worker_request *q;
	enum worker_end end; /* DONE, REFUSED or FAILED */
	const char *worker;  /* its name */
	unsigned failures;   /* before this one */
	uint64_t duration_ms;
	const struct buf *result;     /* of DONE */
	const struct worker_why *why; /* of the others */
};

/* worker_answer_write -- write the answer on one line, as it is published. */
void worker_answer_write(const struct worker_answer *a, struct buf *out);

struct schema_set;

/* worker_answer_schema -- the schema of answers, with all schemas that it
 * refers to; NULL without memory.  Freed with schema_set_free(). */
struct schema_set *worker_answer_schema(void);

/* worker_answer_check -- check bytes against it.  Returns whether they fit; if
 * not, *why has the first reason.
 *
 * @arena	receives the tree
 * @ret		set when they fit; may be NULL */
bool worker_answer_check(const struct schema_set *set, const char *bytes,
			 size_t n, struct arena *arena, struct json_value *ret,
			 struct worker_why *why);

#endif
