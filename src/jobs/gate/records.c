/* records.c -- see records.h. */
#include "jobs/gate/records.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "jobs/gate/kinds/signal_write.h"

const char *records_isolation(enum gate_isolation isolation)
{
	static const char *const names[] = {
		[GATE_SHARED_KERNEL] = "shared_kernel",
		[GATE_USER_KERNEL] = "user_kernel",
		[GATE_MICROVM] = "microvm",
	};
	static_assert(sizeof names / sizeof *names == GATE_ISOLATION_MAX_,
		      "a name for every class");

	return isolation < GATE_ISOLATION_MAX_ ? names[isolation] : names[0];
}

/* --- their room ------------------------------------------------------------- */

/* Parts that can be as long as a line have a cap of their own.  All others are
 * short: digests, names of at most 64 bytes, numbers, and one sentence. */
#define SHORT_BYTES  ((size_t)4 << 10)
#define SIGNAL_BYTES (LEDGER_LINE_BYTES / 2) /* longer details are left out */
#define BLOCKED_MAX  256U                    /* that cupel-result(5) has */
/* Host and address: 253 bytes, each of which may take six when it is
 * written. */
#define BLOCKED_BYTES ((size_t)2560)

size_t records_room(const struct gate *g)
{
	size_t begins_and_ends = 6 * SHORT_BYTES; /* gate, override, attempt,
						   * replan, gate */
	size_t run = SHORT_BYTES + BLOCKED_MAX * BLOCKED_BYTES;
	size_t signal = SHORT_BYTES + SIGNAL_BYTES;

	return begins_and_ends + g->phases_len * run + g->asks_len * signal +
	       LEDGER_LINE_BYTES;
}

/* --- the gate --------------------------------------------------------------- */

int records_gate_begin(struct records *r, const struct records_gate *g,
		       struct cupel_error *err)
{
	struct ledger_record rec;

	ledger_begin(r->ledger, "gate.begun", &rec);
	jsonw_text(&rec.w, "version", PACKAGE_VERSION);
	jsonw_text(&rec.w, "gate", g->gate->name);
	jsonw_text(&rec.w, "catalogue", g->gate->catalogue);
	jsonw_text(&rec.w, "gate_hash", g->gate->hash);
	jsonw_text(&rec.w, "isolation", records_isolation(g->gate->isolation));
	jsonw_uint(&rec.w, "max_attempts", g->max_attempts);
	jsonw_text_or_null(&rec.w, "baseline", g->baseline);
	jsonw_text(&rec.w, "worktree", g->worktree);
	jsonw_bool(&rec.w, "replan", g->has_planner);
	return ledger_put(r->ledger, &rec, err);
}

int records_gate_end(struct records *r, const char *outcome, const char *reason,
		     unsigned attempts, struct cupel_error *err)
{
	struct ledger_record rec;

	ledger_begin(r->ledger, "gate.ended", &rec);
	jsonw_text(&rec.w, "outcome", outcome);
	jsonw_text_or_null(&rec.w, "reason", reason);
	jsonw_uint(&rec.w, "attempts", attempts);
	return ledger_put(r->ledger, &rec, err);
}

int records_override(struct records *r, unsigned max_attempts, unsigned of_gate,
		     const char *operator, struct cupel_error * err)
{
	struct ledger_record rec;

	ledger_begin(r->ledger, "attempts.override", &rec);
	jsonw_uint(&rec.w, "max_attempts", max_attempts);
	jsonw_uint(&rec.w, "gate_max_attempts", of_gate);
	jsonw_text(&rec.w, "operator", operator);
	return ledger_put(r->ledger, &rec, err);
}

int records_attempt_begin(struct records *r, unsigned attempt,
			  const struct judged *tree, struct cupel_error *err)
{
	struct ledger_record rec;

	ledger_begin(r->ledger, "attempt.begun", &rec);
	jsonw_uint(&rec.w, "attempt", attempt);
	judged_write(tree, &rec.w);
	return ledger_put(r->ledger, &rec, err);
}

/* --- evidence --------------------------------------------------------------- */

int records_keep(struct records *r, const char *name, const char *bytes,
		 size_t n, struct records_kept *ret, struct cupel_error *err)
{
	int e = state_put(r->state, bytes, n, ret->path, ret->hash, err);

	ret->name = name;
	ret->is_cut = e == 1;
	return e < 0 ? e : 0;
}

static void kept_write(struct jsonw *w, const struct records_kept *kept,
		       size_t n)
{
	jsonw_array(w, "evidence");
	for (size_t i = 0; i < n; i++) {
		jsonw_object(w, NULL);
		jsonw_text(w, "name", kept[i].name);
		jsonw_text(w, "path", kept[i].path);
		jsonw_text(w, "blake3", kept[i].hash);
		jsonw_bool(w, "truncated", kept[i].is_cut);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void text_read(const struct json_value *v, const char *name, char *ret,
		      size_t room)
{
	const struct json_value *text = json_find(v, name);

	if (text != NULL && text->type == JSON_STRING)
		(void)snprintf(ret, room, "%s", text->u.string.bytes);
}

void records_kept_read(const struct json_value *record, const char *name,
		       struct records_kept *ret)
{
	const struct json_value *list = json_find(record, "evidence");

	if (list == NULL || list->type != JSON_ARRAY)
		return;
	for (size_t i = 0; i < list->u.array.len; i++) {
		const struct json_value *item = &list->u.array.items[i];

		if (!json_is_text(json_find(item, "name"), name))
			continue;
		ret->name = name;
		text_read(item, "path", ret->path, sizeof ret->path);
		text_read(item, "blake3", ret->hash, sizeof ret->hash);
	}
}

/* --- what happened in an attempt -------------------------------------------- */

static uint64_t number_of(const struct json_value *v, const char *name)
{
	const struct json_value *number = json_find(v, name);
	uint64_t n = 0;

	return number != NULL && json_read_u64(number, &n) == 0 ? n : 0;
}

/* Write a member of a result that is a short word of our own, or null. */
static void word_write(struct jsonw *w, const char *key,
		       const struct json_value *result)
{
	const struct json_value *v = json_find(result, key);

	if (v != NULL && v->type == JSON_STRING)
		jsonw_bytes(w, key, v->u.string.bytes, v->u.string.len);
	else
		jsonw_null(w, key);
}

static const struct json_value *list_of(const struct json_value *v,
					const char *name)
{
	const struct json_value *list = json_find(v, name);

	return list != NULL && list->type == JSON_ARRAY ? list : NULL;
}

static uint64_t bytes_in(const struct json_value *result)
{
	const struct json_value *list = list_of(result, "egress");
	uint64_t sum = 0;

	for (size_t i = 0; list != NULL && i < list->u.array.len; i++)
		sum += number_of(&list->u.array.items[i], "bytes_in");
	return sum;
}

static int run_put(struct records *r, unsigned attempt,
		   const struct gate_run *run, struct cupel_error *err)
{
	const struct json_value *usage = json_find(run->result, "usage");
	struct ledger_record rec;

	ledger_begin(r->ledger, "run.ended", &rec);
	jsonw_uint(&rec.w, "attempt", attempt);
	jsonw_text(&rec.w, "phase", run->phase);
	jsonw_text_or_null(&rec.w, "run_id", run->run_id);
	jsonw_text_or_null(&rec.w, "spec_hash", run->spec_hash);
	word_write(&rec.w, "status", run->result);
	jsonw_uint(&rec.w, "rc", number_of(run->result, "rc"));
	jsonw_uint(&rec.w, "wall_ms", number_of(run->result, "duration_ms"));
	jsonw_uint(&rec.w, "cpu_ms",
		   number_of(usage, "cpu_user_ms") +
			   number_of(usage, "cpu_system_ms"));
	word_write(&rec.w, "backend", run->result);
	word_write(&rec.w, "isolation_class", run->result);
	jsonw_uint(&rec.w, "bytes_in", bytes_in(run->result));
	/* hosts that the result had no room for: blocked ones may be missing */
	jsonw_uint(&rec.w, "egress_omitted",
		   number_of(run->result, "egress_omitted"));
	jsonw_text_or_null(&rec.w, "result",
			   run->file != NULL ? run->file->path : NULL);
	return ledger_put(r->ledger, &rec, err);
}

static int blocked_put(struct records *r, unsigned attempt,
		       const struct gate_run *run, struct cupel_error *err)
{
	const struct json_value *list = list_of(run->result, "egress");
	int e = 0;

	for (size_t i = 0;
	     e == 0 && list != NULL && i < list->u.array.len && i < BLOCKED_MAX;
	     i++) {
		const struct json_value *entry = &list->u.array.items[i];
		struct ledger_record rec;

		if (json_is_text(json_find(entry, "verdict"), "allowed"))
			continue;
		ledger_begin(r->ledger, "egress.blocked", &rec);
		jsonw_uint(&rec.w, "attempt", attempt);
		jsonw_text(&rec.w, "phase", run->phase);
		word_write(&rec.w, "host", entry);
		word_write(&rec.w, "address", entry);
		jsonw_uint(&rec.w, "port", number_of(entry, "port"));
		word_write(&rec.w, "protocol", entry);
		word_write(&rec.w, "reason", entry);
		jsonw_uint(&rec.w, "connections",
			   number_of(entry, "connections"));
		e = ledger_put(r->ledger, &rec, err);
	}
	return e;
}

int records_run(struct records *r, unsigned attempt, const struct gate_run *run,
		struct cupel_error *err)
{
	int e = run_put(r, attempt, run, err);

	return e < 0 ? e : blocked_put(r, attempt, run, err);
}

/* Details that are too long for a record are left out.  What they were made
 * from is evidence. */
static void signal_add(struct jsonw *w, const struct gate_signal *s)
{
	static const struct json_value none = { .type = JSON_NULL };
	owned_buf struct buf text = { .cap_bytes = SIGNAL_BYTES };
	struct jsonw own = { .out = &text };

	signal_write(s, NULL, &own);
	if (buf_has_failed(&text)) {
		struct gate_signal brief = *s;

		brief.details = &none;
		buf_done(&text);
		text = (struct buf){ .cap_bytes = SIGNAL_BYTES };
		own = (struct jsonw){ .out = &text };
		signal_write(&brief, NULL, &own);
	}
	if (buf_has_failed(&text))
		w->out->failed = true;
	else
		jsonw_raw(w, "signal", text.bytes, text.len);
}

static int signal_put(struct records *r, unsigned attempt,
		      const struct gate_signal *s, struct cupel_error *err)
{
	struct ledger_record rec;

	ledger_begin(r->ledger, "signal", &rec);
	jsonw_uint(&rec.w, "attempt", attempt);
	signal_add(&rec.w, s);
	return ledger_put(r->ledger, &rec, err);
}

int records_attempt(struct records *r, const struct gate_attempt *a,
		    struct records_kept *kept, struct cupel_error *err)
{
	int e = 0;

	for (size_t i = 0; e == 0 && i < a->files_len; i++)
		e = records_keep(r, a->files[i]->path, a->files[i]->bytes,
				 a->files[i]->len, &kept[i], err);
	for (size_t i = 0; e == 0 && i < a->signals_len; i++)
		e = signal_put(r, a->number, &a->signals[i], err);
	return e;
}

int records_attempt_end(struct records *r, const struct records_end *end,
			struct cupel_error *err)
{
	const struct gate_verdict *v = end->verdict;
	struct ledger_record rec;

	ledger_begin(r->ledger, "attempt.ended", &rec);
	jsonw_uint(&rec.w, "attempt", end->attempt);
	jsonw_bool(&rec.w, "passed", v->passed);
	jsonw_bool(&rec.w, "retryable", v->retryable);
	jsonw_bool(&rec.w, "lost", v->lost);
	jsonw_text_or_null(&rec.w, "why", end->why);
	jsonw_array(&rec.w, "failing_signals");
	for (size_t i = 0; i < v->failing_len; i++)
		jsonw_text(&rec.w, NULL, v->failing[i]);
	jsonw_end_array(&rec.w);
	jsonw_bool(&rec.w, "too_weak", v->is_too_weak);
	judged_write(end->tree, &rec.w);
	jsonw_text_or_null(&rec.w, "tree_changed", end->changed);
	kept_write(&rec.w, end->kept, end->kept_len);
	return ledger_put(r->ledger, &rec, err);
}

int records_replan(struct records *r, unsigned attempt, int status,
		   const struct records_kept *input, struct cupel_error *err)
{
	struct ledger_record rec;

	ledger_begin(r->ledger, "replan", &rec);
	jsonw_uint(&rec.w, "attempt", attempt);
	jsonw_int(&rec.w, "status", status);
	kept_write(&rec.w, input, 1);
	return ledger_put(r->ledger, &rec, err);
}
