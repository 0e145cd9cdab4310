/* story_text.c -- writes a gate for a terminal.  See story.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/ledger/state.h"
#include "jobs/gate/show/story.h"
#include "jobs/gate/show/story_change.h"
#include "jobs/gate/show/story_line.h"
#include "jobs/gate/show/story_output.h"

static void fold(struct buf *out, const char *lead, const char *text)
{
	story_line_fold(lead, text, strlen(text), out);
}

static void fact_tell(void *data, const char *name, const char *text,
		      size_t len)
{
	static const char omitted[] = "omitted";
	size_t n = strlen(name), end = sizeof omitted - 1;
	char lead[40];
	owned_buf struct buf shown = { 0 };

	/* that nothing is left out need not be said */
	if (len == 1 && text[0] == '0' && n >= end &&
	    strcmp(name + n - end, omitted) == 0)
		return;
	story_line_write(name, strlen(name), &shown);
	(void)snprintf(lead, sizeof lead, "        %.24s: ",
		       shown.bytes != NULL ? shown.bytes : "?");
	story_line_fold(lead, text, len, data);
}

void story_signal_write(const char *kind, bool passed,
			const struct json_value *details, struct buf *out)
{
	fold(out, passed ? "    + " : "    - ", kind);
	if (!passed)
		story_facts(details, fact_tell, out);
}

static void signal_write(const struct json_value *signal, struct buf *out)
{
	story_signal_write(story_text(signal, "kind"),
			   story_bool(signal, "passed"),
			   json_find(signal, "details"), out);
}

static void run_write(const struct json_value *r, struct buf *out)
{
	owned_buf struct buf line = { 0 };
	uint64_t ms = story_number(r, "wall_ms");

	buf_format(&line, "%-16s %-10s %6" PRIu64 ".%" PRIu64 " s",
		   story_text(r, "phase"), story_text(r, "status"), ms / 1000,
		   ms % 1000 / 100);
	fold(out, "    ", line.bytes != NULL ? line.bytes : "");
}

static void blocked_write(const struct json_value *r, struct buf *out)
{
	owned_buf struct buf line = { 0 };
	const char *host = story_text(r, "host");

	buf_format(&line, "%s:%" PRIu64 " in %s: %s",
		   host[0] != '\0' ? host : story_text(r, "address"),
		   story_number(r, "port"), story_text(r, "phase"),
		   story_text(r, "reason"));
	fold(out, "    refused ", line.bytes != NULL ? line.bytes : "");
}

static const char *verdict_of(const struct story_attempt *a)
{
	if (a->ended == NULL)
		return "has not ended";
	if (story_bool(a->ended, "lost"))
		return "lost";
	return story_bool(a->ended, "passed") ? "passed" : "failed";
}

static void attempt_write(const struct story *s, const struct story_attempt *a,
			  const struct state *state, struct buf *out)
{
	const struct json_value *tree =
		json_find(&s->book->records[a->first], "tree");

	buf_format(out, "\n  attempt %" PRIu64 ": %s\n", a->number,
		   verdict_of(a));
	if (story_text(tree, "blake3")[0] != '\0')
		fold(out, "    tree ", story_text(tree, "blake3"));
	if (story_text(a->ended, "why")[0] != '\0')
		fold(out, "    ", story_text(a->ended, "why"));
	for (size_t i = a->first; i < a->last; i++) {
		const struct json_value *r = &s->book->records[i];

		if (story_is(r, "run.ended")) {
			run_write(r, out);
			story_output_write(a, r, state, out);
		} else if (story_is(r, "egress.blocked"))
			blocked_write(r, out);
		else if (story_is(r, "signal"))
			signal_write(json_find(r, "signal"), out);
	}
	story_change_write(s, a, state, out);
	if (a->replan != NULL)
		buf_format(out, "    planner: ended with %" PRIu64 "\n",
			   story_number(a->replan, "status"));
}

void story_write_text(const struct story *s, const struct state *state,
		      struct buf *out)
{
	const char *outcome = story_text(s->ended, "outcome");
	const char *reason = story_text(s->ended, "reason");
	owned_buf struct buf line = { 0 };

	buf_format(&line, "%s: %s%s%s%s", story_text(s->begun, "gate"),
		   outcome[0] != '\0' ? outcome : "not ended",
		   reason[0] != '\0' ? " (" : "", reason,
		   reason[0] != '\0' ? ")" : "");
	buf_format(&line, ", catalogue: %s", story_text(s->begun, "catalogue"));
	if (story_isolation(s) != NULL)
		buf_format(&line, ", %s", story_isolation(s));
	fold(out, "", line.bytes != NULL ? line.bytes : "");
	fold(out, "  begun ", story_text(s->begun, "at"));
	fold(out, "  state ", state->path);
	for (size_t i = 0; i < s->attempts_len; i++)
		attempt_write(s, &s->attempts[i], state, out);
}
