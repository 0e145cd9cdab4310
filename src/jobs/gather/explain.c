/* explain.c -- see explain.h. */
#include "jobs/gather/explain.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/name.h"
#include "base/plural.h"
#include "jobs/common/beneath.h"
#include "jobs/common/chain.h"
#include "jobs/gather/context.h"
#include "jobs/gather/explain_path.h"
#include "jobs/gather/yaml_write.h"

#define VALUE_BYTES   2000U
#define SOURCES_SHOWN 20U

/* The newest run record, as far as there is one. */
struct record {
	struct arena arena;
	struct json_value tree; /* valid when why is NULL */
	char name[CHAIN_NAME_BYTES];
	const char *why; /* static text: why there is none */
};

struct sources {
	struct json_text items[SOURCES_SHOWN]; /* in order of the context */
	size_t len, total; /* kept, and how many there are with duplicates */
};

static void record_read(int out_fd, struct record *r)
{
	owned_fd int fd = -1;
	char hash[BLAKE3_TEXT_BYTES];

	r->why = "there is no run record";
	if (beneath_open_dir(out_fd, "runs", &fd) != BENEATH_OK ||
	    chain_newest(fd, r->name) < 0)
		return;
	r->why = chain_load(fd, r->name, &r->arena, &r->tree, hash);
}

static const struct json_value *probe_of(const struct record *r,
					 struct json_text name)
{
	const struct json_value *probes =
		r->why == NULL ? json_find(&r->tree, "probes") : NULL;

	if (probes == NULL || probes->type != JSON_ARRAY)
		return NULL;
	for (size_t i = 0; i < probes->u.array.len; i++) {
		const struct json_value *p = &probes->u.array.items[i];

		if (json_is_text(json_find(p, "name"), name.bytes))
			return p;
	}
	return NULL;
}

static bool is_same(const struct json_value *v, struct json_text t)
{
	return v != NULL && v->type == JSON_STRING &&
	       v->u.string.len == t.len &&
	       memcmp(v->u.string.bytes, t.bytes, t.len) == 0;
}

static const struct json_value *input_of(const struct json_value *probe,
					 struct json_text source)
{
	const struct json_value *list =
		probe ? json_find(probe, "declared_inputs") : NULL;

	if (list == NULL || list->type != JSON_ARRAY)
		return NULL;
	for (size_t i = 0; i < list->u.array.len; i++) {
		const struct json_value *in = &list->u.array.items[i];

		if (is_same(json_find(in, "relative_path"), source))
			return in;
	}
	return NULL;
}

/* A scalar on one line, cut where it is long. */
static void scalar_put(struct buf *out, const struct json_value *v)
{
	owned_buf struct buf text = { 0 };
	size_t cut;

	if (v == NULL) {
		buf_text(out, "?");
		return;
	}
	yaml_write(v, &text);
	if (buf_has_failed(&text) || text.len == 0)
		return;
	cut = text.len - 1; /* its newline */
	if (cut > VALUE_BYTES)
		cut = VALUE_BYTES;
	while (cut > 0 && ((unsigned char)text.bytes[cut] & 0xc0) == 0x80)
		cut--;
	buf_add(out, text.bytes, cut);
	if (cut < text.len - 1)
		buf_format(out, "... (%zu bytes)", text.len - 1);
}

static void value_put(struct buf *out, const struct json_value *v)
{
	buf_text(out, "value:  ");
	if (v->type == JSON_ARRAY)
		buf_format(out, "a list of %zu", v->u.array.len);
	else if (v->type == JSON_OBJECT)
		buf_format(out, "an object of %zu member%s", v->u.object.len,
			   plural_s(v->u.object.len));
	else
		scalar_put(out, v);
	buf_char(out, '\n');
}

/* The sources named below v, each once. */
static void sources_find(const struct json_value *v, struct sources *s)
{
	const struct json_value *own = json_find(v, "source");

	if (own != NULL && own->type == JSON_STRING) {
		size_t i = 0;

		while (i < s->len && !is_same(own, s->items[i]))
			i++;
		s->total += i == s->len;
		if (i == s->len && s->len < SOURCES_SHOWN)
			s->items[s->len++] = own->u.string;
	}
	if (v->type == JSON_ARRAY)
		for (size_t i = 0; i < v->u.array.len; i++)
			sources_find(&v->u.array.items[i], s);
	else if (v->type == JSON_OBJECT)
		for (size_t i = 0; i < v->u.object.len; i++)
			sources_find(&v->u.object.members[i].value, s);
}

static void source_put(struct buf *out, struct json_text source,
		       const struct json_value *probe)
{
	const struct json_value v = { .type = JSON_STRING, .u.string = source };
	const struct json_value *in = input_of(probe, source);

	buf_text(out, "source: ");
	scalar_put(out, &v);
	if (in != NULL) {
		buf_text(out, "\nblake3: ");
		scalar_put(out, json_find(in, "blake3"));
		buf_text(out, "\nsize:   ");
		scalar_put(out, json_find(in, "size_bytes"));
		buf_text(out, " bytes\n");
	} else {
		buf_text(out, "\nblake3: none in the run record: the file is "
			      "an input by name only\n");
	}
}

static void sources_put(struct buf *out, const struct explain_found *f,
			const struct json_value *probe)
{
	struct sources s = { 0 };

	if (f->source.bytes != NULL) {
		source_put(out, f->source, probe);
		return;
	}
	sources_find(f->value, &s);
	for (size_t i = 0; i < s.len; i++)
		source_put(out, s.items[i], probe);
	if (s.total > s.len)
		buf_format(out, "source: and more\n");
	if (s.total == 0)
		buf_text(out, "source: all that the probe was given\n");
}

static void probe_put(struct buf *out, const struct explain_found *f)
{
	buf_text(out, "probe:  ");
	name_write(out, f->probe.bytes, f->probe.len);
	buf_text(out, ", version ");
	scalar_put(out, json_find(f->output, "version"));
	buf_text(out, ", schema ");
	scalar_put(out, json_find(f->output, "schema_version"));
	buf_text(out, ", confidence ");
	scalar_put(out, json_find(f->output, "confidence"));
	buf_char(out, '\n');
}

static bool is_true(const struct json_value *v)
{
	return v != NULL && v->type == JSON_BOOL && v->u.boolean;
}

static void record_put(struct buf *out, const struct record *r,
		       const struct json_value *probe, const char *hash)
{
	const struct json_value *context, *was;

	if (r->why != NULL) {
		buf_format(out, "run:    %s%s%s\n", r->name,
			   r->name[0] ? " " : "", r->why);
		return;
	}
	buf_format(out, "run:    %s, ", r->name);
	scalar_put(out, json_find(&r->tree, "started"));
	if (probe != NULL && is_true(json_find(probe, "cache_hit"))) {
		buf_text(out, ", from the cache");
	} else if (probe != NULL) {
		buf_text(out, ", parsed in ");
		scalar_put(out, json_find(probe, "wall_ms"));
		buf_text(out, " ms");
	}
	context = json_find(&r->tree, "context");
	was = context ? json_find(context, "blake3") : NULL;
	if (was == NULL || !json_is_text(was, hash))
		buf_text(out, "\nnote:   the context is not the one that this "
			      "run wrote: its hashes may be of other bytes\n");
	buf_char(out, '\n');
}

/* The context of the newest record, else YAML, else JSON. */
static int context_find(int out_fd, const struct record *r, struct context *ret,
			struct cupel_error *err)
{
	const struct json_value *named =
		r->why == NULL ? json_find(&r->tree, "context") : NULL;
	bool is_json = named != NULL &&
		       json_is_text(json_find(named, "file"), CONTEXT_JSON);
	int e = context_open(out_fd, is_json ? CONTEXT_JSON : CONTEXT_YAML, ret,
			     err);

	if (e == -ENOENT)
		e = context_open(out_fd, is_json ? CONTEXT_YAML : CONTEXT_JSON,
				 ret, err);
	if (e == -ENOENT)
		return cupel_fail(
			err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, ENOENT,
			"there is no " CONTEXT_YAML " and no " CONTEXT_JSON
			"; 'cupel gather' writes one");
	return e;
}

int explain_fact(int out_fd, const char *path, struct buf *out, struct buf *why,
		 struct cupel_error *err)
{
	struct explain_found f = { 0 };
	struct record r = { 0 };
	struct context c;
	int e;

	record_read(out_fd, &r);
	e = context_find(out_fd, &r, &c, err);
	if (e == 0) {
		e = explain_find(&c.checked.value, path, &f, why);
		if (e == 0) {
			const struct json_value *probe =
				f.output ? probe_of(&r, f.probe) : NULL;

			value_put(out, f.value);
			if (f.output != NULL) {
				sources_put(out, &f, probe);
				probe_put(out, &f);
			}
			record_put(out, &r, probe, c.hash);
		}
		context_close(&c);
	}
	arena_done(&r.arena);
	return e;
}
