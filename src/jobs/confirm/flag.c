/* flag.c -- see flag.h. */
#include "jobs/confirm/flag.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

static int fault_add(struct flags *f, size_t number, const char *message)
{
	if (message == NULL || !array_grow((void **)&f->faults, f->faults_len,
					   &f->faults_room, sizeof *f->faults))
		return -ENOMEM;
	f->faults[f->faults_len++] = (struct flag_fault){ number, message };
	return 0;
}

/* A string without NUL, at least one byte.  Returns NULL when it is none. */
static const char *text_of(const struct json_value *tree, const char *name)
{
	const struct json_value *v = json_find(tree, name);

	if (v == NULL || v->type != JSON_STRING || v->u.string.len == 0 ||
	    memchr(v->u.string.bytes, '\0', v->u.string.len) != NULL)
		return NULL;
	return v->u.string.bytes;
}

static bool is_absent(const struct json_value *tree, const char *name)
{
	const struct json_value *v = json_find(tree, name);

	return v == NULL || v->type == JSON_NULL;
}

/* What is wrong with the object, or NULL and *ret. */
static const char *flag_of(const struct json_value *tree, struct flag *ret)
{
	if (tree->type != JSON_OBJECT)
		return "expected an object";
	ret->file = text_of(tree, "file");
	if (ret->file == NULL)
		return "file: expected a path in quotes";
	ret->flag_class = text_of(tree, "flag_class");
	if (ret->flag_class == NULL)
		return "flag_class: expected a name in quotes";
	ret->function = text_of(tree, "function");
	if (ret->function == NULL && !is_absent(tree, "function"))
		return "function: expected a name in quotes";
	if (!is_absent(tree, "line") &&
	    (json_read_u64(json_find(tree, "line"), &ret->line) < 0 ||
	     ret->line < 1 || ret->line > FLAG_LINE_MAX))
		return "line: expected a whole number from 1";
	if (ret->function == NULL && ret->line == 0)
		return "function: expected a name, or a line without one";
	if (!is_absent(tree, "witness_hints"))
		ret->hints = json_find(tree, "witness_hints");
	return NULL;
}

static int line_read(struct flags *f, const char *line, size_t n, size_t number)
{
	const struct json_caps caps = { .text_bytes = FLAG_LINE_BYTES,
					.depth = 32,
					.memory_bytes = FLAG_LINE_BYTES * 16 };
	struct json_value *tree = arena_alloc(&f->arena, sizeof *tree);
	struct flag flag = { .number = number };
	struct json_error e = { 0 };
	const char *why;

	if (tree == NULL)
		return -ENOMEM;
	if (json_parse(line, n, &caps, &f->arena, tree, &e) < 0)
		return fault_add(f, number,
				 arena_format(&f->arena, "%s at column %zu%s%s",
					      json_code_name(e.code), e.column,
					      e.expected ? ": expected " : "",
					      e.expected ? e.expected : ""));
	why = flag_of(tree, &flag);
	if (why != NULL)
		return fault_add(f, number, why);
	if (!array_grow((void **)&f->items, f->len, &f->room, sizeof *f->items))
		return -ENOMEM;
	f->items[f->len++] = flag;
	return 0;
}

static bool is_blank(const char *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
			return false;
	return true;
}

int flags_read(const char *text, size_t n, struct flags *ret)
{
	size_t number = 0;
	int e = 0;

	while (n > 0 && e == 0) {
		const char *eol = memchr(text, '\n', n);
		size_t len = eol ? (size_t)(eol - text) : n;

		number++;
		if (!is_blank(text, len))
			e = line_read(ret, text, len, number);
		len += eol != NULL;
		text += len;
		n -= len;
	}
	return e;
}

void flags_done(struct flags *f)
{
	free(f->items);
	free(f->faults);
	arena_done(&f->arena);
	*f = (struct flags){ 0 };
}
