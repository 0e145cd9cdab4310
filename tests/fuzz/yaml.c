/* yaml.c -- fuzz: bytes as YAML.
 *
 * What must hold: an error is noted exactly when the reader says so, and lies
 * within the text; a tree written out keeps to the caps on nodes, bytes and
 * depth; texts are UTF-8; no name stands twice in a mapping (1 and "1" are
 * two). */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "parsers/yaml/yaml.h"

#define NODES 20000U

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

struct walk {
	size_t nodes, size; /* size: bytes of the text */
};

static void must(int holds)
{
	if (!holds)
		abort();
}

static void names_check(const struct yaml_node *n)
{
	size_t some = n->u.mapping.len < 50 ? n->u.mapping.len : 50;

	for (size_t i = 0; i < some; i++)
		for (size_t k = 0; k < i; k++) {
			const struct yaml_node *a = n->u.mapping.pairs[i].key;
			const struct yaml_node *b = n->u.mapping.pairs[k].key;

			must(a->type != YAML_SCALAR || b->type != YAML_SCALAR ||
			     yaml_is_string(a) != yaml_is_string(b) ||
			     a->u.text.len != b->u.text.len ||
			     memcmp(a->u.text.bytes, b->u.text.bytes,
				    a->u.text.len) != 0);
		}
}

static void node_check(struct walk *w, const struct yaml_node *n,
		       unsigned depth)
{
	must(n->offset <= w->size);
	w->nodes++;
	if (n->type == YAML_SCALAR) {
		must(n->u.text.bytes[n->u.text.len] == '\0');
		must(utf8_is_valid(n->u.text.bytes, n->u.text.len));
		w->nodes += n->u.text.len / YAML_TEXT_NODE;
		return;
	}
	must(depth < PARSE_DEPTH);
	if (n->type == YAML_SEQUENCE) {
		for (size_t i = 0; i < n->u.sequence.len; i++)
			node_check(w, n->u.sequence.items[i], depth + 1);
		return;
	}
	must(n->type == YAML_MAPPING);
	names_check(n);
	for (size_t i = 0; i < n->u.mapping.len; i++) {
		node_check(w, n->u.mapping.pairs[i].key, depth + 1);
		node_check(w, n->u.mapping.pairs[i].value, depth + 1);
	}
}

static void notes_check(const struct parse_report *r, size_t n)
{
	const char *at = r->errors.text.bytes;

	while (at != NULL && (at = strstr(at, "\"offset\":")) != NULL) {
		at += strlen("\"offset\":");
		must(strtoull(at, NULL, 10) <= n);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct parse_input in = { .name = "f",
				  .name_len = 1,
				  .bytes = (const char *)bytes,
				  .len = n };
	struct yaml_caps caps = { .nodes = NODES };
	struct walk w = { .size = n };
	struct yaml_documents docs;
	struct arena arena = { 0 };
	struct parse_report r;
	int result;

	parse_report_init(&r);
	result = yaml_read(&in, &caps, &arena, &docs, &r);
	must(result == 0 ? r.errors.total == 0
			 : result == -EINVAL && r.errors.total == 1);
	notes_check(&r, n);
	for (size_t i = 0; i < docs.len; i++)
		node_check(&w, docs.items[i], 0);
	must(w.nodes <= NODES);
	must(arena.cap_bytes == 0);
	arena_done(&arena);
	parse_report_done(&r);
	return 0;
}
