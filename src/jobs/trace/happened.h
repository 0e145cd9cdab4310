/* happened.h -- reads back from a result what was reached and executed.
 *
 * Room: jobs/trace.
 *
 * Must: treat a result as a file that anybody may have written: bounded,
 * strict, checked against the published schema before it is used Must not: open
 * a file, run anything; claim that nothing is new where events
 *           may be missing
 * */
#ifndef CUPEL_JOBS_TRACE_HAPPENED_H
#define CUPEL_JOBS_TRACE_HAPPENED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "boundary/json.h"

struct cupel_error;

/* Of a result's file: 4096 events, and the command's output beside them. */
#define HAPPENED_BYTES ((size_t)256 << 20)

struct happened {
	struct arena arena;
	struct json_value root;
	const struct json_value *egress; /* array, or NULL */
	const struct json_value *trace;  /* object, or NULL */
	bool exec, connect;              /* what was traced */
};

/* happened_read -- bytes[0..n-1], a result.
 *
 * @name	of the file, for messages
 * @ret		zeroed by the caller; happened_done() frees it, on failure too
 * Returns 0, or -EINVAL: no strict JSON, no object with "egress" or "trace", or
 * not as the schema has them. */
int happened_read(const char *name, const char *bytes, size_t n,
		  struct happened *ret, struct cupel_error *err);

/* happened_take -- the same of a result that is a value already; root is shared
 * with it, and has to outlive ret. */
int happened_take(const char *name, const struct json_value *root,
		  struct happened *ret, struct cupel_error *err);
void happened_done(struct happened *h);

/* happened_text -- the member's string, or NULL where it is none or holds a
 * NUL; borrowed. */
const char *happened_text(const struct json_value *v, const char *name);

/* happened_word -- item i of the member, an array; "" when it is no string, NULL
 * behind the last. */
const struct json_text *happened_word(const struct json_value *v,
				      const char *name, size_t i);

/* happened_number -- the member as a number; 0 where it is none. */
unsigned long long happened_number(const struct json_value *v,
				   const char *name);

/* happened_bool -- whether the member is true. */
bool happened_bool(const struct json_value *v, const char *name);

#endif
