/* task.c -- see task.h. */
#include "jobs/gather/task.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/hooks.h"
#include "boundary/schema.h"
#include "jobs/gather/tell.h"
#include "jobs/probe/answer.h"
#include "jobs/probe/report.h"
#include "service/parse_program.h"
#include "service/sealed.h"
#include "service/vessel_result.h"
#include "spec/data.h"
#include "spec/schemas.h"

/* --- what it requires ------------------------------------------------------ */

/* The finished probes that t requires, in order.  Returns how many. */
static size_t required_find(const struct bench *b, const struct task *t,
			    const struct gather_probe *ret[PROBES_MAX])
{
	const char *const *r = b->selection->probes[t->index]->requires;
	size_t n = 0;

	for (; r != NULL && *r != NULL && n < PROBES_MAX; r++)
		ret[n++] = &b->results[selection_find(b->selection, *r)];
	return n;
}

static const char *weak_find(const struct bench *b, const struct task *t)
{
	const struct gather_probe *required[PROBES_MAX];
	size_t n = required_find(b, t, required);

	for (size_t i = 0; i < n; i++)
		if (required[i]->failure != NULL)
			return required[i]->probe->name;
	return NULL;
}

static int required_seal(const struct bench *b, const struct task *t,
			 int ret[PROBES_MAX], size_t *ret_len,
			 struct cupel_error *err)
{
	const struct gather_probe *required[PROBES_MAX];
	size_t n = required_find(b, t, required);

	for (size_t i = 0; i < n; i++) {
		owned_buf struct buf text = { 0 };
		int fd;

		json_write(required[i]->tree, &text);
		fd = sealed_of(text.bytes, text.len, false, err);
		if (fd < 0)
			return fd;
		ret[(*ret_len)++] = fd;
	}
	return 0;
}

/* --- the end of it --------------------------------------------------------- */

/* Build the output from what is known now; b->answers[] holds the answer. */
static int result_write(struct bench *b, struct task *t, const char *why,
			struct cupel_error *err)
{
	struct gather_probe *p = &b->results[t->index];
	const struct probe_inputs *in = &b->inputs[t->index];
	struct json_value *tree = arena_alloc(b->arena, sizeof *tree);
	const struct probe_outcome o = {
		.inputs = in,
		.answer = p->failure == NULL ? &b->answers[t->index] : NULL,
		.failure = p->failure,
		.why = why,
		.weak = weak_find(b, t),
		.roots = b->roots,
	};
	const struct event_details d = { .code = p->failure,
					 .message = p->failure ? why : NULL,
					 .status = p->status,
					 .wall_ms = p->wall_ms };

	if (tree == NULL || !output_build(&o, b->arena, tree))
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for a probe's output");
	p->tree = tree;
	p->inputs = in->items;
	p->inputs_len = in->len;
	p->inputs_bytes = in->bytes;
	t->state = TASK_DONE;
	if (p->failure == NULL)
		tell(b, EVENT_PROBE_SUCCESS, t, &d);
	else if (strcmp(p->failure, "wall_time") == 0)
		tell(b, EVENT_PROBE_TIMEOUT, t, &d);
	else
		tell(b, EVENT_PROBE_FAILURE, t, &d);
	return 0;
}

/* The schema for its answer.  Valid until the next call. */
static int schema_use(struct bench *b, const struct task *t,
		      const struct schema_set **ret, struct cupel_error *err)
{
	const struct probe *probe = b->selection->probes[t->index];
	int e = 0;

	*ret = t->schema;
	if (t->schema == NULL) {
		e = answer_schemas_use(b->schemas, probe, err);
		*ret = b->schemas->set;
	}
	if (test_wall_is_down(TEST_WALL_SCHEMA))
		*ret = NULL;
	return e;
}

/* A cached answer has to pass the boundary again, because it was out of our
 * hands.  Returns 1 or 0, whether it is valid, or -errno. */
static int kept_take(struct bench *b, struct task *t, const struct buf *text,
		     struct cupel_error *err)
{
	struct answer *ret = &b->answers[t->index];
	const struct probe *probe = b->selection->probes[t->index];
	const struct payload_limits limits = answer_limits(probe, b->roots);
	const struct schema_set *schema = NULL;
	int e = schema_use(b, t, &schema, err);

	if (e < 0)
		return e;
	payload_read(text->bytes ? text->bytes : "", text->len, text->len,
		     schema, &limits, &ret->checked);
	answer_take(probe, text->len, ret);
	return ret->is_valid;
}

/* --- the cache ------------------------------------------------------------- */

/* The program that answers, with the schema for its answer. */
static void identity_of(struct bench *b, const struct probe *probe,
			char ret[BLAKE3_TEXT_BYTES])
{
	const struct data_text *schema;
	uint8_t digest[BLAKE3_BYTES];
	struct blake3 hash;

	if (probe->command != NULL) {
		(void)snprintf(ret, BLAKE3_TEXT_BYTES, "%s", probe->identity);
		return;
	}
	if (b->program_hash[0] == '\0')
		blake3_hex_text(b->program, b->program_len, b->program_hash);
	schema = schema_text_find(probe->schema);
	blake3_init(&hash);
	blake3_update(&hash, b->program_hash, sizeof b->program_hash);
	if (schema != NULL)
		blake3_update(&hash, schema->bytes, schema->len);
	blake3_final(&hash, digest, sizeof digest);
	blake3_hex(digest, ret);
}

/* Whether the cache had the answer: then the task is done. */
static int cache_try(struct bench *b, struct task *t, struct cupel_error *err)
{
	const struct gather_probe *required[PROBES_MAX];
	char identity[BLAKE3_TEXT_BYTES];
	struct cache_source source = {
		.in = &b->inputs[t->index],
		.identity = identity,
		.with_node_modules = b->with_node_modules,
		.required = required,
		.required_len = required_find(b, t, required),
	};
	struct gather_probe *p = &b->results[t->index];
	owned_buf struct buf text = { .cap_bytes = CACHE_ENTRY_BYTES };
	enum cache_result r;

	identity_of(b, p->probe, identity);
	cache_key(&source, t->key);
	r = cache_find(b->cache, t->key, &text);
	if (r == CACHE_HIT) {
		int e = kept_take(b, t, &text, err);

		if (e < 0)
			return e;
		if (e == 0) {
			cache_drop(b->cache, t->key);
			r = CACHE_INVALID;
		}
	}
	tell_cache(b, t, r, text.len);
	if (r == CACHE_HIT) {
		tell(b, EVENT_PROBE_CACHE_HIT, t, NULL);
		tell_answer(b, t, &b->answers[t->index]);
		p->cache_hit = true;
		p->status = cupel_status_name(CUPEL_OK);
		return result_write(b, t, NULL, err);
	}
	answer_done(&b->answers[t->index]);
	return 0;
}

/* --- from one end to the other --------------------------------------------- */

static int program_seal(struct bench *b, struct cupel_error *err)
{
	if (b->program_fd < 0)
		b->program_fd =
			sealed_of(b->program, b->program_len, true, err);
	return b->program_fd < 0 ? b->program_fd : 0;
}

/* Without a cached answer the bytes are needed after all. */
static int bytes_seal(struct bench *b, const struct task *t,
		      struct cupel_error *err)
{
	struct probe_inputs *in = &b->inputs[t->index];
	size_t skips = in->skips_len;
	int e = inputs_seal(b->reading, in, err);

	if (e == 0)
		tell_skips(b, t, skips);
	return e;
}

static int vessel_begin(struct bench *b, struct task *t,
			struct cupel_error *err)
{
	int required[PROBES_MAX];
	struct attempt_request req = {
		.in = &b->inputs[t->index],
		.with_node_modules = b->with_node_modules,
		.required = required,
	};
	int e = program_seal(b, err);

	req.program_fd = b->program_fd;
	if (e == 0)
		e = required_seal(b, t, required, &req.required_len, err);
	if (e == 0)
		e = attempt_start(&req, &t->attempt, err);
	for (size_t i = 0; i < req.required_len; i++)
		cleanup_fd(&required[i]);
	if (e == 0) {
		t->state = TASK_RUNNING;
		tell(b, EVENT_SANDBOX_START, t, NULL);
	}
	return e;
}

static void trouble_note(struct bench *b, enum cupel_cause cause,
			 const char *what)
{
	if (!b->has_no_host && !b->has_internal)
		(void)snprintf(b->why, sizeof b->why, "%s", what);
	if (cause == CUPEL_CAUSE_HOST)
		b->has_no_host = true;
	else
		b->has_internal = true;
}

int task_start(struct bench *b, struct task *t, struct cupel_error *err)
{
	struct gather_probe *p = &b->results[t->index];
	struct cupel_error why = { 0 };
	int e = 0;

	p->probe = b->selection->probes[t->index];
	tell(b, EVENT_PROBE_START, t, NULL);
	tell_skips(b, t, 0);
	if (p->probe->command != NULL)
		e = answer_schema(p->probe, &t->schema, err);
	if (e == 0 && b->cache != NULL)
		e = cache_try(b, t, err);
	if (e < 0 || t->state == TASK_DONE)
		return e;
	e = bytes_seal(b, t, err);
	if (e < 0)
		return e;
	e = vessel_begin(b, t, &why);
	if (e == 0)
		return 0;
	/* A probe that cannot be started does not stop the others. */
	p->failure = "sandbox_failed";
	p->status = cupel_status_name(CUPEL_INTERNAL_ERROR);
	p->exit_status = 1;
	trouble_note(b, why.cause, why.what);
	return result_write(b, t, vessel_end_sentence(p->failure), err);
}

static void facts_take(struct bench *b, struct task *t,
		       const struct vessel_result *r)
{
	struct gather_probe *p = &b->results[t->index];
	const struct event_details d = { .status = cupel_status_name(r->status),
					 .wall_ms = r->duration_ms };

	p->status = d.status;
	p->exit_status = r->rc;
	p->wall_ms = r->duration_ms;
	p->rss_peak_kb = r->max_rss_kib;
	p->stdout_bytes = r->stdout_bytes;
	p->failure = p->probe->command == NULL
			     ? parse_program_end_code(r->status, r->rc)
			     : vessel_end_code(r->status);
	tell(b, EVENT_SANDBOX_EXIT, t, &d);
	if (r->status == CUPEL_CPU_LIMIT || r->status == CUPEL_MEM_LIMIT ||
	    r->status == CUPEL_OUTPUT_LIMIT ||
	    r->status == CUPEL_FILE_SIZE_LIMIT)
		tell(b, EVENT_SANDBOX_RLIMIT_EXCEEDED, t, &d);
	if (r->status == CUPEL_INTERNAL_ERROR)
		trouble_note(b, r->cause, r->message ? r->message : "");
}

/* The sanitized answer is what the cache keeps. */
static void answer_keep(struct bench *b, struct task *t)
{
	owned_buf struct buf text = { .cap_bytes = CACHE_ENTRY_BYTES };

	if (b->cache == NULL || b->inputs[t->index].has_changed)
		return;
	json_write(&b->answers[t->index].checked.value, &text);
	if (buf_has_failed(&text))
		return; /* a cut answer is none */
	tell_cache(b, t, cache_add(b->cache, t->key, text.bytes, text.len),
		   text.len);
}

/* Check what the vessel handed over.  If it is no answer, p->failure is set and
 * *why has a line.  Returns 0 or -errno. */
static int answer_judge(struct bench *b, struct task *t,
			const struct vessel_result *r, const char **why,
			struct cupel_error *err)
{
	struct answer *answer = &b->answers[t->index];
	struct gather_probe *p = &b->results[t->index];
	struct vessel_judge judge = { .limits = answer_limits(p->probe,
							      b->roots) };
	int e;

	*why = answer->why;
	if (p->failure != NULL) {
		*why = vessel_end_sentence(p->failure);
		return 0;
	}
	p->failure = "schema_failed";
	e = schema_use(b, t, &judge.schema, err);
	if (e < 0)
		return e;
	vessel_payload_read(t->attempt.run, &judge, &answer->checked);
	answer_take(p->probe, r->payload_bytes, answer);
	if (answer->is_valid) {
		p->failure = NULL;
		answer_keep(b, t);
	}
	tell_answer(b, t, answer);
	return 0;
}

int task_finish(struct bench *b, struct task *t, struct cupel_error *err)
{
	struct vessel_result result;
	const char *why = NULL;
	int e;

	vessel_read(t->attempt.run, &result);
	facts_take(b, t, &result);
	e = answer_judge(b, t, &result, &why, err);
	if (e == 0)
		e = result_write(b, t, why, err);
	attempt_done(&t->attempt);
	return e;
}

void task_done(struct task *t)
{
	attempt_done(&t->attempt);
	schema_set_free(t->schema);
	t->schema = NULL;
}
