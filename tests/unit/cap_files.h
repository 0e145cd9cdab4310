/* cap_files.h -- ci over files that grow until a cap is met: with n of something
 * nothing is left out, and with one more this is told. */
#ifndef CUPEL_TESTS_CAP_FILES_H
#define CUPEL_TESTS_CAP_FILES_H

#include <stdarg.h>
#include <time.h>

#include "probe_files.h"

/* Files that grow. */
struct files {
	struct {
		char name[700];
		struct buf text;
	} items[80];
	size_t len;
};

static struct buf *file(struct files *f, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The text of the file by that name, to be added to. */
static struct buf *file(struct files *f, const char *format, ...)
{
	char name[sizeof f->items[0].name];
	va_list args;
	size_t i = 0;

	va_start(args, format);
	(void)vsnprintf(name, sizeof name, format, args);
	va_end(args);
	while (i < f->len && strcmp(f->items[i].name, name) != 0)
		i++;
	if (i == f->len) {
		ok(f->len++ < sizeof f->items / sizeof *f->items);
		memcpy(f->items[i].name, name, sizeof name);
	}
	return &f->items[i].text;
}

/* Add a line for each number from first to last - 1. */
static inline void numbered(struct buf *text, const char *before,
			    const char *after, size_t first, size_t last)
{
	for (size_t i = first; i < last; i++)
		buf_format(text, "%s%zu%s", before, i, after);
}

/* A job of GitLab's that runs the command. */
static inline void job(struct files *f, const char *command)
{
	buf_format(file(f, ".gitlab-ci.yml"), "a:\n  script:\n  - %s\n",
		   command);
}

static char *answer(struct files *f)
{
	struct parse_input items[sizeof f->items / sizeof *f->items];
	char *o;

	for (size_t i = 0; i < f->len; i++)
		items[i] = (struct parse_input){
			.name = f->items[i].name,
			.name_len = strlen(f->items[i].name),
			.bytes = f->items[i].text.len > 0
					 ? f->items[i].text.bytes
					 : "",
			.len = f->items[i].text.len
		};
	qsort(items, f->len, sizeof *items, probe_file_compare);
	o = probe_inputs("ci", ci_run, &(struct parse_inputs){ items, f->len });
	for (size_t i = 0; i < f->len; i++)
		buf_done(&f->items[i].text);
	memset(f, 0, sizeof *f);
	return o;
}

/* Files that meet a cap with n + 1 of something, and not with n. */
struct cap {
	void (*fill)(struct files *f, size_t n);
	size_t n;
	const char *source;  /* of the warning */
	const char *code;    /* NULL: "truncated" */
	const char *command; /* told as a test at n, and beyond it not */
};

static struct files files;

static inline void holds(const struct cap *c)
{
	const char *code = c->code != NULL ? c->code : "truncated";
	char quoted[64], want[800];
	char *o;

	(void)snprintf(quoted, sizeof quoted, "\"%s\"", code);
	(void)snprintf(want, sizeof want, "{\"code\":\"%s\",\"source\":\"%s\"}",
		       code, c->source);
	c->fill(&files, c->n);
	o = answer(&files);
	if (json_count(o, "/warnings/ANY/code", quoted) != 0)
		fprintf(stderr, "# %s, %zu: told too early\n", c->source, c->n);
	ok_int(json_count(o, "/warnings/ANY/code", quoted), 0);
	if (c->command != NULL)
		ok_has(o, c->command);
	free(o);
	c->fill(&files, c->n + 1);
	o = answer(&files);
	ok_int(json_count(o, "/warnings/ANY/code", quoted), 1);
	ok_json(o, "/warnings/ANY", want);
	ok_json(o, "/confidence", "\"high\"");
	if (c->command != NULL)
		ok_lacks(o, c->command);
	free(o);
}

static inline void all_hold(const struct cap *caps, size_t len)
{
	const clock_t begun = clock();

	for (size_t i = 0; i < len; i++)
		holds(&caps[i]);
	tap_time(clock() - begun, 10 * CLOCKS_PER_SEC); /* usually below 1 s */
}
#define ALL_HOLD(...)                                                          \
	all_hold((const struct cap[]){ __VA_ARGS__ },                          \
		 sizeof((const struct cap[]){ __VA_ARGS__ }) /                 \
			 sizeof(struct cap))

#endif
