/* schema_rows.h -- tables of schema, value, verdict.  JSON is written with '
 * for ", so that it can be read. */
#ifndef CUPEL_TESTS_SCHEMA_ROWS_H
#define CUPEL_TESTS_SCHEMA_ROWS_H

#include <string.h>

#include "boundary/schema.h"
#include "tap.h"

enum verdict { INVALID, VALID, FAULT };

struct row {
	const char *schema; /* NULL: that of the row before */
	const char *value;
	enum verdict want;
	enum schema_code code; /* with FAULT */
};

struct given {
	const char *uri, *text;
};

static const char *quoted(const char *text, char *to, size_t room)
{
	size_t n = strlen(text);

	if (n >= room)
		n = room - 1;
	for (size_t i = 0; i < n; i++)
		to[i] = text[i] == '\'' ? '"' : text[i];
	to[n] = '\0';
	return to;
}

static struct schema_set *set_make(const char *schema,
				   const struct given *given,
				   struct schema_fault *fault)
{
	char text[8192];
	struct schema_set *set = schema_set_new();
	int r = 0;

	for (; r == 0 && given != NULL && given->uri != NULL; given++) {
		(void)quoted(given->text, text, sizeof text);
		r = schema_set_add(set, given->uri, text, strlen(text), fault);
	}
	(void)quoted(schema, text, sizeof text);
	if (r == 0)
		r = schema_set_add(set, NULL, text, strlen(text), fault);
	if (r == 0)
		r = schema_set_use(set, NULL, fault);
	if (r == 0)
		return set;
	schema_set_free(set);
	return NULL;
}

static enum verdict judge(const struct schema_set *set, const char *value,
			  struct schema_fault *fault)
{
	char text[8192];
	struct arena arena = { 0 };
	struct json_value v;
	struct json_error err;
	struct schema_report report;
	enum verdict out = FAULT;

	(void)quoted(value, text, sizeof text);
	ok_int(json_parse(text, strlen(text), NULL, &arena, &v, &err), 0);
	if (schema_validate(set, &v, &arena, &report, fault) == 0) {
		out = report.valid ? VALID : INVALID;
		ok(report.valid == (report.total == 0));
		ok(report.len <= report.total);
	}
	arena_done(&arena);
	return out;
}

static inline void hold_rows(const struct row *rows, size_t count,
			     const struct given *given)
{
	struct schema_set *set = NULL;
	struct schema_fault fault = { 0 };
	const char *schema = "";

	for (size_t i = 0; i < count; i++) {
		enum verdict got = FAULT;
		int bad = tap_bad;

		if (rows[i].schema != NULL) {
			schema_set_free(set);
			fault = (struct schema_fault){ 0 };
			schema = rows[i].schema;
			set = set_make(schema, given, &fault);
		}
		if (set != NULL)
			got = judge(set, rows[i].value, &fault);
		ok_int(got, rows[i].want);
		if (got == FAULT)
			ok_int(fault.code, rows[i].code);
		if (tap_bad != bad)
			fprintf(stderr, "# %s held against %s (%s)\n",
				rows[i].value, schema, fault.text);
	}
	schema_set_free(set);
}
#define HOLD(rows, given) hold_rows(rows, sizeof rows / sizeof *rows, given)

#endif
