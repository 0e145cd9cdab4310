/* ci_flow.c -- writes the lists of one workflow into the slice.  See ci.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/ci/ci.h"
#include "parsers/common/address_clean.h"

#define BLOCK_BYTES ((size_t)4 << 10) /* a line is counted from the block's */

static const char *const list_keys[CI_LIST_MAX_] = {
	[CI_TRIGGERS] = "triggers",   [CI_FILTERS] = "trigger_filters",
	[CI_JOBS] = "jobs",           [CI_HIDDEN] = "hidden_jobs",
	[CI_STAGES] = "stages",       [CI_USES] = "uses",
	[CI_RUNS_ON] = "runs_on",     [CI_IMAGES] = "image_builds",
	[CI_TESTS] = "test_commands",
};

struct json_text ci_text(struct ci_flow *f, const struct yaml_node *n)
{
	return yaml_text(n, f->in, f->ci->report);
}

void ci_flow_open(struct ci_flow *f, struct ci *ci, enum ci_provider provider,
		  const struct parse_input *in)
{
	*f = (struct ci_flow){
		.ci = ci, .in = in, .provider = provider, .kind = "workflow"
	};
	for (size_t i = 0; i < CI_LIST_MAX_; i++) {
		f->lists[i].key = list_keys[i];
		f->lists[i].text.cap_bytes = CI_LIST_BYTES;
		f->lists[i].out.out = &f->lists[i].text;
	}
}

static void list_write(struct ci_flow *f, struct slice_list *l, struct jsonw *w)
{
	char text[80];

	jsonw_array(w, l->key);
	if (l->text.len > 0)
		jsonw_raw(w, NULL, l->text.bytes, l->text.len);
	jsonw_end_array(w);
	if (!l->is_cut)
		return;
	(void)snprintf(text, sizeof text,
		       "%s: more than 64 KiB of them, the rest is left out",
		       l->key);
	report_note(&f->ci->report->warnings, "truncated", f->in, -1, text);
}

void ci_flow_close(struct ci_flow *f)
{
	struct jsonw *w = slice_item(&f->ci->flows);

	jsonw_text(w, "provider", ci_provider_names[f->provider]);
	text_put(w, "name", f->name);
	jsonw_text(w, "kind", f->kind);
	source_write(w, "source", f->in);
	for (size_t i = 0; i < CI_LIST_MAX_; i++)
		list_write(f, &f->lists[i], w);
	slice_item_end(&f->ci->flows);
	slice_lists_done(f->lists, CI_LIST_MAX_);
}

/* Count the line ends before each block, once for each file. */
static bool ends_count(struct ci *ci, const struct parse_input *in)
{
	const size_t blocks = in->len / BLOCK_BYTES + 1;
	uint32_t ends = 0;

	if (ci->placed == in)
		return true;
	free(ci->ends);
	ci->placed = NULL;
	ci->ends = calloc(blocks, sizeof *ci->ends);
	if (ci->ends == NULL)
		return false;
	for (size_t i = 0; i < in->len; i++) {
		if (i % BLOCK_BYTES == 0)
			ci->ends[i / BLOCK_BYTES] = ends;
		ends += in->bytes[i] == '\n';
	}
	ci->placed = in;
	return true;
}

size_t ci_flow_line(struct ci_flow *f, size_t offset)
{
	const struct parse_input *in = f->in;
	size_t line, block = offset / BLOCK_BYTES;

	if (!ends_count(f->ci, in) || offset >= in->len)
		return 1;
	line = f->ci->ends[block] + 1;
	for (size_t i = block * BLOCK_BYTES; i < offset; i++)
		line += in->bytes[i] == '\n';
	return line;
}

void ci_flow_text(struct ci_flow *f, enum ci_list list, struct json_text t)
{
	struct slice_list *l = &f->lists[list];
	const size_t mark = l->text.len;
	const bool had_items = l->out.has_items;

	if (t.bytes == NULL || l->is_cut)
		return;
	jsonw_bytes(&l->out, NULL, t.bytes, t.len);
	l->len++;
	if (!buf_has_failed(&l->text))
		return;
	l->is_cut = true;
	l->text.failed = false;
	l->text.len = mark;
	l->out.has_items = had_items;
	l->len--;
}

void ci_flow_texts(struct ci_flow *f, enum ci_list list,
		   const struct yaml_node *n)
{
	if (n == NULL || n->type == YAML_MAPPING)
		return;
	if (n->type == YAML_SCALAR) {
		ci_flow_text(f, list, ci_text(f, n));
		return;
	}
	for (size_t i = 0; i < n->u.sequence.len; i++)
		ci_flow_text(f, list, ci_text(f, n->u.sequence.items[i]));
}

struct jsonw *ci_flow_item(struct ci_flow *f, enum ci_list list, size_t line)
{
	struct jsonw *w = slice_item(&f->lists[list]);

	text_put(w, "job", f->job);
	jsonw_uint(w, "line", line);
	source_write(w, "source", f->in);
	return w;
}

void ci_flow_item_end(struct ci_flow *f, enum ci_list list)
{
	slice_item_end(&f->lists[list]);
}

static void named_add(struct ci_flow *f, enum ci_list list, const char *kind,
		      struct json_text t, size_t line)
{
	struct jsonw *w;

	if (t.bytes == NULL || f->lists[list].is_cut)
		return;
	w = ci_flow_item(f, list, line);
	jsonw_text(w, "kind", kind);
	address_put(w, "name", t, ADDRESS_TEXT);
	ci_flow_item_end(f, list);
}

void ci_flow_fact_uses(struct ci_flow *f, const char *kind, struct json_text t,
		       size_t line)
{
	named_add(f, CI_USES, kind, t, line);
}

void ci_flow_fact_runs_on(struct ci_flow *f, const char *kind,
			  struct json_text t, size_t line)
{
	named_add(f, CI_RUNS_ON, kind, t, line);
}

void ci_flow_uses(struct ci_flow *f, const char *kind,
		  const struct yaml_node *n)
{
	struct json_text t = ci_text(f, n);

	if (t.bytes != NULL)
		named_add(f, CI_USES, kind, t, ci_flow_line(f, n->offset));
}

void ci_flow_runs_on(struct ci_flow *f, const char *kind,
		     const struct yaml_node *n)
{
	struct json_text t;

	if (n != NULL && n->type == YAML_SEQUENCE) {
		for (size_t i = 0; i < n->u.sequence.len; i++)
			if (n->u.sequence.items[i]->type == YAML_SCALAR)
				ci_flow_runs_on(f, kind,
						n->u.sequence.items[i]);
		return;
	}
	t = ci_text(f, n);
	if (t.bytes != NULL)
		named_add(f, CI_RUNS_ON, kind, t, ci_flow_line(f, n->offset));
}

void ci_flow_image(struct ci_flow *f, const char *kind,
		   const struct yaml_node *n, const char *key)
{
	if (n != NULL && n->type == YAML_MAPPING)
		n = yaml_find(n, key);
	ci_flow_runs_on(f, kind, n);
}

void ci_flow_filter(struct ci_flow *f, struct json_text trigger,
		    const char *filter, const struct yaml_node *n)
{
	struct json_text value;

	if (n != NULL && n->type == YAML_SEQUENCE) {
		for (size_t i = 0; i < n->u.sequence.len; i++)
			if (n->u.sequence.items[i]->type == YAML_SCALAR)
				ci_flow_filter(f, trigger, filter,
					       n->u.sequence.items[i]);
		return;
	}
	value = ci_text(f, n);
	if (value.bytes != NULL)
		ci_flow_fact_filter(f, trigger, filter, value,
				    ci_flow_line(f, n->offset));
}

void ci_flow_fact_filter(struct ci_flow *f, struct json_text trigger,
			 const char *filter, struct json_text value,
			 size_t line)
{
	struct jsonw *w;

	if (trigger.bytes == NULL || f->lists[CI_FILTERS].is_cut)
		return;
	w = slice_item(&f->lists[CI_FILTERS]);
	jsonw_bytes(w, "trigger", trigger.bytes, trigger.len);
	jsonw_text(w, "filter", filter);
	jsonw_bytes(w, "value", value.bytes, value.len);
	jsonw_uint(w, "line", line);
	source_write(w, "source", f->in);
	slice_item_end(&f->lists[CI_FILTERS]);
}
