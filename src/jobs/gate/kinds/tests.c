/* tests.c -- checks what the runner's report says against how the runner ended,
 * and against the names of the baseline. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "boundary/schema.h"
#include "jobs/gate/baseline.h"
#include "jobs/gate/checked.h"
#include "jobs/gate/kinds/made.h"
#include "jobs/gate/kinds/names.h"

#define SHOWN 100U /* names of a list; others are counted */

struct work {
	const struct kind_source *s;
	const char *phase;
	const struct gate_run *run;      /* NULL: it was not reached */
	const struct json_value *tests;  /* of the report, or NULL */
	const struct json_value *before; /* of the baseline's, or NULL */
	struct names_change change;
	uint64_t total, passed, failed, skipped;
	const char *problem;
};

static uint64_t number_of(const struct json_value *v, const char *name)
{
	const struct json_value *n = v != NULL ? json_find(v, name) : NULL;
	uint64_t value = 0;

	return n != NULL && json_read_u64(n, &value) == 0 ? value : 0;
}

static const struct json_value *object_find(const struct json_value *v,
					    const char *name)
{
	const struct json_value *o = v != NULL ? json_find(v, name) : NULL;

	return o != NULL && o->type == JSON_OBJECT ? o : NULL;
}

/* Whether our parser of reports can have written the payload. */
static bool is_report(const struct work *w, const struct json_value *payload)
{
	static const char *const refs[] = { NULL };
	struct schema_report report = { 0 };
	struct schema_fault fault = { 0 };
	struct schema_set *set = NULL;
	struct cupel_error err;
	bool fits = payload != NULL &&
		    checked_schema_make("tests", refs, &set, &err) == 0 &&
		    schema_validate(set, payload, w->s->arena, &report,
				    &fault) == 0 &&
		    report.valid;

	schema_set_free(set);
	return fits;
}

static void report_find(struct work *w)
{
	const struct json_value *result =
		w->run != NULL ? w->run->result : NULL;
	const struct json_value *status =
		result != NULL ? json_find(result, "payload_status") : NULL;
	const struct json_value *payload = object_find(result, "payload");
	const struct baseline *b = w->s->baseline;

	if (status != NULL && json_is_text(status, "valid") &&
	    is_report(w, payload))
		w->tests = object_find(payload, "tests");
	w->total = number_of(w->tests, "total");
	w->passed = number_of(w->tests, "passed");
	w->failed = number_of(w->tests, "failed");
	w->skipped = number_of(w->tests, "skipped");
	if (b != NULL)
		w->before = object_find(&b->value, "inventory");
}

/* What the report says must agree with how the command ended. */
static const char *report_judge(const struct work *w)
{
	if (w->tests == NULL)
		return "no_report";
	if (run_is_ok(w->run) && w->failed > 0)
		return "exit_disagrees";
	if (!run_is_ok(w->run) && w->failed == 0)
		return "exit_disagrees";
	if (w->passed + w->failed == 0)
		return "nothing_ran";
	return NULL;
}

/* Compare names, and only if both sides have all of them: a number says nothing
 * about which tests there are, so that empty ones could take the place of
 * others. */
static int before_compare(struct work *w)
{
	const struct json_value *old = object_find(w->before, "names");
	const struct json_value *new = object_find(w->tests, "names");

	if (old == NULL || new == NULL || number_of(old, "omitted") > 0 ||
	    number_of(new, "omitted") > 0) {
		w->problem = "names_incomplete";
		return 0;
	}
	return names_change_build(old, new, w->s->arena, &w->change);
}

/* --- the signal --------------------------------------------------------------------- */

static void list_write(struct jsonw *out, const char *key,
		       const struct names *list)
{
	char omitted[64] = "";

	jsonw_array(out, key);
	for (size_t i = 0; i < list->len && i < SHOWN; i++)
		jsonw_bytes(out, NULL, list->items[i].bytes,
			    list->items[i].len);
	jsonw_end_array(out);
	memcpy(omitted, key, strlen(key));
	memcpy(omitted + strlen(key), "_omitted", sizeof "_omitted");
	jsonw_uint(out, omitted, list->len > SHOWN ? list->len - SHOWN : 0);
}

static void copy(struct jsonw *out, const struct json_value *v,
		 const char *name)
{
	const struct json_value *m = v != NULL ? json_find(v, name) : NULL;
	owned_buf struct buf text = { 0 };

	if (m == NULL) {
		jsonw_null(out, name);
		return;
	}
	json_write(m, &text);
	out->out->failed |= buf_has_failed(&text);
	jsonw_raw(out, name, text.bytes != NULL ? text.bytes : "null",
		  text.len);
}

static void failures_write(struct jsonw *out, const struct json_value *tests)
{
	const struct json_value *list =
		tests != NULL ? json_find(tests, "failures") : NULL;
	size_t len = list != NULL && list->type == JSON_ARRAY
			     ? list->u.array.len
			     : 0;

	jsonw_array(out, "failures");
	for (size_t i = 0; i < len && i < SHOWN; i++) {
		const struct json_value *name = &list->u.array.items[i];

		if (name->type == JSON_STRING)
			jsonw_bytes(out, NULL, name->u.string.bytes,
				    name->u.string.len);
	}
	jsonw_end_array(out);
	jsonw_uint(out, "failures_omitted",
		   number_of(tests, "failures_omitted") +
			   (len > SHOWN ? len - SHOWN : 0));
}

static void change_write(const struct work *w, struct jsonw *out)
{
	int64_t delta =
		(int64_t)w->total - (int64_t)number_of(w->before, "total");

	jsonw_text_or_null(out, "baseline",
			   w->s->baseline != NULL ? w->s->baseline->hash
						  : NULL);
	if (w->before != NULL && w->tests != NULL)
		jsonw_int(out, "delta_test_count", delta);
	else
		jsonw_null(out, "delta_test_count");
	jsonw_uint(out, "added", w->change.added);
	list_write(out, "gone", &w->change.gone);
	list_write(out, "newly_skipped", &w->change.skipped);
}

static int signal_make(const struct work *w, struct gate_signal *ret)
{
	owned_buf struct buf text = { 0 };
	struct jsonw out = { .out = &text };

	jsonw_object(&out, NULL);
	ran_write(w->phase, w->run, &out);
	jsonw_text_or_null(&out, "problem", w->problem);
	jsonw_text_or_null(&out, "payload_status",
			   run_text_find(w->run, "payload_status"));
	copy(&out, w->tests, "format");
	jsonw_uint(&out, "total", w->total);
	jsonw_uint(&out, "passed", w->passed);
	jsonw_uint(&out, "failed", w->failed);
	jsonw_uint(&out, "skipped", w->skipped);
	failures_write(&out, w->tests);
	copy(&out, w->tests, "inventory_hash");
	change_write(w, &out);
	jsonw_end_object(&out);
	ret->passed = w->run != NULL && run_is_ok(w->run) && w->tests != NULL &&
		      w->problem == NULL && w->failed == 0 &&
		      w->change.gone.len == 0 && w->change.skipped.len == 0;
	return details_take(w->s, &text, ret);
}

int tests_build(const struct kind_source *s, struct gate_signal *ret)
{
	struct work w = { .s = s };
	int e;

	w.run = phase_run_find(s, &w.phase);
	e = run_note(s, w.run, ret);
	if (e < 0)
		return e;
	report_find(&w);
	if (w.run != NULL)
		w.problem = report_judge(&w);
	if (w.before != NULL && w.tests != NULL)
		e = before_compare(&w);
	return e < 0 ? e : signal_make(&w, ret);
}
