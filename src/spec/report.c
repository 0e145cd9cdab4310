/* report.c -- see report.h. */
#include "spec/report.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static const char *const names[] = {
	[REPORT_NONE] = "none",
	[REPORT_JUNIT] = "junit",
	[REPORT_TAP] = "tap",
	[REPORT_JEST] = "jest",
	[REPORT_GO] = "go",
	[REPORT_CARGO] = "cargo",
	[REPORT_UNITTEST] = "unittest",
	[REPORT_AUTOMAKE] = "automake",
	[REPORT_PROVE] = "prove",
	[REPORT_ANY] = "any",
};
static_assert(sizeof names / sizeof *names == REPORT_FORMAT_MAX_,
	      "a name for every format");

const char *report_format_name(enum report_format format)
{
	return (unsigned)format < REPORT_FORMAT_MAX_ ? names[format] : "?";
}

bool report_source_read(const char *text, struct report_source *ret)
{
	const char *from = text != NULL ? strchr(text, ':') : NULL;
	size_t n = from != NULL ? (size_t)(from - text) : 0;

	*ret = (struct report_source){ 0 };
	if (text == NULL || strcmp(text, names[REPORT_NONE]) == 0)
		return true;
	for (int f = REPORT_NONE + 1; n > 0 && f < REPORT_FORMAT_MAX_; f++)
		if (strlen(names[f]) == n && memcmp(names[f], text, n) == 0)
			ret->format = (enum report_format)f;
	if (ret->format == REPORT_NONE || from[1] == '\0')
		return false;
	from++;
	if (strcmp(from, "stdout") == 0)
		ret->from = REPORT_FROM_STDOUT;
	else if (strcmp(from, "stderr") == 0)
		ret->from = REPORT_FROM_STDERR;
	else
		ret->path = from;
	ret->is_dir = ret->path != NULL && from[strlen(from) - 1] == '/';
	return ret->format != REPORT_ANY || ret->is_dir;
}
