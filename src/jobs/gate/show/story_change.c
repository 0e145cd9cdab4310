/* story_change.c -- see story_change.h. */
#include "jobs/gate/show/story_change.h"

#include <string.h>

#include "base/buf.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/ledger/state.h"
#include "jobs/gate/show/story_line.h"

#define LINES_MAX 20U /* of one list on a terminal */

const struct story_list story_lists[STORY_LISTS] = {
	{ "origins", "new registries and URLs", true },
	{ "without_integrity", "packages without a hash as good as it must be",
	  true },
	{ "install_scripts", "new install scripts", true },
	{ "idle_test_scripts", "test scripts that do nothing", true },
	{ "idle_build_scripts", "build scripts that do nothing", true },
	{ "incomplete", "what can no longer be read", true },
	{ "ci_files", "files of continuous integration", true },
	{ "files", "files that facts come from", false },
};

const struct json_value *story_kept(const struct story_attempt *a,
				    const char *name)
{
	const struct json_value *item;

	for (size_t i = 0; (item = story_item(a->ended, "evidence", i)) != NULL;
	     i++)
		if (strcmp(story_text(item, "name"), name) == 0)
			return item;
	return NULL;
}

bool story_change_read(const struct story_attempt *a, const struct state *s,
		       struct arena *arena, const struct json_value **ret,
		       bool *ret_is_cut)
{
	const struct json_caps caps = { .text_bytes = STATE_EVIDENCE_BYTES };
	const struct json_value *kept = story_kept(a, "change.json");
	const char *path = story_text(kept, "path");
	struct json_value *root = arena_alloc(arena, sizeof *root);
	owned_buf struct buf bytes = { 0 };
	struct json_error bad = { 0 };

	*ret_is_cut = story_bool(kept, "truncated");
	if (*ret_is_cut || root == NULL || path[0] == '\0' ||
	    state_read(s, path, &bytes) != NULL ||
	    json_parse(bytes.bytes, bytes.len, &caps, arena, root, &bad) < 0)
		return false;
	*ret = json_find(root, "change");
	return *ret != NULL;
}

/* --- on a terminal ----------------------------------------------------------- */

static bool has_failed(const struct story *story, const struct story_attempt *a,
		       const char *kind)
{
	for (size_t i = a->first; i < a->last; i++) {
		const struct json_value *r = &story->book->records[i];
		const struct json_value *signal = json_find(r, "signal");

		if (story_is(r, "signal") && !story_bool(signal, "passed") &&
		    strcmp(story_text(signal, "kind"), kind) == 0)
			return true;
	}
	return false;
}

static void item_write(const char *title, const struct json_value *item,
		       struct buf *out)
{
	const struct json_value *what = json_find(item, "what");
	owned_buf struct buf line = { 0 };

	buf_format(&line, "%s: ", title);
	if (what != NULL && what->type == JSON_STRING)
		buf_add(&line, what->u.string.bytes, what->u.string.len);
	else if (what != NULL)
		json_write(what, &line);
	buf_format(&line, " in %s", story_text(item, "source"));
	if (!buf_has_failed(&line))
		story_line_fold("        ", line.bytes, line.len, out);
}

static void package_write(const struct json_value *p, struct buf *out)
{
	const char *before = story_text(p, "before");
	const char *now = story_text(p, "now");
	owned_buf struct buf line = { 0 };

	buf_format(&line, "package %s %s: %s%s%s in %s", story_text(p, "name"),
		   story_text(p, "what"), before,
		   before[0] != '\0' && now[0] != '\0' ? " to " : "", now,
		   story_text(p, "source"));
	if (!buf_has_failed(&line))
		story_line_fold("        ", line.bytes, line.len, out);
}

static void list_write(const struct json_value *change, const char *member,
		       const char *title, struct buf *out)
{
	const struct json_value *item;
	size_t i = 0;

	for (; i < LINES_MAX && (item = story_item(change, member, i)) != NULL;
	     i++) {
		if (title != NULL)
			item_write(title, item, out);
		else
			package_write(item, out);
	}
	if (i == LINES_MAX && story_item(change, member, i) != NULL)
		buf_format(out, "        and more %s, see --html\n", member);
}

void story_change_write(const struct story *story,
			const struct story_attempt *a, const struct state *s,
			struct buf *out)
{
	const struct json_value *change;
	struct arena arena = { 0 };
	bool is_cut;

	if (has_failed(story, a, "policy") &&
	    story_change_read(a, s, &arena, &change, &is_cut)) {
		for (size_t l = 0; l < STORY_LISTS; l++)
			if (story_lists[l].is_bad)
				list_write(change, story_lists[l].member,
					   story_lists[l].title, out);
		list_write(change, "packages", NULL, out);
	}
	arena_done(&arena);
}
