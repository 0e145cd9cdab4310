/* json_diff.c -- see json_diff.h. */
#include "golden/json_diff.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "boundary/json.h"

#define DIFF_BYTES ((size_t)64 << 20) /* more than any golden text takes */

/* Texts in order, and which of them the other side has too. */
struct texts {
	const char **at;
	bool *kept;
	size_t len;
};

static void *take(struct arena *arena, size_t n)
{
	void *p = arena_alloc(arena, n);

	if (p == NULL)
		abort();
	return p;
}

static struct texts texts_make(struct arena *arena, size_t len)
{
	return (struct texts){ .at = take(arena, len * sizeof(char *)),
			       .kept = take(arena, len * sizeof(bool)),
			       .len = len };
}

static bool is_same(const struct texts *a, size_t i, const struct texts *b,
		    size_t k)
{
	return strcmp(a->at[i], b->at[k]) == 0;
}

/* Mark the longest sequence that both have in this order: n[i][k] is its length
 * from a's i-th and b's k-th text on. */
static void texts_match(struct arena *arena, struct texts *a, struct texts *b)
{
	size_t wide = b->len + 1, i, k;
	size_t *n = take(arena, (a->len + 1) * wide * sizeof *n);

	for (i = a->len; i-- > 0;)
		for (k = b->len; k-- > 0;) {
			size_t down = n[(i + 1) * wide + k];
			size_t right = n[i * wide + k + 1];

			n[i * wide + k] =
				is_same(a, i, b, k)
					? n[(i + 1) * wide + k + 1] + 1
				: down > right ? down
					       : right;
		}
	for (i = 0, k = 0; i < a->len && k < b->len;) {
		if (is_same(a, i, b, k))
			a->kept[i++] = b->kept[k++] = true;
		else if (n[(i + 1) * wide + k] >= n[i * wide + k + 1])
			i++;
		else
			k++;
	}
}

/* One comparison of two values, and where in them it is. */
struct diff {
	struct arena arena;
	struct buf path;
	struct buf *out;
};

static const char *text_of(struct diff *d, const struct json_value *v)
{
	owned_buf struct buf b = { 0 };
	const char *text;

	json_write(v, &b);
	text = arena_text(&d->arena, b.bytes);
	if (text == NULL)
		abort();
	return text;
}

static size_t items_len(const struct json_value *v)
{
	return v->type == JSON_OBJECT ? v->u.object.len : v->u.array.len;
}

/* What an item is known by: its name in an object, its text in an array. */
static struct texts texts_of(struct diff *d, const struct json_value *v)
{
	struct texts t = texts_make(&d->arena, items_len(v));

	for (size_t i = 0; i < t.len; i++) {
		struct json_value name = { .type = JSON_STRING };

		if (v->type == JSON_OBJECT)
			name.u.string = v->u.object.members[i].name;
		t.at[i] = text_of(d, v->type == JSON_OBJECT
					     ? &name
					     : &v->u.array.items[i]);
	}
	return t;
}

static void path_write(struct diff *d)
{
	buf_text(d->out, d->path.len > 0 ? d->path.bytes : "/");
}

/* Where the items of from are that begin with the i-th. */
static void place_write(struct diff *d, const struct texts *from, size_t i)
{
	size_t same = 0, until = 0;

	path_write(d);
	if (i == 0) {
		buf_text(d->out, " at its start:\n");
		return;
	}
	for (size_t k = 0; k < from->len; k++)
		if (is_same(from, i - 1, from, k)) {
			same++;
			until += k < i;
		}
	buf_format(d->out, " after %s", from->at[i - 1]);
	if (same > 1)
		buf_format(d->out, " (%zu of %zu)", until, same);
	buf_text(d->out, ":\n");
}

static void item_write(struct diff *d, const char *sign,
		       const struct json_value *v, const struct texts *t,
		       size_t i)
{
	buf_format(d->out, "%s %s", sign, t->at[i]);
	if (v->type == JSON_OBJECT)
		buf_format(d->out, ": %s",
			   text_of(d, &v->u.object.members[i].value));
	buf_char(d->out, '\n');
}

static void value_diff(struct diff *d, const struct json_value *from,
		       const struct json_value *to);

/* A name that both objects have. */
static void member_diff(struct diff *d, const struct json_member *from,
			const struct json_member *to)
{
	size_t len = d->path.len;

	buf_format(&d->path, "/%s", from->name.bytes);
	value_diff(d, &from->value, &to->value);
	d->path.len = len;
	d->path.bytes[len] = '\0';
}

static void items_diff(struct diff *d, const struct json_value *from,
		       const struct json_value *to)
{
	struct texts a = texts_of(d, from), b = texts_of(d, to);
	bool is_placed = false;

	texts_match(&d->arena, &a, &b);
	for (size_t i = 0, k = 0; i < a.len || k < b.len;) {
		bool is_lost = i < a.len && !a.kept[i];

		if (!is_lost && (k == b.len || b.kept[k])) {
			if (from->type == JSON_OBJECT)
				member_diff(d, &from->u.object.members[i],
					    &to->u.object.members[k]);
			is_placed = false;
			i++;
			k++;
			continue;
		}
		if (!is_placed)
			place_write(d, &a, i);
		is_placed = true;
		if (is_lost)
			item_write(d, "-", from, &a, i++);
		else
			item_write(d, "+", to, &b, k++);
	}
}

static void value_diff(struct diff *d, const struct json_value *from,
		       const struct json_value *to)
{
	const char *was, *is;

	if (from->type == to->type &&
	    (from->type == JSON_OBJECT || from->type == JSON_ARRAY)) {
		items_diff(d, from, to);
		return;
	}
	was = text_of(d, from);
	is = text_of(d, to);
	if (strcmp(was, is) == 0)
		return;
	path_write(d);
	buf_format(d->out, ": %s -> %s\n", was, is);
}

void json_diff_write(const struct json_value *from, const struct json_value *to,
		     struct buf *out)
{
	struct diff d = { .arena.cap_bytes = DIFF_BYTES, .out = out };

	value_diff(&d, from, to);
	buf_done(&d.path);
	arena_done(&d.arena);
}

static struct texts lines_of(struct arena *arena, const char *text)
{
	struct texts t;
	size_t len = 0;
	char *at = take(arena, strlen(text) + 1);

	memcpy(at, text, strlen(text));
	for (const char *p = at; (p = strchr(p, '\n')) != NULL; p++)
		len++;
	t = texts_make(arena, len);
	for (size_t i = 0; i < len; i++) {
		t.at[i] = at;
		at = strchr(at, '\n');
		*at++ = '\0';
	}
	return t;
}

/* Whether a line is an item below a path. */
static bool is_item(const char *line)
{
	return line[0] == '-' || line[0] == '+' || line[0] == ' ';
}

/* A line that one side has, below the path that it belongs to. */
static void line_write(struct buf *out, char sign, const struct texts *t,
		       size_t i, const char **path)
{
	size_t head = i;

	while (head > 0 && is_item(t->at[head]))
		head--;
	if (head < i && t->kept[head] &&
	    (*path == NULL || strcmp(*path, t->at[head]) != 0))
		buf_format(out, "#   %s\n", t->at[head]);
	*path = head < i ? t->at[head] : NULL;
	buf_format(out, "# %c %s\n", sign, t->at[i]);
}

void lines_diff_write(const char *from, const char *to, struct buf *out)
{
	struct arena arena = { .cap_bytes = DIFF_BYTES };
	struct texts a = lines_of(&arena, from), b = lines_of(&arena, to);
	const char *path = NULL;

	texts_match(&arena, &a, &b);
	for (size_t i = 0, k = 0; i < a.len || k < b.len;) {
		if (i < a.len && !a.kept[i]) {
			line_write(out, '-', &a, i++, &path);
		} else if (k < b.len && !b.kept[k]) {
			line_write(out, '+', &b, k++, &path);
		} else {
			i++;
			k++;
		}
	}
	arena_done(&arena);
}
