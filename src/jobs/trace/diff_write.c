/* diff_write.c -- what is new, as JSON and for a person. */
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "jobs/trace/diff.h"
#include "jobs/trace/happened.h"
#include "jobs/trace/line.h"

static const struct {
	const char *key, *title;
} kinds[] = {
	[DIFF_EXECUTABLE] = { "new_executables", "new executables" },
	[DIFF_SHELL] = { "new_shells", "new shells" },
	[DIFF_ENDPOINT] = { "new_endpoints", "new endpoints" },
};
_Static_assert(sizeof kinds / sizeof *kinds == DIFF_KIND_MAX_,
	       "a word for every kind");

static void copy(struct jsonw *w, const struct json_value *event,
		 const char *key)
{
	const struct json_value *v = json_find(event, key);
	struct buf text = { 0 };

	if (v == NULL) {
		jsonw_null(w, key);
		return;
	}
	json_write(v, &text);
	w->out->failed |= buf_has_failed(&text);
	jsonw_raw(w, key, text.bytes != NULL ? text.bytes : "null", text.len);
	buf_done(&text);
}

static void write_item(struct jsonw *w, const struct diff_item *item,
		       const char *phase)
{
	static const char *const of_program[] = { "path",        "argv",
						  "interpreter", "sealed",
						  "pid",         "verified" };
	static const char *const of_endpoint[] = { "host", "address", "port",
						   "path", "verdict" };
	bool is_endpoint = item->kind == DIFF_ENDPOINT;
	const char *const *keys = is_endpoint ? of_endpoint : of_program;
	size_t n = is_endpoint ? sizeof of_endpoint / sizeof *of_endpoint
			       : sizeof of_program / sizeof *of_program;

	jsonw_object(w, NULL);
	if (phase != NULL)
		jsonw_text(w, "phase", phase);
	for (size_t i = 0; i < n; i++)
		copy(w, item->event, keys[i]);
	jsonw_end_object(w);
}

size_t diff_write_kind(const struct diff *d, enum diff_kind kind,
		       const char *phase, size_t most, struct jsonw *w)
{
	size_t n = 0;

	for (size_t i = 0; i < d->len; i++)
		if (d->items[i].kind == kind && n++ < most)
			write_item(w, &d->items[i], phase);
	return n;
}

void diff_write_json(const struct diff *d, struct jsonw *w)
{
	jsonw_object(w, NULL);
	for (int k = 0; k < DIFF_KIND_MAX_; k++) {
		jsonw_array(w, kinds[k].key);
		(void)diff_write_kind(d, (enum diff_kind)k, NULL, SIZE_MAX, w);
		jsonw_end_array(w);
	}
	jsonw_bool(w, "complete", d->missing_len == 0);
	jsonw_array(w, "missing");
	for (size_t i = 0; i < d->missing_len; i++)
		jsonw_text(w, NULL, d->missing[i]);
	jsonw_end_array(w);
	jsonw_end_object(w);
}

static bool has_kind(const struct diff *d, enum diff_kind kind)
{
	for (size_t i = 0; i < d->len; i++)
		if (d->items[i].kind == kind)
			return true;
	return false;
}

void diff_write_text(const struct diff *d, struct buf *out)
{
	for (int k = 0; k < DIFF_KIND_MAX_; k++) {
		enum diff_kind kind = (enum diff_kind)k;

		if (!has_kind(d, kind))
			continue;
		buf_format(out, "%s:\n", kinds[k].title);
		for (size_t i = 0; i < d->len; i++)
			if (d->items[i].kind == kind)
				line_write(d->items[i].event,
					   kind != DIFF_ENDPOINT, 2, out);
	}
	for (size_t i = 0; i < d->missing_len; i++)
		buf_format(out, "%s\n", d->missing[i]);
	if (d->len == 0 && d->missing_len == 0)
		buf_text(out, "nothing new\n");
	else if (d->len == 0)
		buf_text(out, "nothing new was seen, but what was not recorded "
			      "may be new\n");
}
