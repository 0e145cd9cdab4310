/* story_json.c -- writes a gate as JSON.  See story.h. */
#include "base/buf.h"
#include "base/jsonw.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/show/story.h"

static void value_write(struct jsonw *w, const char *key,
			const struct json_value *v)
{
	owned_buf struct buf text = { 0 };

	if (v != NULL)
		json_write(v, &text);
	if (v == NULL || buf_has_failed(&text))
		jsonw_null(w, key);
	else
		jsonw_raw(w, key, text.bytes, text.len);
}

/* Write a record without the members that link it into the chain. */
static void run_write(struct jsonw *w, const struct json_value *r)
{
	static const char *const names[] = {
		"phase",   "run_id", "spec_hash", "status",          "rc",
		"wall_ms", "cpu_ms", "backend",   "isolation_class", "bytes_in",
	};

	jsonw_object(w, NULL);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		value_write(w, names[i], json_find(r, names[i]));
	jsonw_end_object(w);
}

static void attempt_write(const struct story *s, const struct story_attempt *a,
			  struct jsonw *w)
{
	jsonw_object(w, NULL);
	jsonw_uint(w, "attempt", a->number);
	value_write(w, "passed", json_find(a->ended, "passed"));
	value_write(w, "lost", json_find(a->ended, "lost"));
	value_write(w, "why", json_find(a->ended, "why"));
	jsonw_object(w, "tree");
	value_write(w, "begin", json_find(&s->book->records[a->first], "tree"));
	value_write(w, "end", json_find(a->ended, "tree"));
	value_write(w, "changed", json_find(a->ended, "tree_changed"));
	jsonw_end_object(w);
	value_write(w, "failing_signals",
		    json_find(a->ended, "failing_signals"));
	jsonw_array(w, "signals");
	for (size_t i = a->first; i < a->last; i++)
		if (story_is(&s->book->records[i], "signal"))
			value_write(w, NULL,
				    json_find(&s->book->records[i], "signal"));
	jsonw_end_array(w);
	jsonw_array(w, "runs");
	for (size_t i = a->first; i < a->last; i++)
		if (story_is(&s->book->records[i], "run.ended"))
			run_write(w, &s->book->records[i]);
	jsonw_end_array(w);
	value_write(w, "evidence", json_find(a->ended, "evidence"));
	value_write(w, "replan_status", json_find(a->replan, "status"));
	jsonw_end_object(w);
}

void story_write_json(const struct story *s, const char *state, struct jsonw *w)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "version", "1.0");
	value_write(w, "outcome", json_find(s->ended, "outcome"));
	value_write(w, "reason", json_find(s->ended, "reason"));
	value_write(w, "gate", json_find(s->begun, "gate"));
	value_write(w, "gate_hash", json_find(s->begun, "gate_hash"));
	value_write(w, "catalogue", json_find(s->begun, "catalogue"));
	value_write(w, "baseline", json_find(s->begun, "baseline"));
	value_write(w, "worktree", json_find(s->begun, "worktree"));
	jsonw_text_or_null(w, "isolation_class", story_isolation(s));
	value_write(w, "begun_at", json_find(s->begun, "at"));
	value_write(w, "ended_at", json_find(s->ended, "at"));
	jsonw_array(w, "attempts");
	for (size_t i = 0; i < s->attempts_len; i++)
		attempt_write(s, &s->attempts[i], w);
	jsonw_end_array(w);
	jsonw_text(w, "state", state);
	jsonw_end_object(w);
}
