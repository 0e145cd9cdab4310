/* junit.c -- see junit.h.
 *
 * Sources: XML 1.0, 2.2 (characters) and 2.4; the form that pytest writes. */
#include "cli/junit.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "boundary/json.h"

#define UNKNOWN "\xef\xbf\xbd"

/* Whether XML 1.0 readers must accept it, and a person can see what it is. */
static bool is_allowed(uint32_t code)
{
	if (code == 0x2028 || code == 0x2029) /* ends no line in XML */
		return true;
	return !utf8_is_control(code);
}

static void text_write(struct buf *out, struct json_text t)
{
	for (size_t i = 0, n; i < t.len; i += n) {
		uint32_t code = 0;

		n = utf8_read(t.bytes + i, t.len - i, &code);
		if (n == 0 || !is_allowed(code)) {
			buf_text(out, UNKNOWN);
			n = n > 0 ? n : 1;
		} else if (n == 1 && strchr("<>&\"'", t.bytes[i]) != NULL) {
			buf_format(out, "&#%u;", (unsigned)code);
		} else {
			buf_add(out, t.bytes + i, n);
		}
	}
}

static void attribute_write(struct buf *out, const char *name,
			    const struct json_value *v)
{
	if (v == NULL || v->type != JSON_STRING)
		return;
	buf_format(out, " %s=\"", name);
	text_write(out, v->u.string);
	buf_char(out, '"');
}

static uint64_t number_of(const struct json_value *in, const char *name)
{
	const struct json_value *v = in != NULL ? json_find(in, name) : NULL;
	uint64_t n = 0;

	return v != NULL && json_read_u64(v, &n) == 0 ? n : 0;
}

static const struct json_value *item_of(const struct json_value *in,
					const char *name, size_t i)
{
	const struct json_value *list = in != NULL ? json_find(in, name) : NULL;

	return list != NULL && list->type == JSON_ARRAY && i < list->u.array.len
		       ? &list->u.array.items[i]
		       : NULL;
}

static size_t len_of(const struct json_value *in, const char *name)
{
	const struct json_value *list = in != NULL ? json_find(in, name) : NULL;

	return list != NULL && list->type == JSON_ARRAY ? list->u.array.len : 0;
}

static void case_open(struct buf *out, const struct json_value *tests,
		      const struct json_value *name)
{
	buf_text(out, "\t\t<testcase");
	attribute_write(out, "classname", json_find(tests, "format"));
	attribute_write(out, "name", name);
}

/* Write a test that failed, with its message if there is one. */
static void failure_write(const struct json_value *tests, size_t i,
			  const struct json_value *name, struct buf *out)
{
	const struct json_value *told = item_of(tests, "details", i);
	uint64_t ms = number_of(told, "duration_ms");
	uint64_t line = number_of(told, "line");

	case_open(out, tests, name);
	if (told != NULL)
		attribute_write(out, "file", json_find(told, "file"));
	if (line > 0)
		buf_format(out, " line=\"%llu\"", (unsigned long long)line);
	if (told != NULL)
		buf_format(out, " time=\"%llu.%03llu\"",
			   (unsigned long long)(ms / 1000),
			   (unsigned long long)(ms % 1000));
	buf_text(out, "><failure");
	if (told != NULL)
		attribute_write(out, "message", json_find(told, "message"));
	buf_text(out, "/></testcase>\n");
}

static void cases_write(const struct json_value *tests, const char *end,
			const char *inner, struct buf *out)
{
	const struct json_value *names = json_find(tests, "names"), *name;

	for (size_t i = 0; (name = item_of(names, end, i)) != NULL; i++) {
		case_open(out, tests, name);
		buf_format(out, "%s\n", inner);
	}
}

static void unnamed_write(const struct json_value *tests, const char *end,
			  size_t named, struct buf *out)
{
	uint64_t all = number_of(tests, end);

	buf_format(out,
		   "\t\t\t<property name=\"%s_unnamed\" value=\"%llu\"/>\n",
		   end, (unsigned long long)(all > named ? all - named : 0));
}

static void counts_write(size_t tests, size_t failed, size_t skipped,
			 struct buf *out)
{
	buf_format(out,
		   " tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
		   "skipped=\"%zu\">\n",
		   tests, failed, skipped);
}

void junit_write(const struct json_value *tests, struct buf *out)
{
	const struct json_value *names = json_find(tests, "names"), *name;
	size_t failed = len_of(tests, "failures");
	size_t passed = len_of(names, "passed");
	size_t skipped = len_of(names, "skipped");
	size_t all = failed + passed + skipped;

	buf_text(out,
		 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
	counts_write(all, failed, skipped, out);
	buf_text(out, "\t<testsuite name=\"cupel\"");
	counts_write(all, failed, skipped, out);
	buf_text(out, "\t\t<properties>\n");
	unnamed_write(tests, "passed", passed, out);
	unnamed_write(tests, "failed", failed, out);
	unnamed_write(tests, "skipped", skipped, out);
	buf_text(out, "\t\t</properties>\n");
	for (size_t i = 0; (name = item_of(tests, "failures", i)) != NULL; i++)
		failure_write(tests, i, name, out);
	cases_write(tests, "passed", "/>", out);
	cases_write(tests, "skipped", "><skipped/></testcase>", out);
	buf_text(out, "\t</testsuite>\n</testsuites>\n");
}
