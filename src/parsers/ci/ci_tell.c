/* ci_tell.c -- what is left out because of a cap, told once for each file.  See
 * ci.h. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/ci/ci.h"

/* "truncated" is a gap for a gate.  The other codes are about a provider's own
 * file, which a gate compares as a whole. */
static const struct {
	const char *code, *message;
} rows[] = {
	[CI_TOLD_CUT] = { "command_cut",
			  "a command longer than 1000 bytes is cut there" },
	[CI_TOLD_LONG] = { "command_too_long",
			   "some commands are examined only in part; this is "
			   "the first: it is over 8 KiB, 64 words, 8 runners, "
			   "4 builds, 16 tags or 16 tokens, its shells are "
			   "nested too deep, or what a container runs may "
			   "begin after the first 6 words" },
	[CI_TOLD_NESTED] = { "nested", "scripts or steps nested more than 12 "
				       "deep are not examined; this is the "
				       "first" },
	[CI_TOLD_STRING] = { "string_too_long",
			     "strings over 64 KiB are left out; this is the "
			     "first" },
	[CI_TOLD_SPENT] = { "truncated",
			    "there are too many scripts, or they are too "
			    "large: the rest of this file's scripts are not "
			    "examined" },
};

static_assert(sizeof rows / sizeof *rows == CI_TOLD_MAX_, "a row each");
static_assert(CI_TOLD_MAX_ <= 32, "a bit each");

void ci_flow_tell(struct ci_flow *f, enum ci_told what, int64_t offset)
{
	struct ci *ci = f->ci;
	const size_t at = (size_t)(f->in - ci->inputs->items);
	const uint32_t bit = (uint32_t)1 << what;

	if (ci->told == NULL)
		ci->told = calloc(ci->inputs->len, sizeof *ci->told);
	if (ci->told != NULL && (ci->told[at] & bit) != 0)
		return;
	if (ci->told != NULL)
		ci->told[at] |= bit;
	report_note(&ci->report->warnings, rows[what].code, f->in, offset,
		    rows[what].message);
}

bool ci_is_spent(const struct ci *ci)
{
	return ci->script_work > ci->script_end;
}

bool ci_flow_may_go_on(struct ci_flow *f, size_t offset)
{
	if (!ci_is_spent(f->ci))
		return true;
	ci_flow_tell(f, CI_TOLD_SPENT, (int64_t)offset);
	return false;
}
