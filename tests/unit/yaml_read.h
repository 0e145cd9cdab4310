/* yaml_read.h -- a text read as YAML, and what came of it. */
#ifndef CUPEL_TESTS_YAML_READ_H
#define CUPEL_TESTS_YAML_READ_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "json_at.h"
#include "parsers/yaml/yaml.h"

struct read {
	struct arena arena;
	struct yaml_documents docs;
	struct parse_report report;
	struct parse_input in;
	int result;
};

static inline void read_bytes(struct read *t, const char *bytes, size_t len,
			      const struct yaml_caps *caps)
{
	*t = (struct read){ .in = {
				    .name = "f.yml",
				    .name_len = 5,
				    .bytes = bytes,
				    .len = len,
			    } };
	parse_report_init(&t->report);
	t->result = yaml_read(&t->in, caps, &t->arena, &t->docs, &t->report);
}

static inline void read_text(struct read *t, const char *text)
{
	read_bytes(t, text, strlen(text), NULL);
}

static inline void read_done(struct read *t)
{
	parse_report_done(&t->report);
	arena_done(&t->arena);
}

static inline void node_show(const struct yaml_node *n, struct buf *out)
{
	if (n->type == YAML_SCALAR) {
		if (n->is_plain)
			buf_add(out, n->u.text.bytes, n->u.text.len);
		else
			jsonw_quote(out, n->u.text.bytes, n->u.text.len);
		return;
	}
	buf_char(out, n->type == YAML_SEQUENCE ? '[' : '{');
	if (n->type == YAML_SEQUENCE)
		for (size_t i = 0; i < n->u.sequence.len; i++) {
			node_show(n->u.sequence.items[i], out);
			buf_char(out, ' ');
		}
	else
		for (size_t i = 0; i < n->u.mapping.len; i++) {
			node_show(n->u.mapping.pairs[i].key, out);
			buf_char(out, '=');
			node_show(n->u.mapping.pairs[i].value, out);
			buf_char(out, ' ');
		}
	buf_char(out, n->type == YAML_SEQUENCE ? ']' : '}');
}

/* text reads as want: documents with a '|' behind each. */
static inline void is_read_as(const char *text, const char *want)
{
	struct read t;
	struct buf out = { 0 };

	read_text(&t, text);
	ok_int(t.result, 0);
	buf_text(&out, "");
	for (size_t i = 0; i < t.docs.len; i++) {
		node_show(t.docs.items[i], &out);
		buf_char(&out, '|');
	}
	if (strcmp(out.bytes ? out.bytes : "", want) != 0) {
		tap_bad++;
		fprintf(stderr, "# %s\n# is %s\n# wanted %s\n", text,
			out.bytes ? out.bytes : "", want);
	}
	buf_done(&out);
	read_done(&t);
}

/* Refused with code at offset (-1: any), after kept documents. */
static inline void is_refused(const char *bytes, size_t len, const char *code,
			      long offset, size_t kept)
{
	char want[160];
	struct read t;

	read_bytes(&t, bytes, len, NULL);
	ok_int(t.result, -EINVAL);
	ok_int(t.report.errors.total, 1);
	ok_int(t.docs.len, kept);
	(void)snprintf(
		want, sizeof want,
		"[{\"code\":\"%s\",\"source\":\"f.yml\",\"offset\":", code);
	if (offset >= 0)
		(void)snprintf(want + strlen(want), sizeof want - strlen(want),
			       "%ld,", offset);
	ok_has(t.report.errors.text.bytes, want);
	read_done(&t);
}

static inline void text_is_refused(const char *text, const char *code,
				   long offset)
{
	is_refused(text, strlen(text), code, offset, 0);
}

#endif
