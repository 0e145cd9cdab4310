/* jobs_sarif_out.c -- records as SARIF 2.1.0: what the schema requires, what stays
 * the same when a file grows, and what a hostile value may not do. */
#include "jobs/confirm/sarif_out.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "jobs/confirm/class.h"
#include "jobs/confirm/sarif_result.h"
#include "jobs/confirm/sarif_text.h"
#include "json_at.h"
#include "tap.h"

#define SOURCE "def f(x):\n    return 1 / x\n\ndef g(x):\n\treturn 1 / x  \n"
#define REF                                                                    \
	"\"flag_ref\":{\"file\":\"m.py\",\"function\":\"f\",\"flag_class\":"   \
	"\"div-zero\",\"line\":2,\"number\":7}"
#define CONFIRMED                                                              \
	"{" REF ",\"witness\":{\"arguments\":[{\"name\":\"x\",\"value\":0}],"  \
	"\"receiver\":[{\"name\":\"x\",\"value\":\"s\"}]},\"status\":"         \
	"\"confirmed-bug\",\"class\":\"div-zero\",\"error_class\":"            \
	"\"ZeroDivisionError\",\"traceback_head\":\"T:\\n  File \\\"m.py\\\"," \
	" line 9, in g\\n  File \\\"m.py\\\", line 2, in f\\n  File "          \
	"\\\"other.py\\\", line 3, in h\\nZ\"}"

static struct arena arena;
static struct json_value result;

/* Write the record as a result and parse that again; -1 if the record is not
 * one. */
static int result_of(const char *record, const char *file, const char *source)
{
	static struct buf out;
	struct buf bytes = { 0 };
	struct json_value v;
	struct json_error e = { 0 };
	struct sarif_fact fact = { .record = &v, .file = file };
	int r;

	arena_done(&arena);
	buf_done(&out);
	ok_int(json_parse(record, strlen(record), NULL, &arena, &v, &e), 0);
	buf_text(&bytes, source);
	fact.source = &bytes;
	r = sarif_result_write(&fact, &out);
	if (r == 0)
		r = json_parse(out.bytes, out.len, NULL, &arena, &result, &e);
	buf_done(&bytes);
	return r;
}

/* What result has at path, words with slashes between them; or NULL. */
static const struct json_value *value_at(const char *path)
{
	const struct json_value *v = &result;
	char whole[300], word[JSON_AT_NAME];
	const char *rest = whole;

	(void)snprintf(whole, sizeof whole, "/%s", path);
	while (v != NULL && *rest != '\0') {
		rest = json_at_word(rest, word);
		v = v->type == JSON_ARRAY
			    ? json_at_child(v, strtoul(word, NULL, 10))
			    : json_find(v, word);
	}
	return v;
}

static const char *at(const char *path)
{
	const struct json_value *v = value_at(path);

	return v != NULL && v->type == JSON_STRING ? v->u.string.bytes : "-";
}

static void is(const char *path, const char *want)
{
	ok(strcmp(at(path), want) == 0);
	if (strcmp(at(path), want) != 0)
		printf("# %s: %s, not %s\n", path, at(path), want);
}

#define STEP "codeFlows/0/threadFlows/0/locations"

static void a_confirmed_bug_is_a_failure_with_its_witness(void)
{
	ok_int(result_of(CONFIRMED, "m.py", SOURCE), 0);
	is("ruleId", "div-zero");
	is("kind", "fail");
	is("level", "error");
	is("message/text", "div-zero: f raised ZeroDivisionError; the witness "
			   "is in the code flow");
	is("locations/0/physicalLocation/artifactLocation/uri", "m.py");
	is("locations/0/physicalLocation/artifactLocation/uriBaseId",
	   "SRCROOT");
	is("locations/0/logicalLocations/0/fullyQualifiedName", "f");
	is(STEP "/0/state/x/text", "0");
	is(STEP "/0/state/receiver.x/text", "\"s\"");
	is(STEP "/1/location/message/text", "ZeroDivisionError is raised");
	ok(value_at(STEP "/1/location/physicalLocation/region/"
			 "startLine") != NULL);
	ok(strncmp(at("partialFingerprints/cupelConfirm~1v1"), "blake3:", 7) ==
	   0);
}

static void every_status_has_its_kind(void)
{
	static const struct {
		const char *status, *kind;
	} rows[] = {
		{ "timeout-without-confirmation", "review" },
		{ "no-bug-found", "pass" },
		{ "input-synthesis-failed", "open" },
		{ "sandbox-error", "open" },
		{ "platform-unsupported", "open" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char record[400];

		(void)snprintf(record, sizeof record,
			       "{" REF ",\"witness\":null,\"status\":\"%s\","
			       "\"reason\":\"why\"}",
			       rows[i].status);
		ok_int(result_of(record, "m.py", SOURCE), 0);
		is("kind", rows[i].kind);
		is("level", "none");
		ok_has(at("message/text"), rows[i].status);
		ok(value_at("codeFlows") == NULL);
	}
	ok(result_of("{}", "m.py", "") < 0);
	ok(result_of("{" REF ",\"status\":\"confirmed\"}", "m.py", "") < 0);
}

static void fingerprint(const char *record, const char *source, char ret[80])
{
	ok_int(result_of(record, "m.py", source), 0);
	(void)snprintf(ret, 80, "%s",
		       at("partialFingerprints/cupelConfirm~1v1"));
}

static void a_fingerprint_moves_with_its_line(void)
{
	static const char other[] =
		"{\"flag_ref\":{\"file\":\"m.py\",\"function\":\"f\","
		"\"flag_class\":\"div-zero\",\"line\":%d},\"status\":"
		"\"no-bug-found\"}";
	char a[80], b[80], record[300];

	fingerprint(CONFIRMED, SOURCE, a);
	fingerprint("{" REF ",\"status\":\"no-bug-found\"}", SOURCE, b);
	ok(strcmp(a, b) == 0); /* the outcome does not matter */
	(void)snprintf(record, sizeof record, other, 4);
	fingerprint(record, "# a\n# b\n" SOURCE, b);
	ok(strcmp(a, b) == 0);
	(void)snprintf(record, sizeof record, other, 5);
	fingerprint(record, SOURCE, b);
	ok(strcmp(a, b) != 0); /* the second such line */
	fingerprint("{" REF ",\"status\":\"no-bug-found\"}",
		    "def f(x):\n    return 2 / x\n", b);
	ok(strcmp(a, b) != 0);
	fingerprint("{" REF ",\"status\":\"no-bug-found\"}", "", b);
	ok(strcmp(a, b) != 0);
}

/* A link, a placeholder, marks of direction, a name that comes twice. */
static void what_came_from_inside_is_no_markup(void)
{
	static const char hostile[] =
		"{\"flag_ref\":{\"file\":\"m.py\",\"function\":\"[f](http://h)"
		"{0}\\u202e\",\"flag_class\":\"div-zero\",\"line\":null},"
		"\"witness\":{\"arguments\":[{\"name\":\"x\",\"value\":["
		"\"[a](http://h) {0} \\u202e \\\\\\\" \\u0007\"]},{\"name\":"
		"\"x\",\"value\":{\"$dict\":[]}},{\"value\":null}]},\"status\":"
		"\"confirmed-bug\",\"class\":\"div-zero\",\"error_class\":"
		"\"[E](x)\",\"traceback_head\":\"a\\n\\u202e\\u0007\\tb\"}";

	ok_int(result_of(hostile, "a b/%\xff\"#?:.py", ""), 0);
	is("locations/0/physicalLocation/artifactLocation/uri",
	   "a%20b/%25%FF%22%23%3F%3A.py");
	ok(strpbrk(at("message/text"), "[]{}") == NULL);
	ok(strpbrk(at("locations/0/logicalLocations/0/fullyQualifiedName"),
		   "[]{}") == NULL);
	is(STEP "/0/state/x/text",
	   "[\"\\u005ba\\u005d\\u0028http://h\\u0029 \\u007b0\\u007d \\u202e "
	   "\\\\\\\" \\u0007\"]");
	is(STEP "/0/state/#2/text", "{\"$dict\":[]}");
	is(STEP "/0/state/#3/text", "null");
	is("properties/traceback_head", "a\n??\tb");
	ok(value_at("locations/0/physicalLocation/region") == NULL);
	ok_int(result_of(CONFIRMED, "/etc/passwd", ""), 0);
	is("locations/0/physicalLocation/artifactLocation/uri",
	   "file:///etc/passwd");
	ok(value_at("locations/0/physicalLocation/artifactLocation/"
		    "uriBaseId") == NULL);
}

static void long_values_are_cut(void)
{
	struct buf record = { 0 };

	buf_text(&record, "{" REF ",\"witness\":{\"arguments\":[");
	for (int i = 0; i < 200; i++) {
		buf_format(&record, "%s{\"name\":\"a%d\",\"value\":\"",
			   i ? "," : "", i);
		for (int k = 0; k < 2000; k++)
			buf_text(&record, "\xc3\xa4");
		buf_text(&record, "\"}");
	}
	buf_text(&record, "]},\"status\":\"confirmed-bug\",\"class\":\"c\"}");
	buf_char(&record, '\0');
	ok_int(result_of(record.bytes, "m.py", SOURCE), 0);
	ok(strlen(at(STEP "/0/state/a0/text")) < SARIF_VALUE_BYTES + 10);
	ok(value_at(STEP "/0/state/a63") != NULL);
	ok(value_at(STEP "/0/state/a64") == NULL);
	buf_done(&record);
}

static const struct json_text line = { .bytes = (char *)CONFIRMED,
				       .len = sizeof CONFIRMED - 1 };

/* A log of the line twice at path. */
static void log_write(const char *path)
{
	struct flag_fault fault = { 3, "file is missing" };
	struct flags flags = { .faults = &fault,
			       .faults_len = 1,
			       .faults_all = 9,
			       .unit = "line" };
	struct tally tally = { .flags = 5, .rules = 2 };
	struct sarif_end end = { .is_whole = true,
				 .flags = &flags,
				 .tally = &tally };
	struct cupel_error err = { 0 };
	struct sarif_out s = { 0 };
	struct buf none = { 0 };

	ok_int(sarif_out_open(path, 0, &s, &err), 0);
	ok_int(sarif_out_add(&s, &line, "m.py", &none, &err), 0);
	ok_int(sarif_out_add(&s, &line, "m.py", &none, &err), 0);
	ok(access(path, F_OK) < 0);
	ok_int(sarif_out_close(&s, &end, &err), 0);
	sarif_out_done(&s);
}

/* What the schema requires of the document, and what the document says. */
static void log_check(const char *path)
{
	char text[20000] = "";
	struct json_error e = { 0 };
	const struct json_value *v;
	FILE *f = fopen(path, "r");

	ok(f != NULL && fread(text, 1, sizeof text - 1, f) > 0);
	if (f != NULL)
		(void)fclose(f);
	arena_done(&arena);
	ok_int(json_parse(text, strlen(text), NULL, &arena, &result, &e), 0);
	is("version", "2.1.0");
	is("runs/0/tool/driver/name", "cupel confirm");
	ok_has(at("runs/0/results/1/message/text"), "f raised ZeroDivision");
	ok(value_at("runs/0/results/2") == NULL);
	is("runs/0/tool/driver/rules/0/id", class_name(LANGUAGE_PYTHON, 0));
	is("runs/0/invocations/0/startTimeUtc", "1970-01-01T00:00:00.000Z");
	v = value_at("runs/0/invocations/0/executionSuccessful");
	ok(v != NULL && v->type == JSON_BOOL && v->u.boolean);
	is("runs/0/invocations/0/toolExecutionNotifications/0/message/text",
	   "line 3 was skipped: file is missing");
	is("runs/0/invocations/0/toolExecutionNotifications/1/message/text",
	   "skipped without a note: 8");
	is("runs/0/invocations/0/toolExecutionNotifications/2/message/text",
	   "5 flags not run, of 2 rules without a class");
}

static void a_log_is_whole_or_not_there(void)
{
	char dir[] = "/tmp/cupel-sarif.XXXXXX", path[64], to[64];
	struct cupel_error err = { 0 };
	struct sarif_out s = { 0 };

	ok(mkdtemp(dir) != NULL);
	(void)snprintf(path, sizeof path, "%s/out", dir);
	(void)snprintf(to, sizeof to, "%s/to", dir);
	log_write(path);
	log_check(path);
	(void)unlink(path);
	ok_int(sarif_out_open(path, 0, &s, &err), 0);
	sarif_out_done(&s); /* without its end */
	ok(access(path, F_OK) < 0);
	ok_int(symlink("to", path), 0);
	ok(sarif_out_open(path, 0, &s, &err) < 0);
	sarif_out_done(&s);
	ok(access(to, F_OK) < 0);
	(void)unlink(path);
	ok_int(rmdir(dir), 0);
}

int main(void)
{
	int r = tap_run((struct tap_case[]){
		CASE(a_confirmed_bug_is_a_failure_with_its_witness),
		CASE(every_status_has_its_kind),
		CASE(a_fingerprint_moves_with_its_line),
		CASE(what_came_from_inside_is_no_markup),
		CASE(long_values_are_cut), CASE(a_log_is_whole_or_not_there),
		TAP_END });

	arena_done(&arena);
	return r;
}
