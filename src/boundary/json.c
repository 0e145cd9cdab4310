/* json.c -- the strict JSON reader; one loop, no recursion.  See json.h. */
#include "boundary/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "boundary/json_private.h"

/* A value that is being read, with the name it will have.  Slot 0 is the text's
 * own value; the items of an open container lie above the container's slot, and
 * the container keeps the slot of its parent in u.array.len until it closes. */
struct slot {
	struct json_member member;
	size_t name_at;
};

struct reader {
	struct json_lexer lex;
	struct slot *slots;
	size_t len, room;
	size_t open;    /* slot of the innermost open container */
	unsigned depth; /* open containers */
};

#define SLOTS_FIRST 64

static const char *const code_names[] = {
	[JSON_OK] = "ok",
	[JSON_EMPTY] = "empty",
	[JSON_SYNTAX] = "syntax",
	[JSON_TRAILING] = "trailing",
	[JSON_BOM] = "bom",
	[JSON_BAD_UTF8] = "bad_utf8",
	[JSON_BAD_UNICODE] = "bad_unicode",
	[JSON_DUPLICATE_NAME] = "duplicate_name",
	[JSON_TOO_DEEP] = "too_deep",
	[JSON_TOO_LARGE] = "too_large",
	[JSON_STRING_TOO_LONG] = "string_too_long",
	[JSON_NO_MEMORY] = "no_memory",
};
static_assert(sizeof code_names / sizeof *code_names == JSON_CODE_MAX_,
	      "a name for every code");

const char *json_code_name(enum json_code code)
{
	return (unsigned)code < JSON_CODE_MAX_ ? code_names[code] : "?";
}

static bool slot_push(struct reader *r)
{
	struct json_lexer *lex = &r->lex;
	size_t room = r->room > 0 ? r->room * 2 : SLOTS_FIRST;
	struct slot *slots;

	if (r->len == r->room) {
		if (room > lex->caps.memory_bytes / sizeof *slots)
			room = lex->caps.memory_bytes / sizeof *slots;
		slots = room > r->len ? realloc(r->slots, room * sizeof *slots)
				      : NULL;
		if (slots == NULL)
			return lex_fail(lex, JSON_NO_MEMORY, lex->at,
					"a value that needs less memory");
		r->slots = slots;
		r->room = room;
	}
	r->slots[r->len++] = (struct slot){ 0 };
	return true;
}

static bool read_name(struct reader *r)
{
	struct json_lexer *lex = &r->lex;
	struct slot *s;

	lex_space(lex);
	if (lex_peek(lex) != '"')
		return lex_unexpected(lex, "a name in quotes");
	s = &r->slots[r->len - 1];
	s->name_at = lex->at;
	if (!lex_string(lex, &s->member.name))
		return false;
	lex_space(lex);
	if (lex_peek(lex) != ':')
		return lex_unexpected(lex, "':'");
	lex->at++;
	return true;
}

static bool is_object(const struct reader *r)
{
	return r->slots[r->open].member.value.type == JSON_OBJECT;
}

/* Make the slot for the next item of the open container. */
static bool begin_item(struct reader *r)
{
	return slot_push(r) && (!is_object(r) || read_name(r));
}

static bool open_container(struct reader *r, enum json_type type)
{
	struct json_lexer *lex = &r->lex;
	struct json_value *v = &r->slots[r->len - 1].member.value;

	if (r->depth >= lex->caps.depth)
		return lex_fail(lex, JSON_TOO_DEEP, lex->at,
				"arrays and objects that are nested less deep");
	r->depth++;
	*v = (struct json_value){ .type = type, .offset = lex->at };
	v->u.array.len = r->open;
	r->open = r->len - 1;
	lex->at++;
	return true;
}

static bool build_array(struct reader *r, struct json_value *v, size_t first)
{
	size_t n = r->len - first;
	struct json_value *items = lex_alloc(&r->lex, n, sizeof *items);

	if (n > 0 && items == NULL)
		return false;
	for (size_t i = 0; i < n; i++)
		items[i] = r->slots[first + i].member.value;
	v->u.array.items = items;
	v->u.array.len = n;
	return true;
}

static bool build_object(struct reader *r, struct json_value *v, size_t first)
{
	size_t n = r->len - first;
	struct json_member *members = lex_alloc(&r->lex, n, sizeof *members);
	const struct json_member *twice = NULL;

	if (n > 0 && members == NULL)
		return false;
	for (size_t i = 0; i < n; i++)
		members[i] = r->slots[first + i].member;
	v->u.object.members = members;
	v->u.object.len = n;
	v->u.object.index = NULL;
	if (n > JSON_INDEX_FROM) {
		const struct json_member **index =
			lex_alloc(&r->lex, n, sizeof *index);

		if (index == NULL)
			return false;
		v->u.object.index = index;
	}
	twice = json_index_build(v);
	if (twice != NULL)
		return lex_fail(
			&r->lex, JSON_DUPLICATE_NAME,
			r->slots[first + (size_t)(twice - members)].name_at,
			"a name that the object does not have yet");
	return true;
}

static bool close_container(struct reader *r)
{
	size_t self = r->open;
	struct json_value *v = &r->slots[self].member.value;
	size_t parent = v->u.array.len;
	bool built = v->type == JSON_OBJECT ? build_object(r, v, self + 1)
					    : build_array(r, v, self + 1);

	if (!built)
		return false;
	r->lex.at++;
	r->len = self + 1;
	r->open = parent;
	r->depth--;
	return true;
}

/* Call this after a whole value: it closes the containers that end here, or
 * begins the next item. It sets *done when no container is open any more. */
static bool finish_value(struct reader *r, bool *done)
{
	struct json_lexer *lex = &r->lex;

	while (r->depth > 0) {
		bool object = is_object(r);
		int c;

		lex_space(lex);
		c = lex_peek(lex);
		if (c == ',') {
			lex->at++;
			return begin_item(r);
		}
		if (c != (object ? '}' : ']'))
			return lex_unexpected(lex, object ? "',' or '}'"
							  : "',' or ']'");
		if (!close_container(r))
			return false;
	}
	*done = true;
	return true;
}

/* The start of a value: a scalar is read whole; an open container is entered,
 * *entered says that a value must follow. */
static bool start_value(struct reader *r, bool *entered)
{
	struct json_lexer *lex = &r->lex;
	struct json_value *v = &r->slots[r->len - 1].member.value;
	int c;

	*entered = false;
	lex_space(lex);
	c = lex_peek(lex);
	if (c != '[' && c != '{')
		return lex_scalar(lex, v);
	if (!open_container(r, c == '[' ? JSON_ARRAY : JSON_OBJECT))
		return false;
	lex_space(lex);
	if (lex_peek(lex) == (c == '[' ? ']' : '}'))
		return close_container(r);
	*entered = true;
	return begin_item(r);
}

static bool read_text(struct reader *r, struct json_value *ret)
{
	struct json_lexer *lex = &r->lex;
	bool done = false;

	if (!lex_begin(lex) || !slot_push(r))
		return false;
	while (!done) {
		bool entered;

		if (!start_value(r, &entered))
			return false;
		if (!entered && !finish_value(r, &done))
			return false;
	}
	lex_space(lex);
	if (lex->at < lex->n)
		return lex_fail(lex, JSON_TRAILING, lex->at,
				"nothing after the value");
	*ret = r->slots[0].member.value;
	return true;
}

int json_parse(const char *bytes, size_t n, const struct json_caps *caps,
	       struct arena *arena, struct json_value *ret,
	       struct json_error *err)
{
	struct reader r = { .lex = { .bytes = bytes,
				     .n = n,
				     .arena = arena,
				     .arena_start = arena->used,
				     .caps = json_caps_fill(caps),
				     .err = err } };
	bool good;

	*err = (struct json_error){ 0 };
	good = read_text(&r, ret);
	free(r.slots);
	return good ? 0 : -EINVAL;
}
