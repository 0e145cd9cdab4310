/* error.c -- see error.h for the rules. */
#include "base/error.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static_assert(sizeof(struct cupel_error) <= _POSIX_PIPE_BUF,
	      "one write(2) of an error must be atomic");

static const char *const stage_names[] = {
	[CUPEL_STAGE_NONE] = "none",
	[CUPEL_STAGE_SPEC] = "spec",
	[CUPEL_STAGE_PLAN] = "plan",
	[CUPEL_STAGE_SOURCE] = "source",
	[CUPEL_STAGE_NAMESPACE] = "namespace",
	[CUPEL_STAGE_IDMAP] = "idmap",
	[CUPEL_STAGE_MOUNT] = "mount",
	[CUPEL_STAGE_PRIVILEGE] = "privilege",
	[CUPEL_STAGE_LIMIT] = "limit",
	[CUPEL_STAGE_LANDLOCK] = "landlock",
	[CUPEL_STAGE_SECCOMP] = "seccomp",
	[CUPEL_STAGE_EXEC] = "exec",
	[CUPEL_STAGE_SUPERVISE] = "supervise",
	[CUPEL_STAGE_RESULT] = "result",
	[CUPEL_STAGE_BOUNDARY] = "boundary",
	[CUPEL_STAGE_JOB] = "job",
};
static_assert(sizeof stage_names / sizeof *stage_names == CUPEL_STAGE_MAX_,
	      "a name for every stage");

static const char *const cause_names[] = {
	[CUPEL_CAUSE_NONE] = "none", [CUPEL_CAUSE_CALLER] = "caller",
	[CUPEL_CAUSE_HOST] = "host", [CUPEL_CAUSE_BUSY] = "busy",
	[CUPEL_CAUSE_BUG] = "bug",
};
static_assert(sizeof cause_names / sizeof *cause_names == CUPEL_CAUSE_MAX_,
	      "a name for every cause");

int cupel_fail(struct cupel_error *err, enum cupel_stage stage,
	       enum cupel_cause cause, int sys, const char *fmt, ...)
{
	char text[CUPEL_ERROR_WHAT];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	*err = (struct cupel_error){ .stage = stage,
				     .cause = cause,
				     .sys = sys };
	memcpy(err->what, text, sizeof text);
	utf8_make_line(err->what);
	return sys > 0 ? -sys : -EINVAL;
}

int cupel_fail_lit(struct cupel_error *err, enum cupel_stage stage,
		   enum cupel_cause cause, int sys, const char *what)
{
	size_t n = 0;

	*err = (struct cupel_error){ .stage = stage,
				     .cause = cause,
				     .sys = sys };
	while (n < sizeof err->what - 1 && what[n] != '\0') {
		err->what[n] = what[n];
		n++;
	}
	return sys > 0 ? -sys : -EINVAL;
}

const char *cupel_stage_name(enum cupel_stage stage)
{
	return (unsigned)stage < CUPEL_STAGE_MAX_ ? stage_names[stage] : "?";
}

const char *cupel_cause_name(enum cupel_cause cause)
{
	return (unsigned)cause < CUPEL_CAUSE_MAX_ ? cause_names[cause] : "?";
}
