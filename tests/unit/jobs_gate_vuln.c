/* jobs_gate_vuln.c -- scanners' reports, records, and what is new in them. */
#include "jobs/gate/vuln/scan.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "boundary/schema.h"
#include "gate_reports.h"
#include "jobs/gate/baseline.h"
#include "jobs/gate/checked.h"
#include "jobs/gate/kinds/kind.h"
#include "jobs/gate/kinds/signal_write.h"
#include "jobs/gate/vuln/osv.h"
#include "tap.h"

#define HASH                                                                   \
	"blake3:"                                                              \
	"0000000000000000000000000000000000000000000000000000000000000000"

static struct arena arena;

static struct json_value *value(const char *text)
{
	struct json_value *v = arena_alloc(&arena, sizeof *v);
	struct json_error bad = { 0 };

	ok_int(json_parse(text, strlen(text), NULL, &arena, v, &bad), 0);
	return v;
}

static const char *written(struct vulns *v)
{
	struct buf text = { 0 };
	struct jsonw w = { .out = &text };
	const char *copy;

	vulns_write(v, NULL, &w);
	copy = arena_copy(&arena, text.bytes, text.len);
	buf_done(&text);
	return copy;
}

static void reports_are_read_or_refused(void)
{
	for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
		struct vulns v = { .arena = &arena };
		const struct scan_format *f =
			scan_format_find(reports[i].format);
		char want[1024];

		ok(f != NULL);
		ok_int(scan_read(f, reports[i].report,
				 strlen(reports[i].report), &v),
		       0);
		ok((v.problem == NULL) == (reports[i].items != NULL));
		if (reports[i].items == NULL)
			continue;
		(void)snprintf(want, sizeof want, "[%s]", reports[i].items);
		if (strcmp(written(&v), want) != 0)
			fprintf(stderr, "# %s\n# %s\n", written(&v), want);
		ok(strcmp(written(&v), want) == 0);
	}
	ok(scan_format_find("other") == NULL);
}

static void hostile_reports_cannot_say_more(void)
{
	static const char hostile[] =
		"{\"results\":[{\"packages\":[{\"package\":{\"name\":"
		"\"a\\u001b\\u202e<b>\",\"version\":\"1 \\n\",\"ecosystem\":"
		"\"x\"},\"vulnerabilities\":[{\"id\":\"A\\\"B\"}]}]}]}";
	const struct scan_format *f = scan_format_find("osv-scanner");
	struct vulns v = { .arena = &arena };
	struct buf text = { 0 };

	ok_int(scan_read(f, hostile, strlen(hostile), &v), 0);
	ok(strcmp(written(&v),
		  "[" ITEM("A%22B", "pkg:generic/a%1B%E2%80%AE%3Cb%3E",
			   "\"1%20%0A\"", "null", "") "]") == 0);
	/* a name that is too long, and more than there may be */
	buf_text(&text,
		 "{\"results\":[{\"packages\":[{\"package\":{\"name\":\"");
	for (size_t i = 0; i < VULN_TEXT_BYTES; i++)
		buf_char(&text, 'a');
	buf_text(&text, "\"},\"vulnerabilities\":[{\"id\":\"A\"}]}]}]}");
	v = (struct vulns){ .arena = &arena };
	ok_int(scan_read(f, text.bytes, text.len, &v), 0);
	ok(v.problem != NULL && strcmp(v.problem, "report_unreadable") == 0);
	buf_done(&text);
	buf_text(&text, "{\"results\":[{\"packages\":[{\"package\":{\"name\":"
			"\"a\"},\"vulnerabilities\":[{\"id\":\"A\"}");
	for (size_t i = 0; i < VULNS_MAX; i++)
		buf_text(&text, ",{\"id\":\"A\"}");
	buf_text(&text, "]}]}]}");
	v = (struct vulns){ .arena = &arena };
	ok_int(scan_read(f, text.bytes, text.len, &v), 0);
	ok(v.problem != NULL && strcmp(v.problem, "too_many") == 0);
	buf_done(&text);
}

static const char *const records[] = {
	"{\"id\":\"GHSA-1\",\"database_specific\":{\"severity\":"
	"\"HIGH\"},\"affected\":[{\"package\":{\"ecosystem\":\"npm\","
	"\"name\":\"@a/b\"},\"ranges\":[{\"type\":\"SEMVER\","
	"\"events\":[{\"introduced\":\"0\"},{\"fixed\":\"1.2.0\"}]}]}]"
	"}",
	"{\"id\":\"PYSEC-1\",\"affected\":[{\"package\":{\"ecosystem\":"
	"\"PyPI\",\"name\":\"Zope.Interface\"},\"versions\":[\"1.0\"]}]"
	"}",
	"{\"id\":\"GHSA-2\",\"withdrawn\":\"2026-01-01T00:00:00Z\","
	"\"affected\":[{\"package\":{\"ecosystem\":\"npm\",\"name\":"
	"\"@a/b\"},\"versions\":[\"1.1.0\"]}]}",
	/* a part of an ecosystem; withdrawn without a date; one without a
	 * package; one with commits alone */
	"{\"id\":\"PYSEC-2\",\"withdrawn\":\"\",\"affected\":[{"
	"\"package\":{\"ecosystem\":\"PyPI:https://pypi.example\","
	"\"name\":\"zope--interface\"},\"ranges\":[{\"type\":"
	"\"ECOSYSTEM\",\"events\":[{\"introduced\":\"0\"},{"
	"\"last_affected\":\"1.0\"}]}]}]}",
	"{\"id\":\"PYSEC-3\",\"withdrawn\":null,\"affected\":[{"
	"\"ranges\":[{\"type\":\"GIT\",\"events\":[]}]},{\"package\":"
	"{\"ecosystem\":\"PyPIX\",\"name\":\"zope.interface\"}}]}",
	/* npm reads "=1.0.0" as 1.0.0 */
	"{\"id\":\"GHSA-3\",\"affected\":[{\"package\":{\"ecosystem\":"
	"\"npm\",\"name\":\"odd\"},\"versions\":[\"1.0.0\"]}]}",
	"{\"id\":\"GHSA-4\",\"affected\":[{\"package\":{\"ecosystem\":"
	"\"npm\",\"name\":\"plain\"},\"versions\":[\"1.0.0\"]}]}",
	("{\"id\":\"GO-1\",\"affected\":[{\"package\":{\"ecosystem\":"
	 "\"Go\",\"name\":\"@a/b\"}}]}"),
};

static const char context[] =
	"{\"probes\":{\"dependencies\":{\"slice\":{\"packages\":["
	"{\"name\":\"@a/b\",\"version\":\"1.1.0\",\"ecosystem\":"
	"\"npm\",\"role\":\"own\"},"
	"{\"name\":\"@a/b\",\"version\":\"1.2.0\",\"ecosystem\":"
	"\"npm\",\"role\":\"own\"},"
	"{\"name\":\"@a/b\",\"version\":\"1.0.0\",\"ecosystem\":"
	"\"npm\",\"role\":\"fixture\"},"
	"{\"name\":\"zope_interface\",\"version\":\"1.0.0\","
	"\"ecosystem\":\"pypi\",\"role\":\"own\"},"
	"{\"name\":\"odd\",\"version\":\"=1.0.0\",\"ecosystem\":"
	"\"npm\",\"role\":\"own\"},"
	"{\"name\":\"plain\",\"version\":\"1.0.1\",\"ecosystem\":"
	"\"npm\",\"role\":\"own\"},"
	"{\"name\":\"x\",\"version\":null,\"ecosystem\":\"npm\","
	"\"role\":\"own\"}]}}}}";

static void records_are_matched_with_the_projects_own(void)
{
	struct vulns v = { .arena = &arena };
	struct osv o = { 0 };

	for (size_t i = 0; i < sizeof records / sizeof *records; i++)
		ok_int(osv_entries_read(&o, records[i], strlen(records[i])), 0);
	ok(osv_entries_read(&o, "{}", 2) < 0);
	ok(osv_entries_read(&o, "{\"id\":\"a\",\"affected\":7}", 23) < 0);
	ok(osv_entries_read(&o, "[", 1) < 0);
	osv_sort(&o);
	osv_match(&o, value(context), &v);
	ok(v.problem == NULL);
	ok(strcmp(written(&v),
		  "[" ITEM(
			  "GHSA-1", "pkg:npm/%40a/b", "\"1.1.0\"", "\"high\"",
			  "\"1.2.0\"") "," ITEM("GHSA-3", "pkg:npm/odd",
						"\"%3D1.0.0\"", "null",
						"") "," ITEM("PYSEC-1",
							     "pkg:pypi/"
							     "zope-interface",
							     "\"1.0.0\"",
							     "null",
							     "") "," ITEM("PYSE"
									  "C-2",
									  "pkg:"
									  "pypi"
									  "/zop"
									  "e-"
									  "inte"
									  "rfac"
									  "e",
									  "\"1."
									  "0."
									  "0\"",
									  "nul"
									  "l",
									  "") "]") ==
	   0);
	v = (struct vulns){ .arena = &arena };
	osv_match(&o, value("{\"probes\":{}}"), &v);
	ok(v.problem != NULL);
	osv_done(&o);
}

/* --- the signal ---------------------------------------------------------------------- */

static struct gate_signal make(const char *now, const struct baseline *b)
{
	struct gate_ask ask = { .name = "cve_delta",
				.kind = kind_find("cve_delta"),
				.params = value("{}") };
	struct gate gate = { 0 };
	struct gate_attempt a = { .vulns = now != NULL ? value(now) : NULL };
	struct kind_source s = { .gate = &gate,
				 .ask = &ask,
				 .attempt = &a,
				 .baseline = b,
				 .arena = &arena };
	struct gate_signal ret = { .kind = "cve_delta", .at = "2026" };

	ok_int(ask.kind->build(&s, &ret), 0);
	return ret;
}

static void fits(const struct gate_signal *s)
{
	static const char *const refs[] = { "result", NULL };
	struct schema_set *set = NULL;
	struct cupel_error err = { 0 };
	struct json_value v;
	struct buf text = { 0 };
	struct jsonw w = { .out = &text };

	signal_write(s, NULL, &w);
	ok_int(checked_schema_make("gate-signals", refs, &set, &err), 0);
	ok_int(checked_read(&(struct checked_source){ "signal", text.bytes,
						      text.len },
			    set, &arena, &v, &err),
	       0);
	ok(err.what[0] == '\0');
	schema_set_free(set);
	buf_done(&text);
}

#define FOUND(source, problem, items)                                          \
	"{\"source\":\"" source "\",\"database\":null,\"problem\":" problem    \
	",\"items\":[" items "]}"
#define A(version) ITEM("CVE-1", "pkg:npm/a", version, "null", "")
#define B          ITEM("CVE-1", "pkg:npm/b", "\"1.0.0\"", "\"high\"", "\"2\"")

static void what_was_not_there_before_fails(void)
{
	static const struct {
		const char *before, *now, *problem;
		size_t added, gone;
		bool passed;
	} cases[] = {
		{ "", "", NULL, 0, 0, true },
		{ A("\"1.0.0\""), A("\"1.0.0\""), NULL, 0, 0, true },
		/* another version of what was vulnerable before */
		{ A("\"1.0.0\""), A("\"1.1.0\""), NULL, 0, 0, true },
		{ A("null"), "", NULL, 0, 1, true },
		{ "", A("null"), NULL, 1, 0, false },
		/* the same id, of another package */
		{ A("null"), A("null") "," B, NULL, 1, 0, false },
		{ A("null"), B, NULL, 1, 1, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct baseline b = { .hash = HASH };
		struct gate_signal s;
		char text[2048];

		(void)snprintf(
			text, sizeof text,
			"{\"vulnerabilities\":" FOUND("osv", "null", "%s") "}",
			cases[i].before);
		b.value = *value(text);
		(void)snprintf(text, sizeof text, FOUND("osv", "null", "%s"),
			       cases[i].now);
		s = make(text, &b);
		ok(s.passed == cases[i].passed);
		ok(!s.is_final);
		ok_int(json_find(s.details, "new")->u.array.len,
		       cases[i].added);
		ok_int(json_find(s.details, "gone")->u.array.len,
		       cases[i].gone);
		fits(&s);
	}
}

static bool has_problem(const struct gate_signal *s, const char *problem)
{
	return !s->passed &&
	       json_is_text(json_find(s->details, "problem"), problem);
}

static void what_cannot_be_told_fails(void)
{
	struct baseline b = { .hash = HASH };
	struct gate_signal s = make(FOUND("osv", "null", ""), NULL);

	ok(has_problem(&s, "no_baseline"));
	fits(&s);
	b.value = *value("{}");
	s = make(FOUND("osv", "null", ""), &b);
	ok(has_problem(&s, "no_before"));
	b.value = *value("{\"vulnerabilities\":null}");
	s = make(FOUND("osv", "null", ""), &b);
	ok(has_problem(&s, "no_before"));
	b.value =
		*value("{\"vulnerabilities\":" FOUND("grype", "null", "") "}");
	s = make(FOUND("osv", "null", ""), &b);
	ok(has_problem(&s, "no_before"));
	s = make(FOUND("grype", "\"report_unreadable\"", ""), &b);
	ok(has_problem(&s, "report_unreadable"));
	fits(&s);
	s = make(NULL, &b);
	ok(has_problem(&s, "no_report"));
	fits(&s);
}

static void what_is_left_out_is_counted(void)
{
	struct baseline b = { .hash = HASH };
	struct gate_signal s;
	struct buf text = { 0 };
	uint64_t n = 0;

	b.value = *value("{\"vulnerabilities\":" FOUND("osv", "null", "") "}");
	buf_text(&text, "{\"source\":\"osv\",\"database\":null,\"problem\":null"
			",\"items\":[");
	for (unsigned i = 0; i < 300; i++)
		buf_format(&text,
			   "%s{\"id\":\"CVE-%u\",\"package\":\"a\",\"version\":"
			   "null,\"severity\":null,\"fixed\":[]}",
			   i > 0 ? "," : "", i);
	buf_text(&text, "]}");
	buf_char(&text, '\0');
	s = make(text.bytes, &b);
	ok(!s.passed);
	ok_int(json_find(s.details, "new")->u.array.len, 256);
	ok_int(json_read_u64(json_find(s.details, "new_omitted"), &n), 0);
	ok_int(n, 300 - 256);
	fits(&s);
	buf_done(&text);
}

int main(void)
{
	int r = tap_run((struct tap_case[]){
		CASE(reports_are_read_or_refused),
		CASE(hostile_reports_cannot_say_more),
		CASE(records_are_matched_with_the_projects_own),
		CASE(what_was_not_there_before_fails),
		CASE(what_cannot_be_told_fails),
		CASE(what_is_left_out_is_counted), TAP_END });

	arena_done(&arena);
	return r;
}
