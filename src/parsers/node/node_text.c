/* node_text.c -- small things done to texts and paths. */
#include <string.h>

#include "parsers/node/node.h"

static bool stands_at(const struct parse_input *in, size_t at,
		      struct json_text t)
{
	return at <= in->len && t.len <= in->len - at &&
	       memcmp(in->bytes + at, t.bytes, t.len) == 0;
}

struct json_text node_text_keep(struct node *n, const struct parse_input *in,
				size_t at, struct json_text t)
{
	if (t.bytes == NULL)
		return t;
	if (at < in->len && (in->bytes[at] == '"' || in->bytes[at] == '\''))
		at++;
	if (t.len > 0 && stands_at(in, at, t)) {
		t.bytes = in->bytes + at;
		return t;
	}
	t.bytes = arena_copy(&n->facts, t.bytes, t.len);
	if (t.bytes == NULL && !n->has_lost) {
		n->has_lost = true;
		report_note(&n->report->errors, "memory", in, (int64_t)at,
			    "no room for more names; the rest is not compared");
	}
	return t;
}

struct node_mark node_mark_of(const struct jsonw *w)
{
	return (struct node_mark){ w->out->len, w->depth, w->has_items };
}

bool node_mark_cut(struct jsonw *w, struct node_mark mark, size_t cap_bytes)
{
	if (!buf_has_failed(w->out) && w->out->len <= cap_bytes)
		return false;
	/* What did not fit is no failure of the whole. */
	w->out->failed = w->out->bytes == NULL;
	w->out->len = mark.len;
	w->depth = mark.depth;
	w->has_items = mark.has_items;
	return true;
}

void node_text_split(struct json_text t, struct json_text *ret_name,
		     struct json_text *ret_range)
{
	const char *mark =
		t.len > 1 ? memchr(t.bytes + 1, '@', t.len - 1) : NULL;
	size_t len = mark != NULL ? (size_t)(mark - t.bytes) : t.len;

	*ret_name = (struct json_text){ t.bytes, len };
	*ret_range = (struct json_text){ mark ? mark + 1 : NULL,
					 mark ? t.len - len - 1 : 0 };
}

/* Drop the last segment; false when there is none. */
static bool segment_drop(struct buf *out)
{
	const char *slash;

	if (out->len == 0)
		return false;
	slash = memrchr(out->bytes, '/', out->len);
	out->len = slash != NULL ? (size_t)(slash - out->bytes) : 0;
	return true;
}

static bool segments_add(struct buf *out, struct json_text path)
{
	const char *at = path.bytes, *end = path.bytes + path.len;

	while (at < end) {
		const char *slash = memchr(at, '/', (size_t)(end - at));
		struct json_text s = { at,
				       (size_t)((slash ? slash : end) - at) };

		at = slash != NULL ? slash + 1 : end;
		if (s.len == 0 || text_is(s, "."))
			continue;
		if (text_is(s, "..")) {
			if (!segment_drop(out))
				return false;
			continue;
		}
		if (out->len > 0)
			buf_char(out, '/');
		buf_add(out, s.bytes, s.len);
	}
	return !buf_has_failed(out);
}

bool node_path_join(struct buf *out, struct json_text dir,
		    struct json_text path)
{
	if (path.len > 0 && path.bytes[0] == '/')
		return false;
	return segments_add(out, dir) && segments_add(out, path);
}
