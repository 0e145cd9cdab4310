/* schema.c -- sets of schema documents.  See schema.h, schema_private.h. */
#include "boundary/schema.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "boundary/schema_private.h"
#include "boundary/uri.h"

/* Schemas are the caller's own, so they may be larger than payloads. */
#define DOCUMENT_BYTES  ((size_t)16 << 20)
#define DOCUMENT_MEMORY ((size_t)512 << 20)

static const char *const code_names[] = {
	[SCHEMA_OK] = "ok",
	[SCHEMA_MALFORMED] = "malformed",
	[SCHEMA_INVALID] = "invalid",
	[SCHEMA_UNRESOLVED] = "unresolved",
	[SCHEMA_BAD_PATTERN] = "bad_pattern",
	[SCHEMA_MATCH_LIMIT] = "match_limit",
	[SCHEMA_TOO_DEEP] = "too_deep",
	[SCHEMA_TOO_COSTLY] = "too_costly",
	[SCHEMA_NO_MEMORY] = "no_memory",
};
_Static_assert(sizeof code_names / sizeof *code_names == SCHEMA_CODE_MAX_,
	       "a name for every code");

const char *schema_code_name(enum schema_code code)
{
	return (unsigned)code < SCHEMA_CODE_MAX_ ? code_names[code] : "?";
}

int schema_fail(struct schema_fault *fault, enum schema_code code,
		const char *fmt, ...)
{
	va_list ap;

	fault->code = code;
	va_start(ap, fmt);
	(void)vsnprintf(fault->text, sizeof fault->text, fmt, ap);
	va_end(ap);
	utf8_make_line(fault->text);
	return -EINVAL;
}

struct schema_set *schema_set_new(void)
{
	return calloc(1, sizeof(struct schema_set));
}

void schema_set_free(struct schema_set *set)
{
	if (set == NULL)
		return;
	for (struct pattern_list *p = set->patterns; p != NULL; p = p->next)
		pattern_free(p->pattern);
	free(set->map);
	arena_done(&set->arena);
	free(set);
}

/* Parse and keep; not scanned yet. */
static struct schema_document *schema_document_add(struct schema_set *set,
						   const char *uri,
						   const char *bytes, size_t n,
						   struct schema_fault *fault)
{
	const struct json_caps caps = { .text_bytes = DOCUMENT_BYTES,
					.string_bytes = DOCUMENT_BYTES,
					.depth = SCHEMA_DOCUMENT_DEPTH,
					.memory_bytes = DOCUMENT_MEMORY };
	struct schema_document *doc = arena_alloc(&set->arena, sizeof *doc);
	struct schema_document **last = &set->documents;
	struct json_error err;

	if (doc != NULL)
		doc->uri = arena_text(&set->arena, uri != NULL ? uri : "");
	if (doc == NULL || doc->uri == NULL) {
		(void)schema_fail(fault, SCHEMA_NO_MEMORY, "no memory");
		return NULL;
	}
	doc->named = uri != NULL;
	if (json_parse(bytes, n, &caps, &set->arena, &doc->value, &err) < 0) {
		(void)schema_fail(fault,
				  err.code == JSON_NO_MEMORY ? SCHEMA_NO_MEMORY
							     : SCHEMA_MALFORMED,
				  "%s%sline %zu, column %zu: %s: expected %s",
				  doc->uri, doc->named ? ": " : "", err.line,
				  err.column, json_code_name(err.code),
				  err.expected);
		return NULL;
	}
	while (*last != NULL)
		last = &(*last)->next;
	*last = doc;
	return doc;
}

static struct schema_document *find_given(const struct schema_set *set,
					  const char *uri)
{
	for (struct schema_document *d = set->documents; d; d = d->next)
		if (uri == NULL ? !d->named
				: d->named && strcmp(d->uri, uri) == 0)
			return d;
	return NULL;
}

static bool is_same_id(const struct json_value *id, const char *uri)
{
	size_t len;

	if (id == NULL || id->type != JSON_STRING)
		return false;
	len = id->u.string.len;
	if (len > 0 && id->u.string.bytes[len - 1] == '#')
		len--;
	return strlen(uri) == len && memcmp(id->u.string.bytes, uri, len) == 0;
}

struct schema_document *schema_document_find(struct schema_set *set,
					     const char *uri)
{
	struct schema_document *given = find_given(set, uri);
	struct schema_fault ignored;

	if (given != NULL)
		return given;
	for (struct schema_document *d = set->documents; d; d = d->next)
		if (is_same_id(json_find(&d->value, "$id"), uri))
			return d;
	for (size_t i = 0; i < schema_builtins_len; i++) {
		const struct schema_builtin *b = &schema_builtins[i];

		if (strcmp(b->uri, uri) == 0)
			return schema_document_add(set, uri,
						   (const char *)b->bytes,
						   b->len, &ignored);
	}
	return NULL;
}

int schema_set_add(struct schema_set *set, const char *uri, const char *bytes,
		   size_t n, struct schema_fault *fault)
{
	struct schema_fault local = { 0 };
	char *name = uri != NULL ? arena_text(&set->arena, uri) : NULL;
	const char *fragment = name != NULL ? uri_cut_fragment(name) : NULL;

	if (uri != NULL && name == NULL)
		return schema_fail(fault, SCHEMA_NO_MEMORY, "no memory");
	if (uri != NULL && !uri_has_form(uri))
		return schema_fail(fault, SCHEMA_INVALID, "%s: is not a URI",
				   uri);
	if (fragment != NULL && *fragment != '\0')
		return schema_fail(
			fault, SCHEMA_INVALID,
			"%s: the name of a document may not have a fragment",
			uri);
	if (find_given(set, name) != NULL)
		return schema_fail(fault, SCHEMA_INVALID, "%s: was given twice",
				   uri != NULL ? uri : "the root document");
	if (schema_document_add(set, name, bytes, n, &local) == NULL) {
		*fault = local;
		return -EINVAL;
	}
	return 0;
}

static int scan_once(struct schema_set *set, struct schema_document *doc,
		     struct schema_fault *fault)
{
	return doc->resource != NULL ? 0
				     : schema_scan_document(set, doc, fault);
}

/* The root document is scanned first: when two documents use the same $id, the
 * first one keeps it. */
int schema_set_use(struct schema_set *set, const char *uri,
		   struct schema_fault *fault)
{
	struct schema_document *doc = find_given(set, uri);
	struct schema_fault local = { 0 };
	int r = 0;

	if (doc == NULL)
		return schema_fail(fault, SCHEMA_UNRESOLVED,
				   "%s: no such document was given",
				   uri != NULL ? uri : "the root");
	if (doc->value.type != JSON_OBJECT && doc->value.type != JSON_BOOL)
		return schema_fail(fault, SCHEMA_INVALID,
				   "a schema must be an object or a boolean");
	r = scan_once(set, doc, &local);
	for (struct schema_document *d = set->documents; r == 0 && d != NULL;
	     d = d->next)
		r = scan_once(set, d, &local);
	if (r == 0)
		r = schema_link(set, doc->resource->root, &local);
	if (r < 0) {
		*fault = local;
		return r;
	}
	set->root = doc->resource->root;
	return 0;
}

void schema_pointer_token(struct buf *out, const char *name, size_t len)
{
	buf_char(out, '/');
	for (size_t i = 0; i < len; i++) {
		if (name[i] == '~')
			buf_text(out, "~0");
		else if (name[i] == '/')
			buf_text(out, "~1");
		else
			buf_char(out, name[i]);
	}
}

void schema_location(const struct schema_node *node, const char *keyword,
		     struct buf *out)
{
	const struct schema_node *way[SCHEMA_DOCUMENT_DEPTH];
	size_t n = 0;
	const struct schema_resource *r = node->resource;

	for (; node != r->root && node->parent != NULL &&
	       n < SCHEMA_DOCUMENT_DEPTH;
	     node = node->parent)
		way[n++] = node;
	buf_text(out, r->uri);
	buf_char(out, '#');
	while (n > 0)
		buf_text(out, way[--n]->step);
	if (keyword != NULL)
		schema_pointer_token(out, keyword, strlen(keyword));
}

const char *schema_printable(struct arena *arena, const struct buf *text,
			     size_t cap)
{
	bool cut = text->len > cap;
	size_t n = cut ? utf8_cut(text->bytes, text->len, cap - 3) : text->len;
	char *out = arena_alloc(arena, n + 4);

	if (out == NULL)
		return "";
	for (size_t i = 0; i < n; i++)
		out[i] = text->bytes[i] != '\0' ? text->bytes[i] : '?';
	if (cut)
		memcpy(out + n, "...", 3);
	utf8_make_line(out);
	return out;
}
