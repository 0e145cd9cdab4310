/* tests_inventory.c -- the probe test_inventory: which tests there are.
 *
 * Nothing is run, so every count is a static one.  unit_test_count is the
 * number of test calls in the files that a framework would pick up by their
 * names, whatever describe.each or a loop makes of them. */
#include <errno.h>
#include <stdlib.h>

#include "parsers/tests/tests.h"

#define SLACK_BYTES ((size_t)4 << 10)

static void sum_put(struct jsonw *w, const char *key,
		    const struct inventory_sum *sum)
{
	jsonw_object(w, key);
	jsonw_uint(w, "files", sum->files);
	jsonw_uint(w, "tests", sum->tests);
	jsonw_uint(w, "skipped", sum->skipped);
	jsonw_uint(w, "todo", sum->todo);
	jsonw_end_object(w);
}

static int slice_write(struct inventory *inv)
{
	struct jsonw w = { .out = &inv->report->slice };
	size_t used;
	int e;

	jsonw_object(&w, NULL);
	jsonw_text_or_null(&w, "primary",
			   tests_framework_name(tests_framework_primary(inv)));
	jsonw_uint(&w, "unit_test_count", inv->unit.tests);
	jsonw_bool(&w, "unit_test_count_static", true);
	sum_put(&w, "unit", &inv->unit);
	sum_put(&w, "e2e", &inv->e2e);
	e = tests_coverage_write(inv, &w);
	used = inv->report->slice.len + SLACK_BYTES;
	slice_lists_write(inv->lists, INVENTORY_LISTS_MAX_,
			  used < PARSE_SLICE_BYTES ? PARSE_SLICE_BYTES - used
						   : 0,
			  &w, inv->report);
	jsonw_end_object(&w);
	return e;
}

int test_inventory_run(const struct parse_inputs *in, struct parse_report *r)
{
	struct inventory inv = { .report = r };
	int e;

	inv.lists[INVENTORY_FRAMEWORKS].key = "frameworks";
	inv.lists[INVENTORY_COMMANDS].key = "commands";
	inv.lists[INVENTORY_FILES].key = "files";
	e = project_read(in, r, &inv.project);
	r->version = "2.0";
	if (e == 0) {
		inv.declared = calloc(inv.project.manifests_len + 1,
				      sizeof *inv.declared);
		e = inv.declared == NULL ? -ENOMEM : 0;
	}
	if (e == 0) {
		tests_frameworks_read(&inv);
		tests_commands_read(&inv);
		tests_build_commands_read(&inv);
		tests_files_read(&inv);
		e = slice_write(&inv);
	}
	slice_lists_done(inv.lists, INVENTORY_LISTS_MAX_);
	free(inv.declared);
	project_done(&inv.project);
	return e;
}
