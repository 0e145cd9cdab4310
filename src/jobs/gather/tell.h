/* tell.h -- reports the events of one probe to whoever listens. */
#ifndef CUPEL_JOBS_GATHER_TELL_H
#define CUPEL_JOBS_GATHER_TELL_H

#include "jobs/gather/task.h"

struct answer;

/* tell -- one event; details may be NULL. */
void tell(const struct bench *b, enum gather_event event, const struct task *t,
	  const struct event_details *details);

/* tell_skips -- report the inputs that were skipped, without the first
 * `from`. */
void tell_skips(const struct bench *b, const struct task *t, size_t from);

/* tell_answer -- what schema and sanitizer said of an answer. */
void tell_answer(const struct bench *b, const struct task *t,
		 const struct answer *a);

/* tell_cache -- what the cache said. */
void tell_cache(const struct bench *b, const struct task *t,
		enum cache_result r, size_t bytes);

#endif
