/* tests_coverage.c -- adds up the coverage that was left in the repository.
 *
 * It reads lcov.info as tests_lcov.h says.  It reads istanbul's
 * coverage-summary.json only where no lcov.info lies beside it, because both
 * say the same. */
#include <errno.h>
#include <stdlib.h>

#include "parsers/tests/tests.h"
#include "parsers/tests/tests_lcov.h"

#define SUMMARY_BYTES ((size_t)64 << 20) /* of one summary's tree */
#define FILES_BYTES   ((size_t)96 << 10) /* of the slice */

struct coverage {
	struct inventory *inv;
	struct lcov_totals sum;
	const struct parse_input *first;
	struct slice_list files;
	bool *is_read; /* by index of the input: an lcov.info with records */
};

static void totals_put(struct jsonw *w, const struct lcov_totals *t)
{
	jsonw_uint(w, "lines_found", t->lines_found);
	jsonw_uint(w, "lines_hit", t->lines_hit);
	jsonw_uint(w, "branches_found", t->branches_found);
	jsonw_uint(w, "branches_hit", t->branches_hit);
	jsonw_uint(w, "functions_found", t->functions_found);
	jsonw_uint(w, "functions_hit", t->functions_hit);
}

static void totals_add(struct coverage *c, const struct parse_input *in,
		       const struct lcov_totals *t, const char *kind,
		       bool is_counted)
{
	struct jsonw *w = slice_item(&c->files);

	jsonw_text(w, "kind", kind);
	jsonw_bool(w, "counted", is_counted);
	totals_put(w, t);
	source_write(w, "source", in);
	slice_item_end(&c->files);
	if (!is_counted)
		return;
	if (c->first == NULL)
		c->first = in;
	c->sum.lines_found += t->lines_found;
	c->sum.lines_hit += t->lines_hit;
	c->sum.branches_found += t->branches_found;
	c->sum.branches_hit += t->branches_hit;
	c->sum.functions_found += t->functions_found;
	c->sum.functions_hit += t->functions_hit;
}

/* Read {"lines": {"total": 10, "covered": 8}}; false if it is not that. */
static bool pair_read(const struct json_value *total, const char *key,
		      uint64_t *found, uint64_t *hit)
{
	const uint64_t most = (uint64_t)1 << 48;
	const struct json_value *v = json_find(total, key);
	const struct json_value *f = json_find(v, "total");
	const struct json_value *h = json_find(v, "covered");

	return f != NULL && h != NULL && json_read_u64(f, found) == 0 &&
	       json_read_u64(h, hit) == 0 && *found <= most && *hit <= *found;
}

/* Whether an lcov.info beside it says the same. */
static bool has_lcov(const struct coverage *c, const struct parse_input *in)
{
	const struct parse_inputs *inputs = c->inv->project.inputs;
	const struct parse_input *lcov =
		input_find(inputs, in->name, input_dir_len(in), "lcov.info");

	return lcov != NULL && c->is_read[lcov - inputs->items];
}

static void summary_read(struct coverage *c, const struct parse_input *in)
{
	struct parse_report *r = c->inv->report;
	struct lcov_totals t = { 0 };
	struct arena arena = { 0 };
	struct json_value tree;

	if (parse_json(in, &arena, SUMMARY_BYTES, &tree, r) == 0) {
		const struct json_value *total = json_find(&tree, "total");

		if (pair_read(total, "lines", &t.lines_found, &t.lines_hit) &&
		    pair_read(total, "branches", &t.branches_found,
			      &t.branches_hit) &&
		    pair_read(total, "functions", &t.functions_found,
			      &t.functions_hit))
			totals_add(c, in, &t, "istanbul-summary",
				   !has_lcov(c, in));
		else
			report_note(&r->warnings, "coverage_summary", in, 0,
				    "expected total with lines, branches and "
				    "functions, each with total and covered");
	}
	arena_done(&arena);
}

static void files_read(struct coverage *c)
{
	const struct parse_inputs *inputs = c->inv->project.inputs;

	for (size_t i = 0; i < inputs->len; i++) {
		const struct parse_input *in = &inputs->items[i];
		struct lcov_totals t;

		if (in->is_name_only || input_is_installed(in) ||
		    !input_base_is(in, "lcov.info") ||
		    tests_lcov_read(in, &t, c->inv->report) < 0)
			continue;
		c->is_read[i] = true;
		totals_add(c, in, &t, "lcov", true);
	}
	for (size_t i = 0; i < inputs->len; i++) {
		const struct parse_input *in = &inputs->items[i];

		if (!in->is_name_only && !input_is_installed(in) &&
		    input_base_is(in, "coverage-summary.json"))
			summary_read(c, in);
	}
}

int tests_coverage_write(struct inventory *inv, struct jsonw *slice)
{
	struct coverage c = { .inv = inv, .files = { .key = "files" } };

	c.is_read = calloc(inv->project.inputs->len + 1, sizeof *c.is_read);
	if (c.is_read == NULL)
		return -ENOMEM;
	files_read(&c);
	if (c.first == NULL) {
		jsonw_null(slice, "coverage");
	} else {
		jsonw_object(slice, "coverage");
		totals_put(slice, &c.sum);
		source_write(slice, "source", c.first);
		slice_lists_write(&c.files, 1, FILES_BYTES, slice, inv->report);
		jsonw_end_object(slice);
	}
	slice_lists_done(&c.files, 1);
	free(c.is_read);
	return 0;
}
