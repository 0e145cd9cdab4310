/* tests_file.c -- finds which files hold tests, of which framework, and how
 * many. */
#include <string.h>

#include "parsers/tests/tests.h"
#include "parsers/tests/tests_marks.h"
#include "parsers/tests/tests_scan.h"

enum file_kind {
	FILE_OTHER,
	FILE_NAMED,  /* a script that is a test by its name */
	FILE_JOINED, /* the same, but "file_spec" may be something else */
	/* If they have any: a script whose name ends as a test's does, one that is
	 * perhaps named, and others in a directory for tests. */
	FILE_ASIDE,
	FILE_PERHAPS,
	FILE_PLACED,
	FILE_ENDED, /* in such a directory, and its name ends as a test's does */
	FILE_PYTHON,
	FILE_PYTHON_LOOSE, /* "testlib.py" may be a helper */
	FILE_GO,
	FILE_RUST, /* if it has any */
	FILE_KIND_MAX_
};

#define CLIMB 32U /* directories that are looked at on the way up */

/* Words in the name of a directory for tests, and of one for end-to-end
 * tests. */
static const char places[] =
	"__tests__ __test__ test tests spec specs e2e cypress playwright";
static const char e2e_places[] =
	"e2e e2e-tests e2e-test e2e_tests e2e_test cypress playwright "
	"end-to-end end_to_end end2end";
static const char script_ends[] = "js jsx ts tsx mjs cjs mts cts";

static bool has_place(struct json_text dir, const char *words)
{
	while (dir.bytes != NULL && dir.len > 0) {
		struct json_text segment = text_cut(dir, '/', &dir);

		if (text_in(segment, words))
			return true;
	}
	return false;
}

static bool is_named(struct json_text stem)
{
	static const char *const ends[] = { ".test", ".tests", ".spec", ".cy",
					    ".e2e" };

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (text_ends(stem, ends[i]))
			return true;
	return false;
}

static bool is_joined(struct json_text stem)
{
	return text_ends(stem, "_test") || text_ends(stem, "_spec");
}

/* "rangeSpec" and "load-test" may be something else. */
static bool is_ended(struct json_text stem)
{
	return text_ends(stem, "Spec") || text_ends(stem, "-spec") ||
	       text_ends(stem, "-test");
}

static bool is_perhaps_named(struct json_text stem)
{
	return text_begins(stem, "test-") ||
	       text_in(stem, "test tests spec e2e");
}

/* As pytest, unittest and projects of either name them; unittest's own "test*.py"
 * only where tests are kept. */
static enum file_kind python_kind(struct json_text stem, struct json_text dir)
{
	if (text_begins(stem, "test_") || text_ends(stem, "_test") ||
	    text_begins(stem, "unittest_") || text_ends(stem, "_unittest") ||
	    text_is(stem, "tests"))
		return FILE_PYTHON;
	return text_begins(stem, "test") && has_place(dir, "test tests")
		       ? FILE_PYTHON_LOOSE
		       : FILE_OTHER;
}

static enum file_kind script_kind(struct json_text stem, struct json_text dir)
{
	const bool is_placed = has_place(dir, places);

	if (is_named(stem))
		return FILE_NAMED;
	if (is_joined(stem))
		return FILE_JOINED;
	if (is_ended(stem))
		return is_placed ? FILE_ENDED : FILE_ASIDE;
	if (is_perhaps_named(stem))
		return FILE_PERHAPS;
	return is_placed ? FILE_PLACED : FILE_OTHER;
}

static enum file_kind kind_of(const struct parse_input *in,
			      struct json_text dir)
{
	struct json_text base, stem, end;
	const char *dot;

	base.bytes = input_base(in, &base.len);
	dot = base.len > 0 ? memrchr(base.bytes, '.', base.len) : NULL;
	if (dot == NULL || in->is_name_only || input_is_installed(in))
		return FILE_OTHER;
	stem = (struct json_text){ base.bytes, (size_t)(dot - base.bytes) };
	end = text_from(base, stem.len + 1);
	if (text_is(end, "py"))
		return python_kind(stem, dir);
	if (text_is(end, "go"))
		return text_ends(stem, "_test") ? FILE_GO : FILE_OTHER;
	if (text_is(end, "rs"))
		return FILE_RUST;
	if (!text_in(end, script_ends) || text_ends(stem, ".d"))
		return FILE_OTHER;
	return script_kind(stem, dir);
}

static bool looks_e2e(const struct parse_input *in, struct json_text dir)
{
	struct json_text base;

	base.bytes = input_base(in, &base.len);
	return has_place(dir, e2e_places) || text_has(base, ".e2e.") ||
	       text_has(base, ".e2e-") || text_has(base, ".cy.");
}

/* The directory that dir lies in; the root's is the root. */
static struct json_text dir_above(struct json_text dir)
{
	const char *slash =
		dir.len > 0 ? memrchr(dir.bytes, '/', dir.len) : NULL;

	return text_first(dir, slash ? (size_t)(slash - dir.bytes) : 0);
}

/* The frameworks that the nearest package.json declares, or home's if it has
 * none. */
static uint64_t declared_near(const struct inventory *inv, struct json_text dir)
{
	const struct project *p = &inv->project;

	for (unsigned i = 0; i < CLIMB; i++) {
		const struct manifest *m =
			project_manifest_in(p, dir.bytes, dir.len);

		if (m != NULL && inv->declared[m - p->manifests] != 0)
			return inv->declared[m - p->manifests];
		if (dir.len == 0)
			break;
		dir = dir_above(dir);
	}
	return p->top != NULL ? inv->declared[p->top - p->manifests] : 0;
}

static enum framework first_of(uint64_t set)
{
	return set == 0 ? FRAMEWORK_NONE : (enum framework)__builtin_ctzll(set);
}

static enum framework script_framework(struct inventory *inv,
				       const struct parse_input *in,
				       const struct scan *scan,
				       struct json_text dir)
{
	struct json_text base;
	uint64_t near;

	base.bytes = input_base(in, &base.len);
	if (scan->imports != 0)
		return first_of(scan->imports);
	if (text_has(base, ".cy.") ||
	    (has_place(dir, "cypress") &&
	     (inv->configured & BIT(FRAMEWORK_CYPRESS)) != 0))
		return FRAMEWORK_CYPRESS;
	near = declared_near(inv, dir);
	if (looks_e2e(in, dir) && (near & FRAMEWORK_E2E) != 0)
		return first_of(near & FRAMEWORK_E2E);
	return first_of(near & FRAMEWORK_UNIT);
}

static enum framework python_framework(const struct inventory *inv,
				       const struct scan *scan)
{
	if ((scan->imports & SCAN_PYTEST) != 0 ||
	    (inv->configured & BIT(FRAMEWORK_PYTEST)) != 0)
		return FRAMEWORK_PYTEST;
	return (scan->imports & SCAN_UNITTEST) != 0 ? FRAMEWORK_UNITTEST
						    : FRAMEWORK_NONE;
}

static void file_put(struct inventory *inv, const struct parse_input *in,
		     const struct scan *scan, enum framework f)
{
	const struct json_text dir = { in->name, input_dir_len(in) };
	bool is_e2e = tests_framework_is_e2e(f) || looks_e2e(in, dir);
	struct inventory_sum *sum = is_e2e ? &inv->e2e : &inv->unit;
	struct slice_list *list = &inv->lists[INVENTORY_FILES];
	struct jsonw *w;

	if (input_is_own(in)) {
		sum->files++;
		sum->tests += scan->tests;
		sum->skipped += scan->skipped;
		sum->todo += scan->todo;
		if (!is_e2e && f != FRAMEWORK_NONE)
			inv->files_of[f]++;
	}
	if (slice_is_full(list))
		return;
	w = slice_item(list);
	jsonw_text_or_null(w, "framework", tests_framework_name(f));
	jsonw_text(w, "kind", is_e2e ? "e2e" : "unit");
	jsonw_uint(w, "tests", scan->tests);
	jsonw_uint(w, "skipped", scan->skipped);
	jsonw_uint(w, "todo", scan->todo);
	source_write(w, "source", in);
	slice_item_end(list);
}

/* Other runners drive browsers by Playwright's library, and take the types of it
 * from where its runner is. */
#define LIBRARIES BIT(FRAMEWORK_PLAYWRIGHT)

/* What exports a function that makes tests is a helper of the tests that call it.
 * Those that call nothing else may be tests by their names. */
static bool is_no_test(enum file_kind kind, enum framework f,
		       const struct scan *scan)
{
	if (scan->tests > 0 || scan->has_suite)
		return (kind == FILE_PLACED || kind == FILE_PERHAPS) &&
		       scan->is_helper;
	switch (kind) {
	case FILE_JOINED:
		return !scan->has_done &&
		       (scan->has_exports || scan->is_of_node);
	case FILE_ENDED:
		return scan->has_exports || f == FRAMEWORK_NONE;
	default:
		return kind != FILE_NAMED;
	}
}

static void script_read(struct inventory *inv, const struct parse_input *in,
			enum file_kind kind, struct json_text dir)
{
	struct scan scan;
	enum framework f;

	tests_scan_script(in, tests_framework_module, &scan);
	scan.imports &= ~(scan.types & LIBRARIES);
	f = script_framework(inv, in, &scan, dir);
	if (is_no_test(kind, f, &scan))
		return;
	if (scan.is_doubtful)
		report_note(&inv->report->warnings, "scan_doubtful", in, -1,
			    "quotes or slashes are not closed; its tests may "
			    "be counted wrongly");
	if (scan.imports != 0)
		tests_framework_seen(inv, f, "import", in);
	file_put(inv, in, &scan, f);
}

/* A file that has the name of a test and holds none is a helper. */
static void python_read(struct inventory *inv, const struct parse_input *in,
			enum file_kind kind)
{
	enum framework f;
	struct scan scan;

	if (kind == FILE_PYTHON)
		tests_scan_python(in, &scan);
	else
		tests_scan_python_loose(in, &scan);
	if (scan.tests == 0)
		return;
	f = python_framework(inv, &scan);
	if (f != FRAMEWORK_NONE && scan.imports != 0)
		tests_framework_seen(inv, f, "import", in);
	file_put(inv, in, &scan, f);
}

/* The same. */
static void marked_read(struct inventory *inv, const struct parse_input *in)
{
	const struct json_text path = { in->name, in->name_len };
	const struct marked *m =
		in->is_name_only ? NULL : tests_marked_find(path);
	enum framework f;
	struct scan scan;

	if (m == NULL)
		return;
	tests_marked_scan(in, m, &scan, &f);
	if (scan.tests == 0 && !scan.has_shared)
		return;
	tests_framework_seen(inv, f, "presence", in);
	file_put(inv, in, &scan, f);
}

static void file_read(struct inventory *inv, const struct parse_input *in)
{
	struct json_text dir = { in->name, input_dir_len(in) };
	enum file_kind kind = kind_of(in, dir);
	struct scan scan;

	switch (kind) {
	case FILE_NAMED:
	case FILE_JOINED:
	case FILE_ASIDE:
	case FILE_PERHAPS:
	case FILE_PLACED:
	case FILE_ENDED:
		script_read(inv, in, kind, dir);
		break;
	case FILE_PYTHON:
	case FILE_PYTHON_LOOSE:
		python_read(inv, in, kind);
		break;
	case FILE_GO:
		tests_scan_go(in, &scan);
		tests_framework_seen(inv, FRAMEWORK_GO, "presence", in);
		file_put(inv, in, &scan, FRAMEWORK_GO);
		break;
	case FILE_RUST:
		tests_scan_rust(in, &scan);
		if (scan.tests == 0)
			break;
		tests_framework_seen(inv, FRAMEWORK_CARGO, "presence", in);
		file_put(inv, in, &scan, FRAMEWORK_CARGO);
		break;
	default:
		marked_read(inv, in);
		break;
	}
}

void tests_files_read(struct inventory *inv)
{
	for (size_t i = 0; i < inv->project.inputs->len; i++)
		file_read(inv, &inv->project.inputs->items[i]);
}
