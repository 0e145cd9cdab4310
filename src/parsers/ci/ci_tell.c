/* ci_tell.c -- what is left out because of a cap, told once for each file.  See
 * ci.h. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/ci/ci.h"

/* "truncated" and "script_unread" are gaps for a gate.  The other codes are about
 * a provider's own file, which a gate compares as a whole. */
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
	[CI_TOLD_VALUES] = { "truncated",
			     "a command has more than 16 values for its "
			     "expressions, over 8 expressions, or a value is "
			     "handed on more than 4 times: the others are not "
			     "tried" },
	[CI_TOLD_VARIABLES] = { "truncated",
				"more than 64 variables are assigned: the "
				"values of the others are not known" },
	[CI_TOLD_TEMPLATES] = { "truncated",
				"more than 64 files have templates or "
				"parameters: the values that this one and "
				"those after it give are not known" },
	[CI_TOLD_CALLS] = { "truncated",
			    "templates are included in more than 512 places: "
			    "the values that the others give are not known" },
	[CI_TOLD_CALLED] = { "truncated",
			     "more than 16 files are called with values, or "
			     "they call each other more than 4 deep: what "
			     "this one does with its inputs is not known" },
	[CI_TOLD_MEMORY] = { "truncated",
			     "the file needs too much memory: what it runs, "
			     "what it does with values, or which ones it "
			     "gives, is not known" },
	[CI_TOLD_MAKEFILES] = { "truncated",
				"more than 16 Makefiles are run: what this "
				"one does is not known" },
	[CI_TOLD_RULES] = { "truncated",
			    "it has over 20000 targets, 2000 variables, 16 "
			    "included files, or a variable over 64 KiB: the "
			    "rest of the Makefile is not examined" },
	[CI_TOLD_WAY] = { "truncated",
			  "a target leads to more than 2000 others, or a text "
			  "is over 64 KiB with its variables, or has over "
			  "4096 of them, or 16 within each other: the rest is "
			  "not examined" },
	[CI_TOLD_LINES] = { "truncated",
			    "some of its lines are examined only in part: "
			    "over 8 KiB, 64 words, 8 runners, 16 scripts, "
			    "shells that are nested too deep, or what a "
			    "container runs may begin after the first 6 "
			    "words" },
	[CI_TOLD_SECTIONS] = { "truncated",
			       "it has over 5000 lines, or 256 functions and "
			       "cases: the rest of the script is not "
			       "examined" },
	[CI_TOLD_LIST] = { "truncated",
			   "a script of it has more than 64 commands: the "
			   "rest is not examined" },
	[CI_TOLD_DEEP] = { "truncated",
			   "Makefiles and scripts that run each other are "
			   "followed 5 deep: what this one runs is not "
			   "known" },
	[CI_TOLD_UNREAD] = { "script_unread",
			     "it is run, and it was not read: it is no regular "
			     "file, larger than its limit, or there was no "
			     "room left; tests that it runs are not told" },
};

static_assert(sizeof rows / sizeof *rows == CI_TOLD_MAX_, "a row each");
static_assert(CI_TOLD_MAX_ <= 32, "a bit each");

void ci_tell(struct ci *ci, const struct parse_input *in, enum ci_told what,
	     int64_t offset)
{
	const size_t at = (size_t)(in - ci->inputs->items);
	const uint32_t bit = (uint32_t)1 << what;

	if (ci->told == NULL)
		ci->told = calloc(ci->inputs->len, sizeof *ci->told);
	if (ci->told != NULL && (ci->told[at] & bit) != 0)
		return;
	if (ci->told != NULL)
		ci->told[at] |= bit;
	report_note(&ci->report->warnings, rows[what].code, in, offset,
		    rows[what].message);
}

void ci_flow_tell(struct ci_flow *f, enum ci_told what, int64_t offset)
{
	ci_tell(f->ci, f->in, what, offset);
}

bool ci_run_begin(struct ci *ci, unsigned depth, const struct parse_input *in,
		  struct json_text words)
{
	for (unsigned i = 0; i < depth && i < CI_RUNS_DEPTH; i++)
		if (ci->running[i].in == in &&
		    text_order(ci->running[i].words, words) == 0) {
			ci->turned_back++;
			return false;
		}
	if (depth >= CI_RUNS_DEPTH) {
		ci->turned_back++;
		ci_tell(ci, in, CI_TOLD_DEEP, -1);
		return false;
	}
	ci->running[depth] = (struct ci_running){ in, words };
	return true;
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

void ci_unheard_done(struct ci *ci, const struct parse_input *in,
		     struct parse_report *unheard)
{
	/* Of YAML and of JSON. */
	static const char *const codes[] = { "\"code\":\"memory\"",
					     "\"code\":\"no_memory\"" };
	const struct buf *notes = &unheard->errors.text;

	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (notes->len > 0 && memmem(notes->bytes, notes->len, codes[i],
					     strlen(codes[i])) != NULL)
			ci_tell(ci, in, CI_TOLD_MEMORY, -1);
	parse_report_done(unheard);
}

void ci_yaml_read(struct ci *ci, const struct parse_input *in,
		  const struct yaml_caps *caps, struct arena *arena,
		  struct yaml_documents *ret)
{
	struct parse_report unheard;

	ci->script_work += in->len / 4;
	parse_report_init(&unheard);
	unheard.merged = ci->report->merged;
	(void)yaml_read(in, caps, arena, ret, &unheard);
	ci->report->merged = unheard.merged;
	ci_unheard_done(ci, in, &unheard);
}
