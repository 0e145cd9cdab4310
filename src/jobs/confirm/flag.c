/* flag.c -- see flag.h. */
#include "jobs/confirm/flag.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/grow.h"

int flags_fault(struct flags *f, size_t number, const char *message)
{
	f->faults_all++;
	if (f->faults_all > FLAG_FAULTS_MAX)
		return 0;
	if (message == NULL || !array_grow((void **)&f->faults, f->faults_len,
					   &f->faults_room, sizeof *f->faults))
		return -ENOMEM;
	f->faults[f->faults_len++] = (struct flag_fault){ number, message };
	return 0;
}

int flags_fault_json(struct flags *f, size_t number, const struct json_error *e)
{
	const char *message = NULL;

	/* Only the faults that are kept need a message. */
	if (f->faults_all < FLAG_FAULTS_MAX)
		message = arena_format(&f->arena, "%s at column %zu%s%s",
				       json_code_name(e->code), e->column,
				       e->expected ? ": expected " : "",
				       e->expected ? e->expected : "");
	return flags_fault(f, number, message);
}

static bool is_longer(const char *text, size_t most)
{
	return text != NULL && strnlen(text, most + 1) > most;
}

static_assert(FLAGS_MAX == 1048576 && FLAG_NAME_BYTES == 1024 &&
		      FLAG_FILE_BYTES == 4096,
	      "as the faults below say");

int flags_add(struct flags *f, const struct flag *flag)
{
	const struct {
		const char *text, *why;
	} names[] = {
		{ flag->function, "function: expected at most 1024 bytes" },
		{ flag->flag_class, "flag_class: expected at most 1024 bytes" },
		{ flag->rule, "the rule: expected at most 1024 bytes" },
		{ flag->argument, "argument: expected at most 1024 bytes" },
	};

	if (is_longer(flag->file, FLAG_FILE_BYTES))
		return flags_fault(f, flag->number,
				   "file: expected at most 4096 bytes");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (is_longer(names[i].text, FLAG_NAME_BYTES))
			return flags_fault(f, flag->number, names[i].why);
	if (f->len == FLAGS_MAX)
		return flags_fault(f, flag->number,
				   "the flag is over the 1048576 that are "
				   "taken");
	if (!array_grow((void **)&f->items, f->len, &f->room, sizeof *f->items))
		return -ENOMEM;
	f->items[f->len++] = *flag;
	return 0;
}

/* A string without NUL of at least one byte, or NULL. */
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

/* Read the object into *ret.  Returns what is wrong with it, or NULL. */
static const char *flag_of(const struct json_value *tree, struct flag *ret)
{
	if (tree->type != JSON_OBJECT)
		return "expected an object";
	ret->file = text_of(tree, "file");
	if (ret->file == NULL)
		return is_absent(tree, "file") ? "file is missing"
					       : "file: expected a path in "
						 "quotes";
	ret->flag_class = text_of(tree, "flag_class");
	if (ret->flag_class == NULL)
		return is_absent(tree, "flag_class")
			       ? "flag_class is missing"
			       : "flag_class: expected a name in quotes";
	ret->function = text_of(tree, "function");
	if (ret->function == NULL && !is_absent(tree, "function"))
		return "function: expected a name in quotes";
	if (!is_absent(tree, "line") &&
	    (json_read_u64(json_find(tree, "line"), &ret->line) < 0 ||
	     ret->line < 1 || ret->line > FLAG_LINE_MAX))
		return "line: expected a whole number from 1";
	if (ret->function == NULL && ret->line == 0)
		return "function and line are missing: expected one of them";
	ret->argument = text_of(tree, "argument");
	if (ret->argument == NULL && !is_absent(tree, "argument"))
		return "argument: expected the name of a parameter in quotes";
	if (!is_absent(tree, "witness_hints"))
		ret->hints = json_find(tree, "witness_hints");
	return NULL;
}

/* Copy into f's arena what lies in another one. */
static bool flag_keep(struct flags *f, struct flag *flag)
{
	const char **texts[] = { &flag->file, &flag->function,
				 &flag->flag_class, &flag->argument };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (*texts[i] != NULL) {
			*texts[i] = arena_text(&f->arena, *texts[i]);
			if (*texts[i] == NULL)
				return false;
		}
	return true;
}

/* The hints outlive the line, so they are parsed again, by themselves. */
static bool hints_keep(struct flags *f, struct flag *flag)
{
	const struct json_caps caps = { .text_bytes = FLAG_LINE_BYTES * 6,
					.memory_bytes = FLAG_LINE_MEMORY };
	owned_buf struct buf text = { 0 };
	struct json_value *tree;
	struct json_error e;

	if (flag->hints == NULL)
		return true;
	tree = arena_alloc(&f->arena, sizeof *tree);
	json_write(flag->hints, &text);
	if (tree == NULL || buf_has_failed(&text) ||
	    json_parse(text.bytes, text.len, &caps, &f->arena, tree, &e) < 0)
		return false;
	flag->hints = tree;
	return true;
}

static int line_read(struct flags *f, const char *line, size_t n, size_t number)
{
	const struct json_caps caps = { .text_bytes = FLAG_LINE_BYTES,
					.depth = 32,
					.memory_bytes = FLAG_LINE_MEMORY };
	struct arena scratch = { 0 };
	struct json_value tree;
	struct flag flag = { .number = number };
	struct json_error e = { 0 };
	const char *why;
	int r = -ENOMEM;

	if (json_parse(line, n, &caps, &scratch, &tree, &e) < 0) {
		r = flags_fault_json(f, number, &e);
	} else {
		why = flag_of(&tree, &flag);
		if (why != NULL)
			r = flags_fault(f, number, why);
		else if (flag_keep(f, &flag) && hints_keep(f, &flag))
			r = flags_add(f, &flag);
	}
	arena_done(&scratch);
	return r;
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

	ret->unit = "line";
	ret->arena.cap_bytes = FLAGS_MEMORY;
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
