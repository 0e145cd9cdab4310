/* yaml_context.c -- converts a repo-context.yaml, which anyone may have edited,
 * to JSON.
 *
 * No probe of the catalogue: `cupel explain` asks for it.  One input, one
 * document; a plain scalar is null, a truth value or a number only where JSON
 * would write it so. */
#include <errno.h>
#include <string.h>

#include "parsers/common/parse.h"
#include "parsers/yaml/yaml.h"

#define CONTEXT_BYTES ((size_t)30 << 20) /* as JSON: thirty slices */

struct context {
	const struct parse_input *in;
	struct parse_report *report;
	struct jsonw out;
};

static bool is_one_of(struct json_text t, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strlen(*words) == t.len &&
		    memcmp(*words, t.bytes, t.len) == 0)
			return true;
	return false;
}

static size_t digits(struct json_text t, size_t at)
{
	size_t n = 0;

	while (at + n < t.len && t.bytes[at + n] >= '0' &&
	       t.bytes[at + n] <= '9')
		n++;
	return n;
}

/* RFC 8259, section 6. */
static bool is_number(struct json_text t)
{
	size_t at = t.len > 0 && t.bytes[0] == '-';
	size_t n = digits(t, at);

	if (n == 0 || (n > 1 && t.bytes[at] == '0'))
		return false;
	at += n;
	if (at < t.len && t.bytes[at] == '.') {
		n = digits(t, at + 1);
		if (n == 0)
			return false;
		at += 1 + n;
	}
	if (at < t.len && (t.bytes[at] == 'e' || t.bytes[at] == 'E')) {
		at++;
		if (at < t.len && (t.bytes[at] == '+' || t.bytes[at] == '-'))
			at++;
		n = digits(t, at);
		if (n == 0)
			return false;
		at += n;
	}
	return at == t.len;
}

static void scalar_put(struct context *c, const char *key,
		       const struct yaml_node *n)
{
	static const char *const yes[] = { "true", "True", "TRUE", NULL };
	static const char *const no[] = { "false", "False", "FALSE", NULL };
	struct json_text t = n->u.text;

	if (yaml_is_null(n))
		jsonw_null(&c->out, key);
	else if (n->is_plain && (is_one_of(t, yes) || is_one_of(t, no)))
		jsonw_bool(&c->out, key, is_one_of(t, yes));
	else if (n->is_plain && is_number(t))
		jsonw_raw(&c->out, key, t.bytes, t.len);
	else
		jsonw_bytes(&c->out, key, t.bytes, t.len);
}

/* Depth is at most PARSE_DEPTH: yaml_read saw to it. */
static void node_put(struct context *c, const char *key,
		     const struct yaml_node *n);

static void mapping_put(struct context *c, const struct yaml_node *n)
{
	for (size_t i = 0; i < n->u.mapping.len; i++) {
		const struct yaml_pair *p = &n->u.mapping.pairs[i];

		if (p->key->type != YAML_SCALAR ||
		    memchr(p->key->u.text.bytes, '\0', p->key->u.text.len)) {
			report_note(&c->report->errors, "yaml_key", c->in,
				    (int64_t)p->key->offset,
				    "is not a key of a context");
			continue;
		}
		node_put(c, p->key->u.text.bytes, p->value);
	}
}

static void node_put(struct context *c, const char *key,
		     const struct yaml_node *n)
{
	if (buf_has_failed(c->out.out))
		return;
	switch (n->type) {
	case YAML_MAPPING:
		jsonw_object(&c->out, key);
		mapping_put(c, n);
		jsonw_end_object(&c->out);
		break;
	case YAML_SEQUENCE:
		jsonw_array(&c->out, key);
		for (size_t i = 0; i < n->u.sequence.len; i++)
			node_put(c, NULL, n->u.sequence.items[i]);
		jsonw_end_array(&c->out);
		break;
	default:
		scalar_put(c, key, n);
		break;
	}
}

int context_read_run(const struct parse_inputs *in, struct parse_report *r)
{
	const struct parse_input *file = in->len > 0 ? &in->items[0] : NULL;
	const struct yaml_caps caps = { .are_keys_names = true };
	struct context c = { .in = file, .report = r };
	struct yaml_documents docs = { 0 };
	struct arena arena = { 0 };

	c.out.out = &r->slice;
	r->slice.cap_bytes = CONTEXT_BYTES;
	if (file == NULL || in->len > 1)
		report_note(&r->errors, "yaml_documents", NULL, -1,
			    "expected one file");
	else if (yaml_read(file, &caps, &arena, &docs, r) == 0 && docs.len != 1)
		report_note(&r->errors, "yaml_documents", file, -1,
			    "expected one document");
	if (r->errors.total == 0)
		node_put(&c, NULL, docs.items[0]);
	arena_done(&arena);
	return 0;
}
