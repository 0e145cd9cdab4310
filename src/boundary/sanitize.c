/* sanitize.c -- the sanitizer's passes over a value.  See sanitize.h. */
#include "boundary/sanitize.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/hooks.h"
#include "boundary/json_private.h"
#include "boundary/schema_private.h"

#define POINTER_BYTES 512
#define PASSED        64U

/* The place of a pass, innermost first. */
struct place {
	const struct place *up;
	const struct json_text *name; /* NULL: index */
	size_t index;
	unsigned depth; /* containers around and including this one */
};

struct cleaner {
	const struct sanitize_limits *limits;
	struct arena *arena;
	struct sanitize_report *report;
	/* Names that passed before, found by a few of their bytes.  A list of
	 * objects repeats the same names, so most need no second look. */
	struct json_text passed[PASSED];
};

static const char *const code_names[] = {
	[SANITIZE_OK] = "ok",
	[SANITIZE_FIELD_NAME] = "field_name_refused",
	[SANITIZE_DUPLICATE_NAME] = "duplicate_name",
	[SANITIZE_SIZE] = "size_cap_exceeded",
	[SANITIZE_STRING] = "string_cap_exceeded",
	[SANITIZE_DEPTH] = "depth_cap_exceeded",
	[SANITIZE_NO_MEMORY] = "no_memory",
};
static_assert(sizeof code_names / sizeof *code_names == SANITIZE_CODE_MAX_,
	      "a name for every code");

const char *sanitize_code_name(enum sanitize_code code)
{
	return (unsigned)code < SANITIZE_CODE_MAX_ ? code_names[code] : "?";
}

static void write_place(const struct place *at, struct buf *out)
{
	const struct place *way[JSON_DEPTH_MAX + 1];
	size_t n = 0;

	for (; at != NULL && at->up != NULL && n <= JSON_DEPTH_MAX; at = at->up)
		way[n++] = at;
	while (n > 0) {
		n--;
		if (way[n]->name != NULL)
			schema_pointer_token(out, way[n]->name->bytes,
					     way[n]->name->len);
		else
			buf_format(out, "/%zu", way[n]->index);
	}
}

static int refuse(struct cleaner *c, const struct place *at,
		  enum sanitize_code code)
{
	struct buf text = { .cap_bytes = 1 << 20 };

	buf_text(&text, "");
	write_place(at, &text);
	c->report->code = code;
	c->report->instance = schema_printable(c->arena, &text, POINTER_BYTES);
	buf_done(&text);
	return -EINVAL;
}

/* A pass visits a value and the names of its members before the values of the
 * members.  Returns 0 or what refuse returned. */
typedef int visit_fn(struct cleaner *c, struct json_value *v,
		     const struct place *at);

static int walk(struct cleaner *c, struct json_value *v, visit_fn *visit,
		const struct place *at)
{
	int r = visit(c, v, at);
	struct place in = { .up = at, .depth = at->depth + 1 };

	if (v->type == JSON_ARRAY) {
		for (size_t i = 0; r == 0 && i < v->u.array.len; i++) {
			in.index = i;
			r = walk(c, &v->u.array.items[i], visit, &in);
		}
	} else if (v->type == JSON_OBJECT) {
		for (size_t i = 0; r == 0 && i < v->u.object.len; i++) {
			in.name = &v->u.object.members[i].name;
			r = walk(c, &v->u.object.members[i].value, visit, &in);
		}
	}
	return r;
}

static bool is_credential(struct cleaner *c, const struct json_text *name)
{
	unsigned at = (unsigned)name->len * 5;
	struct json_text *passed;

	if (name->len > 0)
		at += (unsigned char)name->bytes[0] +
		      (unsigned char)name->bytes[name->len - 1] * 3U;
	passed = &c->passed[at % PASSED];
	if (passed->len == name->len && passed->bytes != NULL &&
	    memcmp(passed->bytes, name->bytes, name->len) == 0)
		return false;
	if (sanitize_is_credential(name->bytes, name->len))
		return true;
	*passed = *name;
	return false;
}

static int check_names(struct cleaner *c, struct json_value *v,
		       const struct place *at)
{
	if (v->type != JSON_OBJECT)
		return 0;
	for (size_t i = 0; i < v->u.object.len; i++) {
		const struct json_text *name = &v->u.object.members[i].name;
		struct place in = { .up = at, .name = name };

		if (is_credential(c, name) &&
		    !test_wall_is_down(TEST_WALL_FIELD_NAMES))
			return refuse(c, &in, SANITIZE_FIELD_NAME);
	}
	return 0;
}

static int scrub_text(struct cleaner *c, struct json_text *text,
		      const struct place *at)
{
	struct json_text out = sanitize_path(c->arena, *text, c->limits->roots);

	if (out.bytes == NULL)
		return refuse(c, at, SANITIZE_NO_MEMORY);
	if (out.bytes != text->bytes)
		c->report->paths++;
	*text = out;
	c->report->markers += sanitize_has_marker(out.bytes, out.len) &&
			      !test_wall_is_down(TEST_WALL_MARKERS);
	return 0;
}

/* When a path is cut out, two names can become the same, and two words within
 * a name can become one. */
static int scrub_names(struct cleaner *c, struct json_value *v,
		       const struct place *at)
{
	size_t before = c->report->paths;
	const struct json_member *twice;
	struct place in = { .up = at };
	int r = 0;

	for (size_t i = 0; r == 0 && i < v->u.object.len; i++)
		r = scrub_text(c, &v->u.object.members[i].name, at);
	if (r < 0 || c->report->paths == before)
		return r;
	twice = json_index_build(v);
	if (twice == NULL)
		return check_names(c, v, at);
	in.name = &twice->name;
	return refuse(c, &in, SANITIZE_DUPLICATE_NAME);
}

static int scrub(struct cleaner *c, struct json_value *v,
		 const struct place *at)
{
	if (v->type == JSON_STRING)
		return scrub_text(c, &v->u.string, at);
	return v->type == JSON_OBJECT ? scrub_names(c, v, at) : 0;
}

static int check_caps(struct cleaner *c, struct json_value *v,
		      const struct place *at)
{
	const struct sanitize_limits *l = c->limits;
	bool container = v->type == JSON_ARRAY || v->type == JSON_OBJECT;

	if (test_wall_is_down(TEST_WALL_PAYLOAD_CAPS))
		return 0;
	if (container && l->depth > 0 && at->depth >= l->depth)
		return refuse(c, at, SANITIZE_DEPTH);
	if (l->string_bytes == 0)
		return 0;
	if (v->type == JSON_STRING && v->u.string.len > l->string_bytes)
		return refuse(c, at, SANITIZE_STRING);
	for (size_t i = 0; v->type == JSON_OBJECT && i < v->u.object.len; i++)
		if (v->u.object.members[i].name.len > l->string_bytes)
			return refuse(c, at, SANITIZE_STRING);
	return 0;
}

static int check_size(struct cleaner *c, const struct json_value *v)
{
	struct buf text = { .cap_bytes = c->limits->bytes };
	int r = 0;

	if (c->limits->bytes == 0 ||
	    json_is_below(c->limits->text_bytes, c->limits->bytes))
		return 0;
	json_write(v, &text);
	if (buf_has_failed(&text))
		r = refuse(c, NULL, SANITIZE_SIZE);
	buf_done(&text);
	return r;
}

int sanitize_value(struct json_value *v, const struct sanitize_limits *limits,
		   struct arena *arena, struct sanitize_report *ret)
{
	struct cleaner c = { .limits = limits, .arena = arena, .report = ret };
	const struct place root = { 0 };
	int r;

	*ret = (struct sanitize_report){ 0 };
	r = walk(&c, v, check_names, &root);
	if (r == 0)
		r = walk(&c, v, scrub, &root);
	if (r == 0)
		r = check_size(&c, v);
	if (r == 0)
		r = walk(&c, v, check_caps, &root);
	return r;
}
