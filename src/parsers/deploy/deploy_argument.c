/* deploy_argument.c -- see deploy_argument.h.
 * Source: Dockerfile reference, "ARG" and "Understand how ARG and FROM interact". */
#include "parsers/deploy/deploy_argument.h"

#include "parsers/common/text_piece.h"

void deploy_argument_add(struct deploy_arguments *a, struct json_text word,
			 struct arena *arena)
{
	struct json_text value, name = text_cut(word, '=', &value);
	const char *kept;

	if (name.len == 0 || value.bytes == NULL)
		return;
	value = text_unquote(value);
	if (text_length_before(value, "$\\`\"'") < value.len)
		value = (struct json_text){ NULL, 0 };
	kept = arena_copy(arena, word.bytes, word.len);
	if (kept == NULL || a->len == DEPLOY_ARGUMENTS_MAX) {
		a->is_cut = true;
		return;
	}
	name.bytes = kept;
	if (value.bytes != NULL)
		value.bytes = kept + (value.bytes - word.bytes);
	a->items[a->len++] = (struct deploy_argument){ name, value };
}

/* The default of the variable whose name begins t, behind a '$'; *ret_len bytes of t
 * are its name.  The last ARG of that name counts. */
static struct json_text default_of(const struct deploy_arguments *a,
				   struct json_text t, size_t *ret_len)
{
	const size_t brace = text_begins(t, "{");
	struct json_text name = text_from(t, brace);
	size_t n = 0;

	while (n < name.len && text_is_word_byte(name.bytes[n]))
		n++;
	*ret_len = n + 2 * brace;
	if (!brace || text_begins(text_from(name, n), "}"))
		for (size_t i = a->len; i > 0 && n > 0; i--)
			if (text_order(a->items[i - 1].name,
				       text_first(name, n)) == 0)
				return a->items[i - 1].value;
	return (struct json_text){ NULL, 0 };
}

bool deploy_arguments_put(const struct deploy_arguments *a, struct json_text t,
			  struct buf *out)
{
	bool is_there = false;
	size_t n;

	/* One that is not kept may be the last of its name. */
	if (a->is_cut)
		return false;
	for (;;) {
		const size_t before = text_length_before(t, "$");
		struct json_text value;

		buf_add(out, t.bytes, before);
		t = text_from(t, before);
		if (t.len == 0)
			return is_there && out->len > 0 && !buf_has_failed(out);
		t = text_from(t, 1);
		value = default_of(a, t, &n);
		if (value.bytes == NULL)
			return false;
		buf_add(out, value.bytes, value.len);
		t = text_from(t, n);
		is_there = true;
	}
}
