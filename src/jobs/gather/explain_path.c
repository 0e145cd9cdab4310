/* explain_path.c -- see explain_path.h. */
#include "jobs/gather/explain_path.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/name.h"

#define NAMES_SHOWN 12U
#define NAME_SHOWN  80U /* bytes of one */

struct step {
	char *text; /* NUL-terminated */
	bool is_index;
};

struct way {
	char bytes[EXPLAIN_PATH_BYTES]; /* what the steps point into */
	struct step steps[EXPLAIN_STEPS_MAX];
	size_t len;
	bool is_pointer;
	struct buf gone; /* the part that was found */
};

static bool step_add(struct way *w, char *text, bool is_index)
{
	if (w->len == EXPLAIN_STEPS_MAX)
		return false;
	w->steps[w->len++] = (struct step){ text, is_index };
	return true;
}

/* RFC 6901: "~1" is a slash, "~0" a tilde. */
static bool unescape(char *s)
{
	char *to = s;

	for (; *s != '\0'; s++) {
		if (*s == '~' && s[1] != '0' && s[1] != '1')
			return false;
		*to++ = *s != '~' ? *s : *++s == '1' ? '/' : '~';
	}
	*to = '\0';
	return true;
}

static bool is_number(const char *s)
{
	return *s != '\0' && strspn(s, "0123456789") == strlen(s) &&
	       strlen(s) < 10 && (s[0] != '0' || s[1] == '\0');
}

static bool pointer_split(struct way *w)
{
	for (char *at = w->bytes; at != NULL;) {
		char *text = at + 1;

		at = strchr(text, '/');
		if (at != NULL)
			*at = '\0';
		if (!unescape(text) || !step_add(w, text, is_number(text)))
			return false;
	}
	return true;
}

/* Follow one name and the brackets behind it; *at moves behind them. */
static bool dotted_step(struct way *w, char **at)
{
	char *s = *at, *end = s + strcspn(s, ".[]");
	char stop = *end;

	*end = '\0';
	if (end == s || !step_add(w, s, false))
		return false;
	while (stop == '[') {
		char *digits = end + 1;

		end = strchr(digits, ']');
		if (end == NULL)
			return false;
		*end++ = '\0';
		if (!is_number(digits) || !step_add(w, digits, true))
			return false;
		stop = *end;
		*end = '\0';
	}
	*at = stop == '.' ? end + 1 : NULL;
	return stop == '.' || stop == '\0';
}

static bool path_split(struct way *w, const char *path)
{
	char *at = w->bytes;
	size_t len = strlen(path);

	if (len == 0 || len >= sizeof w->bytes)
		return false;
	memcpy(w->bytes, path, len + 1);
	w->is_pointer = path[0] == '/';
	if (w->is_pointer)
		return pointer_split(w);
	while (at != NULL)
		if (!dotted_step(w, &at))
			return false;
	return true;
}

static void name_put(struct buf *out, const char *s, size_t n)
{
	name_write(out, s, n < NAME_SHOWN ? n : NAME_SHOWN);
	buf_text(out, n < NAME_SHOWN ? "" : "...");
}

static void gone_add(struct way *w, const struct step *s)
{
	if (w->is_pointer)
		buf_char(&w->gone, '/');
	else if (!s->is_index && w->gone.len > 0)
		buf_char(&w->gone, '.');
	if (s->is_index && !w->is_pointer)
		buf_char(&w->gone, '[');
	name_put(&w->gone, s->text, strlen(s->text));
	if (s->is_index && !w->is_pointer)
		buf_char(&w->gone, ']');
}

static void members_put(const struct json_value *v, struct buf *why)
{
	size_t len = v->u.object.len;

	buf_text(why, len > 0 ? "; it has " : "; it is empty");
	for (size_t i = 0; i < len && i < NAMES_SHOWN; i++) {
		struct json_text name = v->u.object.members[i].name;

		buf_text(why, i > 0 ? ", " : "");
		name_put(why, name.bytes, name.len);
	}
	if (len > NAMES_SHOWN)
		buf_format(why, " and %zu more", len - NAMES_SHOWN);
}

/* Write one line: how far the path went, and what is there instead. */
static void tell(const struct way *w, const struct json_value *v,
		 const struct step *s, struct buf *why)
{
	static const char *const kinds[] = {
		[JSON_NULL] = "null",       [JSON_BOOL] = "true or false",
		[JSON_NUMBER] = "a number", [JSON_STRING] = "a string",
		[JSON_ARRAY] = "a list",    [JSON_OBJECT] = "an object",
	};

	if (w->gone.len > 0)
		buf_add(why, w->gone.bytes, w->gone.len);
	else
		buf_text(why, "the context");
	if (v->type == JSON_OBJECT) {
		buf_text(why, " has no '");
		name_put(why, s->text, strlen(s->text));
		buf_char(why, '\'');
		members_put(v, why);
	} else if (v->type == JSON_ARRAY && v->u.array.len > 0) {
		buf_format(why, " is a list with items [0] to [%zu], no ",
			   v->u.array.len - 1);
		name_put(why, s->text, strlen(s->text));
	} else if (v->type == JSON_ARRAY) {
		buf_text(why, " is an empty list");
	} else {
		buf_format(why, " is %s, which has nothing below it",
			   kinds[v->type]);
	}
}

static const struct json_value *item_find(const struct json_value *v,
					  const char *digits)
{
	size_t n = 0;

	for (; *digits != '\0'; digits++)
		n = n * 10 + (size_t)(*digits - '0');
	return n < v->u.array.len ? &v->u.array.items[n] : NULL;
}

/* Find what s names in v; a path with points may also name something in v's
 * slice. */
static const struct json_value *child_find(const struct way *w,
					   const struct json_value *v,
					   const struct step *s)
{
	const struct json_value *child = NULL;

	if (v->type == JSON_ARRAY)
		return s->is_index ? item_find(v, s->text) : NULL;
	if (v->type != JSON_OBJECT || (s->is_index && !w->is_pointer))
		return NULL;
	child = json_find(v, s->text);
	if (child == NULL && !w->is_pointer && json_find(v, "slice") != NULL)
		child = json_find(json_find(v, "slice"), s->text);
	return child;
}

static void found_note(struct explain_found *f, const struct json_value *child,
		       bool is_probe)
{
	const struct json_value *source = json_find(child, "source");

	if (is_probe)
		f->output = child;
	if (source != NULL && source->type == JSON_STRING)
		f->source = source->u.string;
	f->value = child;
}

static int way_follow(struct way *w, const struct json_value *context,
		      struct explain_found *f, struct buf *why)
{
	const struct json_value *probes = json_find(context, "probes");
	const struct json_value *at = context;

	if (!w->is_pointer && json_find(context, w->steps[0].text) == NULL &&
	    probes != NULL)
		at = probes;
	for (size_t i = 0; i < w->len; i++) {
		const struct json_value *child =
			child_find(w, at, &w->steps[i]);

		if (child == NULL) {
			tell(w, at, &w->steps[i], why);
			return -ENOENT;
		}
		found_note(f, child, at == probes);
		gone_add(w, &w->steps[i]);
		at = child;
	}
	return 0;
}

int explain_find(const struct json_value *context, const char *path,
		 struct explain_found *ret, struct buf *why)
{
	struct way w = { 0 };
	struct explain_found f = { 0 };
	const struct json_value *probes = json_find(context, "probes");
	int e = 0;

	if (!path_split(&w, path)) {
		buf_text(why, "'");
		name_put(why, path, strlen(path));
		buf_text(why, "' is not a path; expected "
			      "PROBE.slice.NAME[0].NAME, or a JSON Pointer");
		return -EINVAL;
	}
	e = way_follow(&w, context, &f, why);
	buf_done(&w.gone);
	if (e < 0)
		return e;
	for (size_t i = 0; f.output != NULL && i < probes->u.object.len; i++)
		if (&probes->u.object.members[i].value == f.output)
			f.probe = probes->u.object.members[i].name;
	*ret = f;
	return 0;
}
