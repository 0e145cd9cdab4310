/* project_glob.c -- decides which directories the patterns of a declaration
 * include.
 *
 * docs/gather.md has the sources.  In a package.json the last pattern that fits
 * decides; in all other files a pattern with '!' excludes, wherever it
 * stands. */
#include "base/glob.h"
#include "parsers/project/project.h"

struct json_text project_glob_trim(struct json_text glob)
{
	while (text_begins(glob, "./"))
		glob = text_from(glob, 2);
	while (text_begins(glob, "/"))
		glob = text_from(glob, 1);
	while (text_ends(glob, "/"))
		glob.len--;
	return text_is(glob, ".") ? TEXT("") : glob;
}

/* Strip the marks of a pattern: "!!a" is "a", "!a" excludes "a", and "!(a)" is
 * an extended pattern. */
static struct json_text glob_open(struct json_text t, bool *ret_negates)
{
	*ret_negates = false;
	while (text_begins(t, "!") && !text_begins(t, "!(")) {
		*ret_negates = !*ret_negates;
		t = text_from(t, 1);
	}
	return project_glob_trim(t);
}

/* What a match may cost at most, in bytes compared. */
static uint64_t match_cost(struct json_text glob, size_t path_len)
{
	uint64_t alternatives = 1;

	if (glob.len > GLOB_PATTERN_BYTES)
		return 1; /* it matches nothing */
	for (size_t i = 0; i < glob.len; i++)
		alternatives += glob.bytes[i] == ',';
	if (alternatives > GLOB_ALTERNATIVES)
		alternatives = GLOB_ALTERNATIVES;
	return (glob.len + 1) * (path_len + 1) * alternatives;
}

bool project_glob_has(struct project *p, const struct workspace *w,
		      enum workspace_kind kind, struct json_text dir)
{
	bool is_member = false;

	for (size_t i = 0; i < w->globs_len; i++) {
		bool negates;
		struct json_text t = glob_open(w->globs[i], &negates);

		p->work += match_cost(t, dir.len);
		if (p->work > PROJECT_MATCH_WORK)
			return false; /* a later pattern may decide otherwise */
		if (!glob_match(t.bytes, t.len, dir.bytes, dir.len))
			continue;
		if (negates && kind != WORKSPACE_MANIFEST)
			return false;
		is_member = !negates;
	}
	return is_member;
}

void project_glob_judge(struct project *p, const struct parse_input *in,
			struct json_text glob, size_t offset)
{
	bool negates;
	struct json_text g = glob_open(glob, &negates);
	struct parse_notes *notes = &p->report->warnings;

	if (text_begins(g, "../") || text_is(g, "..") || text_has(g, "/../") ||
	    text_ends(g, "/.."))
		report_note(notes, "workspace_outside", in, (int64_t)offset,
			    "a pattern with .. is not followed");
	if (text_has(g, "!(") || text_has(g, "+(") || text_has(g, "@(") ||
	    text_has(g, "?(") || text_has(g, "*("))
		report_note(
			notes, "workspace_glob", in, (int64_t)offset,
			"extended patterns such as !(a|b) are not resolved");
	if (g.len > GLOB_PATTERN_BYTES)
		report_note(notes, "workspace_glob", in, (int64_t)offset,
			    "a pattern longer than 1024 bytes matches nothing");
}
