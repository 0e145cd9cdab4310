/* json_at.h -- JSON compared by path, with the strict reader of the boundary.
 *
 *	ok_json(text, "/enforced/seccomp/applied", "true");
 *	ok_json(text, "/slice/packages/ANY", "{\"name\":\"a\",\"line\":3}");
 *	ok_no_json(text, "{\"name\":\"b\"}");
 *
 * A path is a JSON Pointer (RFC 6901) in which ANY stands for some element of
 * an array or some member of an object, and ALL, as a first word, for whatever
 * is anywhere in the text.  What is wanted is JSON too: an object is matched by
 * one that has at least its members, anything else by its equal (json_equal). */
#ifndef CUPEL_TESTS_JSON_AT_H
#define CUPEL_TESTS_JSON_AT_H

#include <stdlib.h>

#include "boundary/json.h"
#include "tap.h"

#define JSON_AT_BYTES ((size_t)64 << 20) /* more than any test makes */
#define JSON_AT_NAME  256                /* a name in a path, with its NUL */

static inline bool json_at_parse(const char *text, struct arena *arena,
				 struct json_value *ret)
{
	struct json_caps caps = { .text_bytes = JSON_AT_BYTES,
				  .string_bytes = JSON_AT_BYTES };
	struct json_error err;

	if (json_parse(text, strlen(text), &caps, arena, ret, &err) == 0)
		return true;
	fprintf(stderr, "# %s at byte %zu of: %.200s\n",
		json_code_name(err.code), err.offset, text);
	return false;
}

/* Whether v is what want asks for; objects may have more members. */
static inline bool json_at_match(const struct json_value *v,
				 const struct json_value *want)
{
	if (want->type != v->type)
		return false;
	if (want->type == JSON_ARRAY) {
		if (want->u.array.len != v->u.array.len)
			return false;
		for (size_t i = 0; i < want->u.array.len; i++) {
			if (!json_at_match(&v->u.array.items[i],
					   &want->u.array.items[i]))
				return false;
		}
		return true;
	}
	if (want->type != JSON_OBJECT)
		return json_equal(v, want);
	for (size_t i = 0; i < want->u.object.len; i++) {
		const struct json_member *m = &want->u.object.members[i];
		const struct json_value *got =
			json_find_bytes(v, m->name.bytes, m->name.len);

		if (got == NULL || !json_at_match(got, &m->value))
			return false;
	}
	return true;
}

/* The i-th value directly below v, or NULL. */
static inline const struct json_value *json_at_child(const struct json_value *v,
						     size_t i)
{
	if (v->type == JSON_ARRAY && i < v->u.array.len)
		return &v->u.array.items[i];
	if (v->type == JSON_OBJECT && i < v->u.object.len)
		return &v->u.object.members[i].value;
	return NULL;
}

/* The first word of path, unescaped; returns what comes after it. */
static inline const char *json_at_word(const char *path, char *ret)
{
	size_t n = 0;

	for (path++; *path != '\0' && *path != '/'; path++) {
		bool escaped = path[0] == '~' && path[1] != '\0';

		if (n + 1 < JSON_AT_NAME)
			ret[n++] = !escaped         ? *path
				   : *++path == '1' ? '/'
						    : '~';
	}
	ret[n] = '\0';
	return path;
}

static inline size_t json_at_below(const struct json_value *v, const char *path,
				   const struct json_value *want);

/* How many values below v match want at path; all: at any depth. */
static inline size_t json_at_any(const struct json_value *v, const char *path,
				 const struct json_value *want, bool all)
{
	const struct json_value *child;
	size_t n = 0;

	for (size_t i = 0; (child = json_at_child(v, i)) != NULL; i++) {
		n += json_at_below(child, path, want);
		if (all)
			n += json_at_any(child, path, want, true);
	}
	return n;
}

static inline size_t json_at_below(const struct json_value *v, const char *path,
				   const struct json_value *want)
{
	char word[JSON_AT_NAME];
	const struct json_value *child = NULL;

	if (*path == '\0')
		return json_at_match(v, want);
	path = json_at_word(path, word);
	if (strcmp(word, "ANY") == 0)
		return json_at_any(v, path, want, false);
	if (strcmp(word, "ALL") == 0)
		return json_at_below(v, path, want) +
		       json_at_any(v, path, want, true);
	if (v->type == JSON_ARRAY && word[0] >= '0' && word[0] <= '9')
		child = json_at_child(v, strtoul(word, NULL, 10));
	else
		child = json_find(v, word);
	return child != NULL ? json_at_below(child, path, want) : 0;
}

/* json_count -- how many values of text at path are what want asks for; -1 when
 * text or want is no JSON, so that nothing passes for that reason. */
static inline long json_count(const char *text, const char *path,
			      const char *want)
{
	struct arena arena = { 0 };
	struct json_value v, w;
	long n = -1;

	if (text != NULL && json_at_parse(text, &arena, &v) &&
	    json_at_parse(want, &arena, &w))
		n = (long)json_at_below(&v, path, &w);
	arena_done(&arena);
	return n;
}

/* is_json -- whether there is one at least. */
static inline bool is_json(const char *text, const char *path, const char *want)
{
	return json_count(text, path, want) > 0;
}

/* is_in_open_list -- whether a list that is still being written, without its
 * last bracket, has such an element. */
static inline bool is_in_open_list(const char *list, const char *want)
{
	size_t n = list != NULL ? strlen(list) : 0;
	char *whole = malloc(n + 2);
	bool is = false;

	if (whole != NULL && n > 0) {
		memcpy(whole, list, n);
		memcpy(whole + n, "]", 2);
		is = is_json(whole, "/ANY", want);
	}
	free(whole);
	return is;
}

#define ok_json(text, path, want)                                              \
	do {                                                                   \
		const char *t_ = (text), *p_ = (path), *w_ = (want);           \
		if (!is_json(t_, p_, w_)) {                                    \
			tap_bad++;                                             \
			fprintf(stderr, "# %s:%d: at %s no %s in %s\n",        \
				__FILE__, __LINE__, p_, w_,                    \
				t_ ? t_ : "nothing");                          \
		}                                                              \
	} while (0)
#define ok_no_json(text, want)                                                 \
	do {                                                                   \
		const char *t_ = (text), *w_ = (want);                         \
		if (json_count(t_, "/ALL", w_) != 0) {                         \
			tap_bad++;                                             \
			fprintf(stderr, "# %s:%d: somewhere %s in %s\n",       \
				__FILE__, __LINE__, w_, t_ ? t_ : "nothing");  \
		}                                                              \
	} while (0)

#endif
