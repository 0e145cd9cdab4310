/* document.c -- see document.h; and the --spec document itself. */
#include "spec/document.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "spec/number.h"
#include "spec/phases.h"

#define DEPTH_MAX 8 /* the deepest honest document has 2 */

static const char *const type_names[] = {
	[JSON_NULL] = "null",       [JSON_BOOL] = "true or false",
	[JSON_NUMBER] = "a number", [JSON_STRING] = "a string",
	[JSON_ARRAY] = "an array",  [JSON_OBJECT] = "an object",
};
_Static_assert(sizeof type_names / sizeof *type_names == JSON_TYPE_MAX_,
	       "a name for every type");

/* "p->place: expected X, found Y". */
static int document_fail_type(const struct put *p, const struct json_value *v,
			      const char *expected, struct cupel_error *err)
{
	return spec_refuse(err, EINVAL, "%s: expected %s, found %s", p->place,
			   expected, type_names[v->type]);
}

const char *document_text(const struct put *p, const struct json_value *v,
			  struct cupel_error *err)
{
	if (v->type != JSON_STRING) {
		(void)document_fail_type(p, v, "a string", err);
		return NULL;
	}
	if (memchr(v->u.string.bytes, '\0', v->u.string.len) != NULL) {
		(void)spec_refuse(err, EINVAL, "%s: contains a NUL character",
				  p->place);
		return NULL;
	}
	return v->u.string.bytes;
}

typedef int document_put_fn(const struct put *p, const struct field *f,
			    const char *text, struct cupel_error *err);

/* An array of strings: call put for each of them, as a list or as "command". */
static int document_put_strings(const struct put *p, const struct field *f,
				const struct json_value *v,
				document_put_fn *put, struct cupel_error *err)
{
	if (v->type != JSON_ARRAY)
		return document_fail_type(p, v, "an array of strings", err);
	for (size_t i = 0; i < v->u.array.len; i++) {
		char place[PUT_PLACE_MAX + 24];
		struct put inner = { p->spec, p->rank, place };
		const char *text;
		int r;

		(void)snprintf(place, sizeof place, "%s[%zu]", p->place, i);
		text = document_text(&inner, &v->u.array.items[i], err);
		if (text == NULL)
			return -EINVAL;
		r = put(&inner, f, text, err);
		if (r < 0)
			return r;
	}
	return 0;
}

/* A JSON number as the text that the option would take. */
static int number_text(enum field_type type, const struct json_value *v,
		       char *out, size_t room)
{
	const char *text = v->u.number.bytes;
	uint64_t value = 0;
	int r;

	if (type == FIELD_TIME || text[0] == '-') {
		(void)snprintf(out, room, "%s", text);
		return v->u.number.len < room ? 0 : -ERANGE;
	}
	r = json_read_u64(v, &value);
	if (r == 0 && v->u.number.len < room &&
	    strspn(text, "0123456789") == v->u.number.len)
		memcpy(out, text, v->u.number.len + 1);
	else if (r == 0)
		(void)snprintf(out, room, "%" PRIu64, value);
	else
		(void)snprintf(out, room, "%.40s", text);
	return r;
}

static const char *expected_of(const struct field *f)
{
	bool can_be_off = (f->flags & FIELD_CAN_BE_OFF) != 0;

	switch (f->type) {
	case FIELD_SIZE:
		return can_be_off ? "a number of bytes, a size like \"512M\" "
				    "or \"unlimited\""
				  : "a number of bytes or a size like \"512M\"";
	case FIELD_TIME:
		return can_be_off ? "a number of seconds or \"unlimited\""
				  : "a number of seconds";
	default:
		return can_be_off ? "a whole number or \"unlimited\""
				  : "a whole number";
	}
}

static int put_json_number(const struct put *p, const struct field *f,
			   const struct json_value *v, struct cupel_error *err)
{
	char text[80];
	const char *word;

	if (v->type == JSON_NUMBER) {
		if (number_text(f->type, v, text, sizeof text) == -EINVAL)
			return spec_refuse(err, EINVAL, "%s: %s is not %s",
					   p->place, text, expected_of(f));
		return put_text(p, f, text, err);
	}
	if (v->type != JSON_STRING)
		return document_fail_type(p, v, expected_of(f), err);
	word = document_text(p, v, err);
	if (word == NULL)
		return -EINVAL;
	/* A size may be a string; a count or a time in quotes is a mistake. */
	if (f->type != FIELD_SIZE && strcmp(word, "unlimited") != 0)
		return document_fail_type(p, v, expected_of(f), err);
	return put_text(p, f, word, err);
}

static int put_json_rlimit(const struct put *p, const struct json_member *m,
			   struct cupel_error *err)
{
	bool is_cpu = field_rlimit_find(m->name.bytes, m->name.len) ==
		      SPEC_RLIMIT_CPU;
	char number[80];
	const char *text = number;

	if (m->value.type == JSON_NUMBER) {
		if (number_text(is_cpu ? FIELD_TIME : FIELD_COUNT, &m->value,
				number, sizeof number) == -EINVAL)
			return spec_refuse(err, EINVAL,
					   "%s: %s is not a whole number",
					   p->place, number);
	} else {
		text = document_text(p, &m->value, err);
	}
	if (text == NULL)
		return -EINVAL;
	return put_rlimit(p, m->name.bytes, m->name.len, text, err);
}

static int put_json_pair(const struct put *p, const struct field *f,
			 const struct json_member *m, struct cupel_error *err)
{
	const char *value = document_text(p, &m->value, err);
	char *pair;

	if (value == NULL)
		return -EINVAL;
	if (strlen(m->name.bytes) != m->name.len ||
	    strchr(m->name.bytes, '=') != NULL)
		return spec_refuse(
			err, EINVAL,
			"%s: a variable's name may not contain '=' or NUL",
			p->place);
	pair = arena_format(&p->spec->arena, "%s=%s", m->name.bytes, value);
	if (pair == NULL)
		return spec_refuse(err, ENOMEM, "%s: no memory", p->place);
	return put_text(p, f, pair, err);
}

/* An object, member by member: {"K": "V"}, {"nofile": 16}. */
static int put_json_pairs(const struct put *p, const struct field *f,
			  const struct json_value *v, struct cupel_error *err)
{
	for (size_t i = 0; i < v->u.object.len; i++) {
		const struct json_member *m = &v->u.object.members[i];
		char place[PUT_PLACE_MAX + 100];
		struct put inner = { p->spec, p->rank, place };
		int r;

		(void)snprintf(place, sizeof place, "%s%s%.80s", p->place,
			       f->type == FIELD_RLIMIT ? "" : ".",
			       f->type == FIELD_RLIMIT ? "" : m->name.bytes);
		r = f->type == FIELD_RLIMIT ? put_json_rlimit(&inner, m, err)
					    : put_json_pair(&inner, f, m, err);
		if (r < 0)
			return r;
	}
	return 0;
}

static int put_json(const struct put *p, const struct field *f,
		    const struct json_value *v, struct cupel_error *err)
{
	const char *text;

	switch (f->type) {
	case FIELD_COUNT:
	case FIELD_SIZE:
	case FIELD_TIME:
		return put_json_number(p, f, v, err);
	case FIELD_BOOL:
		if (v->type != JSON_BOOL)
			return document_fail_type(p, v, "true or false", err);
		return put_bool(p, f, v->u.boolean);
	case FIELD_LIST:
	case FIELD_RLIMIT:
		if (v->type == JSON_OBJECT && f->flags & FIELD_PAIRS)
			return put_json_pairs(p, f, v, err);
		if (f->type == FIELD_LIST)
			(void)put_list_replace(p, f);
		return document_put_strings(p, f, v, put_text, err);
	default:
		text = document_text(p, v, err);
		return text != NULL ? put_text(p, f, text, err) : -EINVAL;
	}
}

static int put_member(const struct put *p, const struct document_kind *kind,
		      const struct json_member *m, struct cupel_error *err)
{
	const struct field *f = field_find_json(m->name.bytes, m->name.len);
	int r;

	if (f != NULL && kind->allows(f))
		return put_json(p, f, &m->value, err);
	r = kind->put_other != NULL ? kind->put_other(p, m, err)
				    : DOCUMENT_OTHER;
	if (r != DOCUMENT_OTHER)
		return r;
	return spec_refuse(err, EINVAL, "%s: unknown key%s%s", p->place,
			   f != NULL ? ", it is not allowed in a " : "",
			   f != NULL ? kind->name : "");
}

int document_parse(const char *bytes, size_t n, const char *origin,
		   struct arena *arena, struct json_value *ret,
		   struct cupel_error *err)
{
	const struct json_caps caps = { .text_bytes = SPEC_DOCUMENT_BYTES,
					.depth = DEPTH_MAX };
	struct json_error e = { 0 };

	if (json_parse(bytes, n, &caps, arena, ret, &e) < 0)
		return spec_refuse(err,
				   e.code == JSON_NO_MEMORY ? ENOMEM : EINVAL,
				   "%s: line %zu, column %zu: %s%s%s", origin,
				   e.line, e.column, json_code_name(e.code),
				   e.expected != NULL ? ", expected " : "",
				   e.expected != NULL ? e.expected : "");
	if (ret->type != JSON_OBJECT)
		return spec_refuse(err, EINVAL,
				   "%s: expected an object, found %s", origin,
				   type_names[ret->type]);
	return 0;
}

int document_put_all(struct spec *s, const struct document_kind *kind,
		     const struct json_value *root, const char *origin,
		     struct cupel_error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < root->u.object.len; i++) {
		const struct json_member *m = &root->u.object.members[i];
		char place[PUT_PLACE_MAX];
		struct put p = { s, kind->rank, place };

		put_place(place, origin, kind->is_part ? "." : ": ",
			  m->name.bytes);
		r = put_member(&p, kind, m, err);
	}
	return r;
}

int document_read(struct spec *s, const struct document_kind *kind,
		  const char *bytes, size_t n, const char *origin,
		  struct cupel_error *err)
{
	struct arena arena = { 0 };
	struct json_value root = { 0 };
	int r = document_parse(bytes, n, origin, &arena, &root, err);

	if (r == 0)
		r = document_put_all(s, kind, &root, origin, err);
	arena_done(&arena);
	return r;
}

static bool is_spec_key(const struct field *f)
{
	return (f->flags & (FIELD_CLI_ONLY | FIELD_PROFILE_ONLY)) == 0;
}

/* One word of "command"; argv has room for it and the NULL. */
static int put_word(const struct put *p, const struct field *f,
		    const char *text, struct cupel_error *err)
{
	struct spec *s = p->spec;

	(void)f;
	s->argv[s->argc] = arena_text(&s->arena, text);
	if (s->argv[s->argc] == NULL)
		return spec_refuse(err, ENOMEM, "%s: no memory", p->place);
	s->argc++;
	return 0;
}

/* "command": an array of at least one string. */
int document_put_command(const struct put *p, const struct json_member *m,
			 struct cupel_error *err)
{
	struct spec *s = p->spec;
	const struct spec saved = *s;
	int r;

	if (m->name.len != 7 || memcmp(m->name.bytes, "command", 7) != 0)
		return DOCUMENT_OTHER;
	if (m->value.type != JSON_ARRAY || m->value.u.array.len == 0)
		return document_fail_type(p, &m->value,
					  "a non-empty array of strings", err);
	s->argv = arena_array(&s->arena, m->value.u.array.len + 1,
			      sizeof *s->argv);
	if (s->argv == NULL)
		return spec_refuse(err, ENOMEM, "%s: no memory", p->place);
	s->argc = 0;
	r = document_put_strings(p, NULL, &m->value, put_word, err);
	if (r < 0 || saved.argv_rank > p->rank) {
		s->argv = saved.argv;
		s->argc = saved.argc;
	} else {
		s->argv_rank = (unsigned char)p->rank;
	}
	return r;
}

static int put_other(const struct put *p, const struct json_member *m,
		     struct cupel_error *err)
{
	int r = phases_put(p, m, err);

	return r == DOCUMENT_OTHER ? document_put_command(p, m, err) : r;
}

int spec_read_json(struct spec *s, const char *bytes, size_t n,
		   const char *origin, struct cupel_error *err)
{
	const struct document_kind kind = { .rank = RANK_SPEC,
					    .name = "spec document",
					    .allows = is_spec_key,
					    .put_other = put_other };

	return document_read(s, &kind, bytes, n, origin, err);
}

/* Messages about a file begin with its name.  Put what named the file before
 * it. */
static int blame(const struct put *p, int r, struct cupel_error *err)
{
	char what[sizeof err->what];

	if (r < 0) {
		memcpy(what, err->what, sizeof what);
		(void)cupel_fail(err, err->stage, err->cause, err->sys,
				 "%s: %s", p->place, what);
	}
	return r;
}

int document_load(const struct put *p, const char *path, document_reader *read,
		  struct cupel_error *err)
{
	struct spec *s = p->spec;
	owned_buf struct buf text = { .cap_bytes = SPEC_DOCUMENT_BYTES + 1 };
	int r;

	if (s->load == NULL)
		return spec_refuse(err, EINVAL,
				   "%s: %.80s: a file cannot be read here; "
				   "give the document itself",
				   p->place, path);
	r = s->load(s->load_ctx, path, &text, err);
	if (r == 0)
		r = read(s, text.bytes != NULL ? text.bytes : "", text.len,
			 path, err);
	return blame(p, r, err);
}

int document_put(const struct put *p, const char *path, struct cupel_error *err)
{
	return document_load(p, path, spec_read_json, err);
}
