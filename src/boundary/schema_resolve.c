/* schema_resolve.c -- finds the schema that a reference names, and the
 * vocabularies of a dialect. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "boundary/schema_private.h"
#include "boundary/uri.h"

#define DIALECT    "https://json-schema.org/draft/2020-12/schema"
#define VOCABULARY "https://json-schema.org/draft/2020-12/vocab/"

static const struct {
	const char *name;
	unsigned bit;
} vocabularies[] = {
	{ "core", VOCAB_CORE },
	{ "applicator", VOCAB_APPLICATOR },
	{ "unevaluated", VOCAB_UNEVALUATED },
	{ "validation", VOCAB_VALIDATION },
	{ "meta-data", VOCAB_METADATA },
	{ "format-annotation", VOCAB_FORMAT },
	{ "content", VOCAB_CONTENT },
};

/* Older drafts that are still in use, so that they can be refused by name. */
static const struct {
	const char *uri, *name;
} drafts[] = {
	{ "https://json-schema.org/draft/2019-09/schema", "2019-09" },
	{ "http://json-schema.org/draft-07/schema", "draft-07" },
	{ "https://json-schema.org/draft-07/schema", "draft-07" },
	{ "http://json-schema.org/draft-06/schema", "draft-06" },
	{ "http://json-schema.org/draft-04/schema", "draft-04" },
	{ "http://json-schema.org/draft-03/schema", "draft-03" },
};

static unsigned vocabulary_bit(const struct json_text *uri)
{
	size_t n = strlen(VOCABULARY);

	if (uri->len < n || memcmp(uri->bytes, VOCABULARY, n) != 0)
		return 0;
	for (size_t i = 0; i < sizeof vocabularies / sizeof *vocabularies; i++)
		if (strcmp(uri->bytes + n, vocabularies[i].name) == 0)
			return vocabularies[i].bit;
	return 0;
}

static unsigned read_vocabulary(const struct json_value *v, const char *dialect,
				struct schema_fault *fault)
{
	unsigned bits = VOCAB_CORE;

	if (v == NULL)
		return VOCAB_ALL;
	if (v->type != JSON_OBJECT)
		return (unsigned)(schema_fail(fault, SCHEMA_INVALID,
					      "%s: $vocabulary must be an "
					      "object",
					      dialect),
				  0);
	for (size_t i = 0; i < v->u.object.len; i++) {
		const struct json_member *m = &v->u.object.members[i];
		unsigned bit = vocabulary_bit(&m->name);

		bits |= bit;
		if (bit != 0 || m->value.type != JSON_BOOL ||
		    !m->value.u.boolean)
			continue;
		(void)schema_fail(
			fault, SCHEMA_INVALID,
			"%s requires the vocabulary %s, which is unknown",
			dialect, m->name.bytes);
		return 0;
	}
	return bits;
}

static unsigned dialect_vocabularies(struct schema_set *set,
				     const struct json_text *dialect,
				     struct schema_fault *fault)
{
	char *uri = arena_copy(&set->arena, dialect->bytes, dialect->len);
	const struct schema_document *doc;

	if (uri == NULL) {
		(void)schema_fail(fault, SCHEMA_NO_MEMORY, "no memory");
		return 0;
	}
	if (dialect->len > 0 && uri[dialect->len - 1] == '#')
		uri[dialect->len - 1] = '\0';
	if (strcmp(uri, DIALECT) == 0)
		return VOCAB_ALL;
	for (size_t i = 0; i < sizeof drafts / sizeof *drafts; i++) {
		if (strcmp(uri, drafts[i].uri) != 0)
			continue;
		(void)schema_fail(fault, SCHEMA_INVALID,
				  "$schema: %s is not supported, only draft "
				  "2020-12 is",
				  drafts[i].name);
		return 0;
	}
	doc = schema_document_find(set, uri);
	if (doc != NULL)
		return read_vocabulary(json_find(&doc->value, "$vocabulary"),
				       uri, fault);
	(void)schema_fail(fault, SCHEMA_UNRESOLVED,
			  "$schema: the metaschema %s was not given", uri);
	return 0;
}

unsigned schema_vocabularies(struct schema_set *set, struct schema_resource *r,
			     struct schema_fault *fault)
{
	const struct schema_resource *with = r;

	if (r->vocabularies != 0)
		return r->vocabularies;
	while (with->dialect == NULL && with->outer != NULL)
		with = with->outer;
	r->vocabularies =
		with->dialect == NULL
			? VOCAB_ALL
			: dialect_vocabularies(set, with->dialect, fault);
	return r->vocabularies;
}

/* The item of v that one token of a pointer names.  Undoes ~0 and ~1. */
static const struct json_value *step_into(const struct json_value *v,
					  char *token, size_t len)
{
	size_t n = 0;
	size_t index = 0;

	if (v->type == JSON_OBJECT) {
		for (size_t i = 0; i < len; i++) {
			if (token[i] == '~' && i + 1 < len)
				token[n++] = token[++i] == '0' ? '~' : '/';
			else
				token[n++] = token[i];
		}
		return json_find_bytes(v, token, n);
	}
	if (v->type != JSON_ARRAY || len == 0 || len > 10 ||
	    (token[0] == '0' && len > 1))
		return NULL;
	for (size_t i = 0; i < len; i++) {
		if (token[i] < '0' || token[i] > '9')
			return NULL;
		index = index * 10 + (size_t)(token[i] - '0');
	}
	return index < v->u.array.len ? &v->u.array.items[index] : NULL;
}

/* pointer begins with '/'; it is used up. */
static struct schema_node *follow_pointer(struct schema_set *set,
					  struct schema_node *from,
					  char *pointer, size_t len,
					  struct schema_fault *fault)
{
	const struct json_value *v = from->value;
	struct schema_node *near = from;
	struct schema_node *out = NULL;
	char *whole = arena_copy(&set->arena, pointer, len);
	size_t near_end = 0;
	size_t at = 0;

	while (whole != NULL && v != NULL && at < len) {
		char *slash = memchr(pointer + at + 1, '/', len - at - 1);
		size_t end = slash != NULL ? (size_t)(slash - pointer) : len;

		v = step_into(v, pointer + at + 1, end - at - 1);
		at = end;
		if (v != NULL && schema_node_find(set, v) != NULL) {
			near = schema_node_find(set, v);
			near_end = at;
		}
	}
	if (whole == NULL || v == NULL)
		return NULL;
	if (near->value == v)
		return near;
	if (v->type == JSON_OBJECT || v->type == JSON_BOOL)
		out = schema_scan_value(set, v, near, whole + near_end, fault);
	return out;
}

struct schema_node *schema_resolve(struct schema_set *set,
				   const struct schema_node *node,
				   const struct json_text *ref,
				   struct schema_anchor **ret_anchor,
				   struct schema_fault *fault)
{
	char *uri = uri_resolve(&set->arena, node->resource->uri, ref->bytes);
	char *fragment = uri != NULL ? uri_cut_fragment(uri) : NULL;
	struct schema_resource *r;
	struct schema_node *out = NULL;
	ptrdiff_t len = 0;

	*ret_anchor = NULL;
	r = uri != NULL && strlen(ref->bytes) == ref->len
		    ? schema_resource_find(set, uri)
		    : NULL;
	if (fragment != NULL)
		len = uri_decode(fragment);
	if (r != NULL && len == 0)
		return r->root;
	if (r != NULL && len > 0 && fragment[0] == '/') {
		out = follow_pointer(set, r->root, fragment, (size_t)len,
				     fault);
	} else if (r != NULL && len > 0) {
		*ret_anchor = schema_anchor_find(r, fragment, (size_t)len);
		out = *ret_anchor != NULL ? (*ret_anchor)->node : NULL;
	}
	if (out == NULL && fault->code == SCHEMA_OK)
		(void)schema_fail(fault, SCHEMA_UNRESOLVED, "%s names %s",
				  ref->bytes,
				  r == NULL ? "a document that was not given"
					    : "nothing that is a schema");
	return out;
}
