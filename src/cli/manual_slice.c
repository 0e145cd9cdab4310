/* manual_slice.c -- see manual_slice.h. */
#include "cli/manual_slice.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "boundary/json.h"
#include "jobs/probe/catalogue.h"
#include "spec/schemas.h"

#define WORDS_BYTES 60U /* of the values of one field, as text */
#define DEPTH_MAX   8U

struct page {
	struct buf *out;
	const struct json_value *root; /* the schema, for $ref */
};

/* Write text as it appears in an example, without roff requests. */
static void text_put(struct buf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i == 0 && (s[i] == '.' || s[i] == '\''))
			buf_text(out, "\\&");
		if (s[i] == '\\')
			buf_text(out, "\\e");
		else if (s[i] == '-')
			buf_text(out, "\\-");
		else
			buf_char(out, s[i]);
	}
}

/* "#/$defs/name" of the same document. */
static const struct json_value *resolve(const struct page *p,
					const struct json_value *v)
{
	static const char prefix[] = "#/$defs/";
	const struct json_value *ref = v ? json_find(v, "$ref") : NULL;
	const struct json_value *defs = json_find(p->root, "$defs");

	if (ref == NULL || ref->type != JSON_STRING || defs == NULL ||
	    strncmp(ref->u.string.bytes, prefix, sizeof prefix - 1) != 0)
		return v;
	return json_find(defs, ref->u.string.bytes + sizeof prefix - 1);
}

static void word_put(struct buf *words, const struct json_value *v)
{
	if (v->type != JSON_STRING && v->type != JSON_NULL)
		return;
	buf_text(words, words->len > 0 ? ", " : "");
	if (v->type == JSON_NULL)
		buf_text(words, "null");
	else
		buf_text(words, v->u.string.bytes);
}

/* Describe in words what a field can contain. */
static void type_put(const struct page *p, struct buf *words,
		     const struct json_value *v)
{
	static const char *const unions[] = { "anyOf", "oneOf" };
	static const char *const keys[] = { "const", "enum", "type" };

	for (size_t k = 0; k < sizeof unions / sizeof *unions; k++) {
		const struct json_value *u = json_find(v, unions[k]);

		for (size_t i = 0; u && i < u->u.array.len; i++)
			type_put(p, words, resolve(p, &u->u.array.items[i]));
	}
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		const struct json_value *t = json_find(v, keys[k]);

		if (t == NULL)
			continue;
		if (t->type != JSON_ARRAY)
			word_put(words, t);
		for (size_t i = 0; t->type == JSON_ARRAY && i < t->u.array.len;
		     i++)
			word_put(words, &t->u.array.items[i]);
		return;
	}
}

static void line_put(const struct page *p, const struct buf *path,
		     const struct json_value *v)
{
	owned_buf struct buf words = { 0 };

	type_put(p, &words, v);
	text_put(p->out, path->bytes, path->len);
	buf_text(p->out, ": ");
	if (words.len > WORDS_BYTES) {
		while (words.len > WORDS_BYTES || words.bytes[words.len] != ',')
			words.len--;
		buf_text(&words, ", ...");
	}
	text_put(p->out, words.bytes ? words.bytes : "any", words.len);
	buf_char(p->out, '\n');
}

/* The member called key of v, or of one of the alternatives that v allows. */
static const struct json_value *part_of(const struct page *p,
					const struct json_value *v,
					const char *key)
{
	static const char *const unions[] = { "anyOf", "oneOf" };
	const struct json_value *part = json_find(v, key);

	for (size_t k = 0; part == NULL && k < 2; k++) {
		const struct json_value *u = json_find(v, unions[k]);

		for (size_t i = 0; part == NULL && u && i < u->u.array.len; i++)
			part = json_find(resolve(p, &u->u.array.items[i]), key);
	}
	return part;
}

static void fields_put(const struct page *p, struct buf *path,
		       const struct json_value *v, unsigned depth)
{
	const struct json_value *items = part_of(p, v, "items");
	const struct json_value *members = part_of(p, v, "properties");
	size_t len = path->len;
	owned_buf struct buf words = { 0 };

	type_put(p, &words, v);
	if (depth == DEPTH_MAX || (items == NULL && members == NULL) ||
	    (words.bytes != NULL && strstr(words.bytes, "null") != NULL))
		line_put(p, path, v);
	if (depth == DEPTH_MAX)
		return;
	if (items != NULL) {
		buf_text(path, "[]");
		fields_put(p, path, resolve(p, items), depth + 1);
	}
	for (size_t i = 0; members && i < members->u.object.len; i++) {
		const struct json_member *m = &members->u.object.members[i];

		path->len = len;
		buf_text(path, len > 0 ? "." : "");
		buf_text(path, m->name.bytes);
		fields_put(p, path, resolve(p, &m->value), depth + 1);
	}
	path->len = len;
}

static void inputs_put(struct buf *out, const struct probe *probe)
{
	buf_text(out,
		 "Inputs, and the most bytes of one:\n.PP\n.in +4n\n.EX\n");
	for (const struct probe_input_rule *r = probe->rules;
	     r->pattern != NULL; r++) {
		const uint64_t cap = r->cap_bytes & ~PROBE_HASHED;

		text_put(out, r->pattern, strlen(r->pattern));
		if (cap == 0)
			buf_text(out, ": the name only");
		else if (cap % (1U << 20) == 0)
			buf_format(out, ": %" PRIu64 " MiB", cap >> 20);
		else
			buf_format(out, ": %" PRIu64 " KiB", cap >> 10);
		buf_text(out, cap != r->cap_bytes ? ": only its hash\n" : "\n");
	}
	buf_text(out, ".EE\n.in\n.PP\nFields:\n");
}

static void probe_put(struct buf *out, const struct probe *probe)
{
	const struct data_text *text = schema_text_find(probe->schema);
	struct json_caps caps = { .depth = JSON_DEPTH };
	struct arena arena = { 0 };
	const struct json_value *title, *slice;
	struct json_value root;
	struct json_error e;
	struct page p = { out, &root };
	owned_buf struct buf path = { 0 };

	if (text == NULL ||
	    json_parse(text->bytes, text->len, &caps, &arena, &root, &e) < 0) {
		out->failed = true;
		return;
	}
	title = json_find(&root, "title");
	slice = json_find(json_find(&root, "properties"), "slice");
	buf_format(out, ".SS %s\n", probe->name);
	if (title != NULL && title->type == JSON_STRING)
		text_put(out, title->u.string.bytes, title->u.string.len);
	buf_text(out, ".\n");
	inputs_put(out, probe);
	buf_text(out, ".PP\n.in +4n\n.EX\n");
	fields_put(&p, &path, resolve(&p, slice), 0);
	buf_text(out, ".EE\n.in\n");
	arena_done(&arena);
}

void manual_probes(struct buf *out)
{
	for (size_t i = 0; i < probes_len; i++)
		probe_put(out, &probes[i]);
}
