/* explain.h -- explains a result in words, on stderr. */
#ifndef CUPEL_CLI_EXPLAIN_H
#define CUPEL_CLI_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "boundary/json.h"

struct buf;

/* The result of a run, parsed from its JSON. */
struct explained {
	struct arena arena;
	struct json_value result;
	bool is_read;
};

void explained_read(struct explained *e, const char *json, size_t n);
void explained_done(struct explained *e);

/* explain_status -- one line with the status and the reason. */
void explain_status(const struct explained *e);

/* explain_phases -- a line for each phase that was started; nothing for a run
 * without phases. */
void explain_phases(const struct explained *e);

/* explain_partial -- one line that names what is not enforced, if anything. */
void explain_partial(const struct explained *e);

/* explain_artifacts -- one line about artifacts that were not copied out, if
 * any. */
void explain_artifacts(const struct explained *e);

/* explain_cache -- one line when what was added to the cache is not kept. */
void explain_cache(const struct explained *e);

/* explain_report -- one line about the report of tests that was asked for: its
 * counts, or why there are none. */
void explain_report(const struct explained *e);

/* explain_egress -- a line for each host that was refused or could not be
 * reached; each host once. */
void explain_egress(const struct explained *e);

/* explained_has_started -- whether COMMAND itself ran. */
bool explained_has_started(const struct explained *e);

/* explained_has_met -- whether the command met a limit that it sees only as an
 * errno. */
bool explained_has_met(const struct explained *e);

/* explained_missing -- write to out the walls that were asked for and are
 * missing, separated by ", ". */
void explained_missing(const struct explained *e, struct buf *out);

/* explained_text -- the member's string, or NULL; borrowed. */
const char *explained_text(const struct explained *e, const char *name);

/* explain_run -- what --verbose adds. */
void explain_run(const struct explained *e);

/* explained_is_cut -- whether the stream ("stdout", "stderr") was truncated. */
bool explained_is_cut(const struct explained *e, const char *stream);

#endif
