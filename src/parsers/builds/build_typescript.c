/* build_typescript.c -- every tsconfig*.json with its effective options. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "parsers/builds/build_typescript.h"
#include "parsers/common/jsonc.h"

#define VALUE_BYTES ((size_t)16 << 10) /* of one option's value */

static bool is_listed(const struct parse_input *in)
{
	struct json_text base;

	base.bytes = input_base(in, &base.len);
	return text_begins(base, "tsconfig") && text_ends(base, ".json") &&
	       !in->is_name_only && !input_is_installed(in);
}

static bool may_be_one(const struct parse_input *in)
{
	struct json_text base;

	base.bytes = input_base(in, &base.len);
	return text_ends(base, ".json") && !in->is_name_only;
}

struct ts_file *build_ts_file_find(struct ts *t, const struct parse_input *in)
{
	struct build *b = t->build;
	size_t from = 0, to = t->files_len;
	struct ts_file *c;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (t->files[mid].in < in)
			from = mid + 1;
		else
			to = mid;
	}
	if (from == t->files_len || t->files[from].in != in)
		return NULL;
	c = &t->files[from];
	if (!c->is_read)
		c->is_bad = jsonc_read(in, &b->project.arena,
				       project_memory(&b->project), &c->tree,
				       b->report) < 0;
	c->is_read = true;
	return c->is_bad ? NULL : c;
}

static int option_order(const void *x, const void *y)
{
	const struct ts_option *a = x, *b = y;
	int c = text_order(a->name, b->name);

	return c != 0 ? c : (a->order > b->order) - (a->order < b->order);
}

static bool is_scalar(const struct json_value *v)
{
	return v->type != JSON_ARRAY && v->type != JSON_OBJECT;
}

static bool is_flat(const struct json_value *v)
{
	if (v->type != JSON_ARRAY)
		return is_scalar(v);
	for (size_t i = 0; i < v->u.array.len; i++)
		if (!is_scalar(&v->u.array.items[i]))
			return false;
	return true;
}

/* Scalars and lists of scalars are written as they are.  A value with names in
 * it becomes JSON in a string, because names from the repository are never
 * fields of ours. */
static void value_put(struct jsonw *w, const struct json_value *v)
{
	owned_buf struct buf text = { .cap_bytes = VALUE_BYTES };

	json_write(v, &text);
	if (buf_has_failed(&text)) {
		jsonw_null(w, "value");
		jsonw_text(w, "encoding", "omitted");
	} else if (is_flat(v)) {
		jsonw_raw(w, "value", text.bytes, text.len);
	} else {
		jsonw_bytes(w, "value", text.bytes, text.len);
		jsonw_text(w, "encoding", "json");
	}
}

static void options_put(struct ts *t, struct jsonw *w)
{
	if (t->options_len > 0)
		qsort(t->options, t->options_len, sizeof *t->options,
		      option_order);
	jsonw_array(w, "options");
	for (size_t i = 0; i < t->options_len; i++) {
		const struct ts_option *o = &t->options[i];

		if (i + 1 < t->options_len &&
		    text_order(o->name, o[1].name) == 0)
			continue; /* a later file overrides it */
		if (o->name.len > VALUE_BYTES)
			continue;
		jsonw_object(w, NULL);
		jsonw_bytes(w, "name", o->name.bytes, o->name.len);
		value_put(w, o->value);
		source_write(w, "source", o->in);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void extends_put(struct ts *t, struct jsonw *w, const struct ts_file *c)
{
	const struct json_value *v = json_find(&c->tree, "extends");
	struct parse_report *r = t->build->report;

	if (v == NULL || v->type != JSON_ARRAY) {
		text_put(w, "extends", parse_text(v, c->in, r));
		return;
	}
	jsonw_array(w, "extends");
	for (size_t i = 0; i < v->u.array.len; i++) {
		struct json_text text =
			parse_text(&v->u.array.items[i], c->in, r);

		if (text.bytes != NULL)
			text_put(w, NULL, text);
	}
	jsonw_end_array(w);
}

static void references_put(struct ts *t, struct jsonw *w,
			   const struct ts_file *c)
{
	const struct json_value *v = json_find(&c->tree, "references");

	jsonw_array(w, "references");
	for (size_t i = 0;
	     v != NULL && v->type == JSON_ARRAY && i < v->u.array.len; i++) {
		struct json_text text =
			parse_text(json_find(&v->u.array.items[i], "path"),
				   c->in, t->build->report);

		if (text.bytes != NULL)
			text_put(w, NULL, text);
	}
	jsonw_end_array(w);
}

static void file_put(struct ts *t, const struct ts_file *c)
{
	struct slice_list *list = &t->build->lists[BUILD_TYPESCRIPT];
	owned_buf struct buf path = { 0 };
	struct jsonw *w = slice_item(list);

	name_write(&path, c->in->name, c->in->name_len);
	jsonw_text(w, "path", path.bytes ? path.bytes : "");
	extends_put(t, w, c);
	jsonw_array(w, "chain");
	for (size_t i = 0; i < t->chain_len; i++)
		source_write(w, NULL, t->chain[i]);
	jsonw_end_array(w);
	options_put(t, w);
	references_put(t, w, c);
	source_write(w, "source", c->in);
	slice_item_end(list);
}

static void file_read(struct ts *t, const struct parse_input *in)
{
	struct ts_file *c = build_ts_file_find(t, in);

	if (c == NULL || slice_is_full(&t->build->lists[BUILD_TYPESCRIPT]))
		return;
	t->options_len = 0;
	t->chain_len = 0;
	t->is_cut = false;
	build_ts_collect(t, c, 0);
	if (t->is_cut)
		report_note(&t->build->report->warnings, "extends_cut", in, -1,
			    "extends too many files to follow them all");
	file_put(t, c);
}

int build_typescript_read(struct build *b)
{
	const struct parse_inputs *inputs = b->project.inputs;
	struct ts t = { .build = b };

	t.files = calloc(inputs->len + 1, sizeof *t.files);
	t.options = calloc(TS_OPTIONS_MAX, sizeof *t.options);
	if (t.files != NULL && t.options != NULL) {
		for (size_t i = 0; i < inputs->len; i++)
			if (may_be_one(&inputs->items[i]))
				t.files[t.files_len++].in = &inputs->items[i];
		for (size_t i = 0; i < inputs->len; i++)
			if (is_listed(&inputs->items[i]))
				file_read(&t, &inputs->items[i]);
	}
	free(t.files);
	free(t.options);
	return t.files != NULL && t.options != NULL ? 0 : -ENOMEM;
}
