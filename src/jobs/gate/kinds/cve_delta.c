/* cve_delta.c -- finds known vulnerabilities that were not there before. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "jobs/gate/baseline.h"
#include "jobs/gate/kinds/made.h"

#define SHOWN 256U /* of what is new, and of what is gone */

/* Borrowed, sorted by id and package. */
struct list {
	const struct json_value **items;
	size_t len;
};

struct work {
	const struct kind_source *s;
	const struct json_value *now, *before; /* {source, database, items} */
	struct list all_now, all_before, added, gone;
	const char *problem;
};

/* The version is not compared.  If a package had the vulnerability before and
 * has it in its new version, that is nothing new. */
static int order(const void *a, const void *b)
{
	const struct json_value *x = *(const struct json_value *const *)a;
	const struct json_value *y = *(const struct json_value *const *)b;
	int c = strcmp(json_find(x, "id")->u.string.bytes,
		       json_find(y, "id")->u.string.bytes);

	return c != 0 ? c
		      : strcmp(json_find(x, "package")->u.string.bytes,
			       json_find(y, "package")->u.string.bytes);
}

static bool list_make(const struct json_value *v, struct arena *arena,
		      struct list *ret)
{
	const struct json_value *items =
		v != NULL ? json_find(v, "items") : NULL;
	size_t n = items != NULL ? items->u.array.len : 0;

	ret->items = arena_array(arena, n + 1, sizeof(*ret->items));
	if (ret->items == NULL)
		return false;
	for (size_t i = 0; i < n; i++)
		ret->items[i] = &items->u.array.items[i];
	ret->len = n;
	if (n > 0)
		qsort(ret->items, n, sizeof(*ret->items), order);
	return true;
}

/* The items of a that b has not. */
static bool list_subtract(const struct list *a, const struct list *b,
			  struct arena *arena, struct list *ret)
{
	ret->items = arena_array(arena, a->len + 1, sizeof(*ret->items));
	if (ret->items == NULL)
		return false;
	for (size_t i = 0; i < a->len; i++)
		if (b->len == 0 || bsearch(&a->items[i], b->items, b->len,
					   sizeof(*b->items), order) == NULL)
			ret->items[ret->len++] = a->items[i];
	return true;
}

static const struct json_value *member_find(const struct json_value *v,
					    const char *name)
{
	const struct json_value *m = v != NULL ? json_find(v, name) : NULL;

	return m != NULL && m->type != JSON_NULL ? m : NULL;
}

/* Why there is no answer, or NULL. */
static const char *problem_find(const struct work *w)
{
	const struct json_value *problem = member_find(w->now, "problem");

	if (w->now == NULL)
		return "no_report";
	if (problem != NULL)
		return problem->u.string.bytes;
	if (w->s->baseline == NULL)
		return "no_baseline";
	if (w->before == NULL || !json_equal(json_find(w->before, "source"),
					     json_find(w->now, "source")))
		return "no_before";
	return NULL;
}

/* --- details ----------------------------------------------------------------------- */

static void value_write(struct jsonw *w, const char *key,
			const struct json_value *v)
{
	owned_buf struct buf text = { 0 };

	if (v == NULL) {
		jsonw_null(w, key);
		return;
	}
	json_write(v, &text);
	w->out->failed |= buf_has_failed(&text);
	jsonw_raw(w, key, text.bytes != NULL ? text.bytes : "null", text.len);
}

static void list_write(struct jsonw *w, const char *key, const char *omitted,
		       const struct list *list)
{
	jsonw_array(w, key);
	for (size_t i = 0; i < list->len && i < SHOWN; i++)
		value_write(w, NULL, list->items[i]);
	jsonw_end_array(w);
	jsonw_uint(w, omitted, list->len > SHOWN ? list->len - SHOWN : 0);
}

static int signal_make(const struct work *w, struct gate_signal *ret)
{
	owned_buf struct buf text = { 0 };
	struct jsonw out = { .out = &text };

	jsonw_object(&out, NULL);
	value_write(&out, "source", member_find(w->now, "source"));
	value_write(&out, "database", member_find(w->now, "database"));
	value_write(&out, "database_before",
		    member_find(w->before, "database"));
	jsonw_text_or_null(&out, "baseline",
			   w->s->baseline != NULL ? w->s->baseline->hash
						  : NULL);
	jsonw_text_or_null(&out, "problem", w->problem);
	jsonw_uint(&out, "before", w->all_before.len);
	jsonw_uint(&out, "after", w->all_now.len);
	list_write(&out, "new", "new_omitted", &w->added);
	list_write(&out, "gone", "gone_omitted", &w->gone);
	jsonw_end_object(&out);
	ret->passed = w->problem == NULL && w->added.len == 0;
	return details_take(w->s, &text, ret);
}

/* The report itself is one of the attempt's artifacts, and is named there. */
static int sources_note(const struct kind_source *s, struct gate_signal *ret)
{
	static const char *const names[] = { "vulnerabilities.json",
					     "context.json" };
	bool has_phase = json_find(s->ask->params, "phase") != NULL;
	int e = has_phase ? run_note(s, phase_run_find(s, NULL), ret) : 0;

	for (size_t i = 0; e == 0 && i < s->attempt->files_len; i++)
		for (size_t k = 0; e == 0 && k < (has_phase ? 1U : 2U); k++)
			if (strcmp(s->attempt->files[i]->path, names[k]) == 0)
				e = file_note(s, s->attempt->files[i], ret);
	return e;
}

int cve_delta_build(const struct kind_source *s, struct gate_signal *ret)
{
	struct work w = { .s = s, .now = s->attempt->vulns };
	int e = sources_note(s, ret);

	if (e < 0)
		return e;
	if (s->baseline != NULL)
		w.before = member_find(&s->baseline->value, "vulnerabilities");
	w.problem = problem_find(&w);
	if (!list_make(w.now, s->arena, &w.all_now) ||
	    !list_make(w.before, s->arena, &w.all_before))
		return -ENOMEM;
	if (w.problem == NULL &&
	    (!list_subtract(&w.all_now, &w.all_before, s->arena, &w.added) ||
	     !list_subtract(&w.all_before, &w.all_now, s->arena, &w.gone)))
		return -ENOMEM;
	return signal_make(&w, ret);
}
