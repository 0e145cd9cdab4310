/* slice_list.c -- lists of facts that share one slice.  See slice_list.h. */
#include "parsers/common/slice_list.h"

#include <stdio.h>
#include <string.h>

struct jsonw *slice_item(struct slice_list *l)
{
	if (l->out.out == NULL) {
		l->text.cap_bytes = PARSE_SLICE_BYTES;
		l->out.out = &l->text;
	}
	l->mark = l->text.len;
	l->had_items = l->out.has_items;
	jsonw_object(&l->out, NULL);
	return &l->out;
}

void slice_item_end(struct slice_list *l)
{
	jsonw_end_object(&l->out);
	if (!l->is_cut && !buf_has_failed(&l->text) &&
	    (l->cap == 0 || l->len < l->cap)) {
		l->len++;
		return;
	}
	l->is_cut = true;
	l->text.failed = false;
	l->text.len = l->mark;
	l->out.has_items = l->had_items;
}

bool slice_is_full(struct slice_list *l)
{
	if (l->cap > 0 && l->len >= l->cap)
		l->is_cut = true;
	return l->is_cut;
}

/* The largest share of bytes for one list such that all lists together fit into
 * budget.  What short lists leave goes to the long ones. */
static size_t share_find(const struct slice_list *lists, size_t len,
			 size_t budget)
{
	size_t share = budget / len;

	for (size_t round = 0; round < len; round++) {
		size_t used = 0, longer = 0;

		for (size_t i = 0; i < len; i++) {
			if (lists[i].text.len > share)
				longer++;
			else
				used += lists[i].text.len;
		}
		if (longer == 0)
			return budget;
		share = (budget - used) / longer;
	}
	return share;
}

/* Length of the first items that fit in share bytes.  Our own writer wrote the
 * text, so brackets outside strings pair up. */
static size_t items_fit(const struct buf *text, size_t share)
{
	size_t fits = 0, depth = 0;
	bool in_string = false;

	for (size_t i = 0; i < text->len && i <= share; i++) {
		char c = text->bytes[i];

		if (in_string) {
			if (c == '\\')
				i++;
			else if (c == '"')
				in_string = false;
			continue;
		}
		in_string = c == '"';
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		if (depth == 0 && c == '}' && i < share)
			fits = i + 1;
	}
	return fits;
}

static void cut_note(const struct slice_list *l, struct parse_report *r)
{
	char text[96];

	(void)snprintf(text, sizeof text,
		       "%s: there are too many items, the rest is left out",
		       l->key);
	report_note(&r->warnings, "truncated", NULL, -1, text);
}

void slice_lists_write(struct slice_list *lists, size_t len, size_t budget,
		       struct jsonw *w, struct parse_report *r)
{
	size_t share = share_find(lists, len, budget);

	for (size_t i = 0; i < len; i++) {
		struct slice_list *l = &lists[i];
		size_t fits = l->text.len;

		if (fits > share)
			fits = items_fit(&l->text, share);
		if (fits < l->text.len || l->is_cut)
			cut_note(l, r);
		jsonw_array(w, l->key);
		if (fits > 0)
			jsonw_raw(w, NULL, l->text.bytes, fits);
		jsonw_end_array(w);
	}
}

void slice_lists_done(struct slice_list *lists, size_t len)
{
	for (size_t i = 0; i < len; i++)
		buf_done(&lists[i].text);
}
