/* json.h -- writes the result: one JSON object, cupel-result(5). */
#ifndef CUPEL_RESULT_JSON_H
#define CUPEL_RESULT_JSON_H

#include "base/buf.h"
#include "boundary/payload.h"
#include "result/status.h"

struct artifact_list;
struct kept;
struct outcome;
struct plan;
struct spec;

#define RESULT_VERSION "1.0"

/* Everything that a result is written from; borrowed.  plan and outcome are
 * NULL when the run did not get that far. */
struct result_facts {
	const struct spec *spec;
	const struct plan *plan;
	const struct outcome *outcome;
	const struct verdict *verdict;
	const struct payload *payload;         /* NULL: absent */
	const struct artifact_list *artifacts; /* NULL: none */
	const struct kept *kept; /* of the cache; NULL: nothing was kept */
	const char *phase;       /* the name of a phase; NULL: not a phase */
	bool goes_on;
	const char *trace_id;
	const char *spec_hash;
};

/* result_write -- append the object, on one line, no newline after it. */
void result_write(const struct result_facts *f, struct buf *out);

#endif
