/* jobs_intake.c -- a file of flags: which form it has, and how large it may
 * be. */
#include "jobs/confirm/intake.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "tap.h"

static char dir[64];
static struct flags flags;
static struct cupel_error err;

/* Read a file NAME with that text. */
static int read_as(const char *name, const char *text, size_t n)
{
	struct intake_request req = { .repo = "/tmp", .stop_fd = -1 };
	struct rules rules = { 0 };
	char path[128];
	FILE *f;
	int e;

	strcpy(dir, "/tmp/cupel-intake.XXXXXX");
	ok(mkdtemp(dir) != NULL);
	(void)snprintf(path, sizeof path, "%s/%s", dir, name);
	req.path = path;
	f = fopen(path, "w");
	ok(fwrite(text, 1, n, f) == n);
	(void)fclose(f);
	flags_done(&flags);
	err = (struct cupel_error){ 0 };
	e = intake_read(&req, &rules, &flags, &err);
	(void)unlink(path);
	(void)rmdir(dir);
	rules_done(&rules);
	return e;
}

static int read_text(const char *name, const char *text)
{
	return read_as(name, text, strlen(text));
}

#define LINE "{\"file\":\"a.py\",\"flag_class\":\"c\",\"line\":1}"
#define LOG                                                                    \
	"{\"runs\":[{\"tool\":{\"driver\":{\"name\":\"ruff\"}},\"results\":["  \
	"{\"ruleId\":\"F821\",\"locations\":[{\"physicalLocation\":{"          \
	"\"artifactLocation\":{\"uri\":\"a.py\"},\"region\":{\"startLine\":"   \
	"1}}}]}]}]}"

#define PYLINT "[{\"path\":\"a.py\",\"line\":1,\"message-id\":\"E1101\"}]"
#define MYPY                                                                   \
	"{\"file\":\"a.py\",\"line\":1,\"message\":\"m\",\"code\":\"c\","      \
	"\"severity\":\"error\"}"

static void the_form_is_told_by_the_content(void)
{
	static const struct {
		const char *name, *text, *unit;
		size_t flags, faults;
	} rows[] = {
		{ "f.jsonl", LINE "\n" LINE "\n", "line", 2, 0 },
		{ "f.jsonl", LINE, "line", 1, 0 },
		{ "f.jsonl", "", "line", 0, 0 },
		{ "f.jsonl", "\n\n", "line", 0, 0 },
		{ "f.jsonl", LOG, "result", 1, 0 },
		{ "f.json", " \n" LOG "\n", "result", 1, 0 },
		{ "f.sarif", LOG, "result", 1, 0 },
		{ "f.jsonl", LOG "\n" LINE, "line", 1, 1 },
		{ "f.jsonl", "\xef\xbb\xbf" LINE, "line", 1, 0 },
		{ "f.jsonl", "\xef\xbb\xbf" LOG, "result", 1, 0 },
		{ "f.jsonl", LINE "\n\xef\xbb\xbf" LINE, "line", 1, 1 },
		{ "f.json", "\xef\xbb\xbf" PYLINT, "message", 1, 0 },
		{ "f.json", "[]\n", "message", 0, 0 },
		{ "f.json", "{}", "line", 0, 1 },
		{ "f.txt", "\n./a.py:2:1: F821 undefined name\n", "line", 1,
		  0 },
		{ "f.json", MYPY, "line", 1, 0 },
		{ "f.json", MYPY "\n" LINE "\n" MYPY, "line", 2, 1 },
		{ "f.json", LINE "\n" MYPY, "line", 1, 1 },
		{ "f.json", PYLINT "\n" PYLINT, "line", 0, 2 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ok_int(read_text(rows[i].name, rows[i].text), 0);
		ok_int((intmax_t)flags.len, (intmax_t)rows[i].flags);
		ok_int((intmax_t)flags.faults_all, (intmax_t)rows[i].faults);
		ok(flags.unit != NULL && strcmp(flags.unit, rows[i].unit) == 0);
	}
	flags_done(&flags);
}

static void what_must_be_sarif_is_refused_when_it_is_not(void)
{
	static const struct {
		const char *name, *text, *what;
	} rows[] = {
		{ "f.sarif", LINE, "f.sarif: expected SARIF" },
		{ "f.SARIF", "[]", "expected SARIF" },
		{ "f.sarif", PYLINT, "expected SARIF" },
		{ "f.sarif", "", "f.sarif: line 1, column 1: empty" },
		{ "f.sarif", "{\"runs\":\n[", "line 2, column 2: syntax" },
		{ "f.sarif.json", "{\"runs\":[],\"runs\":[]}",
		  "duplicate_name" },
		{ "f.json", "{\"runs\":7}", "runs: expected an array" },
		{ "f.jsonl", "\xff\xfe{", "UTF-16" },
		{ "f.jsonl", "\xfe\xff{", "UTF-16" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ok(read_text(rows[i].name, rows[i].text) < 0);
		ok_has(err.what, rows[i].what);
		ok_int(err.cause, CUPEL_CAUSE_CALLER);
	}
	flags_done(&flags);
}

static void deep_and_large_texts_end(void)
{
	size_t n = FLAGS_BYTES + 1;
	char *text = malloc(n);

	memset(text, '[', n);
	memcpy(text, "{\"runs\":", 8);
	ok(read_as("f.sarif", text, 100000) < 0);
	ok_has(err.what, "too_deep");
	ok_int(read_as("f.jsonl", text, 100000), 0);
	ok_int((intmax_t)flags.faults_all, 1);
	ok(read_as("f.jsonl", text, n) < 0);
	ok_has(err.what, "is larger than 64 MiB");
	memset(text, '\n', n);
	ok_int(read_as("f.jsonl", text, FLAGS_BYTES), 0);
	for (size_t i = 0; i + 1 < FLAGS_BYTES; i += 2)
		text[i] = 'x';
	ok_int(read_as("f.jsonl", text, FLAGS_BYTES / 8), 0);
	ok_int((intmax_t)flags.faults_all, (intmax_t)FLAGS_BYTES / 16);
	ok_int((intmax_t)flags.faults_len, FLAG_FAULTS_MAX);
	flags_done(&flags);
	free(text);
}

static void dear_values_run_into_the_cap(void)
{
	struct buf text = { 0 };

	buf_text(&text, "{\"runs\":[[]");
	while (text.len < FLAGS_BYTES - 10)
		buf_text(&text, ",[[]]");
	buf_text(&text, "]}");
	ok(read_as("f.sarif", text.bytes, text.len) < 0);
	ok_has(err.what, "no_memory");
	buf_done(&text);
	flags_done(&flags);
}

#ifdef __SANITIZE_ADDRESS__ /* ten times as expensive, and no other limit */
#define MANY 100000
#else
#define MANY 1000000
#endif

/* A million results of nothing, then half a million flags. */
static void many_results_stay_bounded(void)
{
	static const char head[] = "{\"runs\":[{\"tool\":{\"driver\":{\"name\":"
				   "\"ruff\"}},\"results\":[{}";
	static const char one[] =
		",{\"ruleId\":\"F821\",\"locations\":[{\"physicalLocation\":{"
		"\"artifactLocation\":{\"uri\":\"a.py\"},\"region\":{"
		"\"startLine\":1}}}]}";
	struct buf log = { 0 };

	buf_text(&log, head);
	for (int i = 1; i < MANY; i++)
		buf_text(&log, ",{}");
	buf_text(&log, "]}]}");
	ok_int(read_as("f.sarif", log.bytes, log.len), 0);
	ok_int((intmax_t)flags.faults_all, MANY);
	ok_int((intmax_t)flags.faults_len, FLAG_FAULTS_MAX);
	log.len = 0;
	buf_text(&log, head);
	for (int i = 0; i < MANY / 5 * 2; i++)
		buf_text(&log, one);
	buf_text(&log, "]}]}");
	ok_int(read_as("f.sarif", log.bytes, log.len), 0);
	ok_int((intmax_t)flags.len, MANY / 5 * 2);
	ok(flags.arena.used < (size_t)1 << 20);
	buf_done(&log);
	flags_done(&flags);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_form_is_told_by_the_content),
		CASE(what_must_be_sarif_is_refused_when_it_is_not),
		CASE(deep_and_large_texts_end),
		CASE(dear_values_run_into_the_cap),
		CASE(many_results_stay_bounded), TAP_END });
}
