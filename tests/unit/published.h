/* published.h -- a published schema, held by our own validator. */
#ifndef CUPEL_TESTS_PUBLISHED_H
#define CUPEL_TESTS_PUBLISHED_H

#include "tap.h"

#include "base/arena.h"
#include "boundary/json.h"
#include "boundary/schema.h"
#include "spec/schemas.h"

/* Every other published one, by its $id: some refer to others. */
static void add_others(struct schema_set *set, const struct data_text *text)
{
	struct schema_fault fault = { 0 };
	const struct data_text *other;

	for (size_t i = 0; (other = schema_text_at(i)) != NULL; i++) {
		char uri[128];

		(void)snprintf(uri, sizeof uri, "urn:cupel:schema:%s-1.%d",
			       other->name,
			       strcmp(other->name, "node_manifest") == 0);
		ok_has(other->bytes, uri);
		if (other != text)
			ok_int(schema_set_add(set, uri, other->bytes,
					      other->len, &fault),
			       0);
	}
}

/* The schema of that name, compiled; free with schema_set_free(). */
static struct schema_set *open_schema(const char *name)
{
	const struct data_text *text = schema_text_find(name);
	struct schema_set *set = schema_set_new();
	struct schema_fault fault = { 0 };
	int r = -1;

	ok(text != NULL && set != NULL);
	if (text != NULL && set != NULL)
		r = schema_set_add(set, NULL, text->bytes, text->len, &fault);
	if (r == 0) {
		add_others(set, text);
		r = schema_set_use(set, NULL, &fault);
	}
	ok_int(r, 0);
	if (r != 0)
		fprintf(stderr, "# %s: %s\n", name, fault.text);
	return set;
}

/* 1 valid, 0 not, -1 no answer.  loud: say why not. */
static int is_valid(const struct schema_set *set, const char *bytes, size_t n,
		    bool loud)
{
	struct arena arena = { 0 };
	struct schema_report report = { 0 };
	struct schema_fault fault = { 0 };
	struct json_error e = { 0 };
	struct json_value v;
	int out = -1;

	if (json_parse(bytes, n, NULL, &arena, &v, &e) == 0 &&
	    schema_validate(set, &v, &arena, &report, &fault) == 0)
		out = report.valid;
	if (out != 1 && loud)
		fprintf(stderr, "# %s %s %s\n", fault.text,
			report.len > 0 ? report.violations[0].instance : "",
			report.len > 0 ? report.violations[0].message : "");
	arena_done(&arena);
	return out;
}

#endif
