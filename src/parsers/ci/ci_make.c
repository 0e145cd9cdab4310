/* ci_make.c -- see ci_make.h.
 *
 * From the targets on, whatever a target needs is followed, and each line of a
 * recipe is held against the table of commands.  Source: GNU make's manual,
 * "How make Processes a Makefile", and make(1). */
#include "parsers/ci/ci_make.h"

#include <stdlib.h>
#include <string.h>

#include "parsers/ci/ci.h"
#include "parsers/ci/ci_make_call.h"
#include "parsers/ci/ci_makefile.h"
#include "parsers/ci/ci_package.h"
#include "parsers/ci/ci_shell.h"

#define QUEUE_MAX 2000U /* targets on one way */

/* --- Makefiles ---------------------------------------------------------------- */

static const struct parse_input *input_of(const struct ci *ci,
					  const struct ci_make_call *make)
{
	static const char *const names[] = { "GNUmakefile", "makefile",
					     "Makefile" };
	struct ci_dir dir = make->dir;
	const struct parse_input *in = NULL;
	char base[CI_BASE_BYTES];

	if (make->file.bytes != NULL) {
		const char *slash =
			memrchr(make->file.bytes, '/', make->file.len);
		struct json_text name = make->file;

		if (slash != NULL) {
			name = text_from(
				make->file,
				(size_t)(slash + 1 - make->file.bytes));
			ci_dir_enter(
				&dir,
				(struct json_text){
					make->file.bytes,
					(size_t)(slash - make->file.bytes) });
		}
		if (name.len >= sizeof base || dir.is_unknown)
			return NULL;
		memcpy(base, name.bytes, name.len);
		base[name.len] = '\0';
		return input_find(ci->inputs, dir.bytes, dir.len, base);
	}
	for (size_t i = 0; in == NULL && i < sizeof names / sizeof *names; i++)
		in = input_find(ci->inputs, dir.bytes, dir.len, names[i]);
	return in;
}

static struct makefile *makefile_of(struct ci *ci,
				    const struct ci_make_call *make)
{
	const struct parse_input *in;
	struct makefile *m;

	if (make->dir.is_unknown)
		return NULL;
	in = input_of(ci, make);
	if (in == NULL || !input_is_own(in))
		return NULL;
	if (in->is_name_only) {
		ci_tell(ci, in, CI_TOLD_UNREAD, -1);
		return NULL;
	}
	for (size_t i = 0; i < ci->makefiles_len; i++)
		if (ci->makefiles[i]->in == in)
			return ci->makefiles[i];
	if (ci->makefiles_len == CI_MAKEFILES_MAX) {
		ci_tell(ci, in, CI_TOLD_MAKEFILES, -1);
		return NULL;
	}
	m = ci_makefile_read(ci, in);
	if (m == NULL) {
		ci_tell(ci, in, CI_TOLD_MEMORY, -1);
		return NULL;
	}
	ci->makefiles[ci->makefiles_len++] = m;
	ci->script_work += m->work / 4;
	return m;
}

void ci_makes_done(struct ci *ci)
{
	for (size_t i = 0; i < ci->makefiles_len; i++)
		ci_makefile_free(ci->makefiles[i]);
	ci->makefiles_len = 0;
}

/* --- the way from a target ---------------------------------------------------- */

/* Targets that are still to be looked at. */
struct way {
	struct ci *ci;
	struct makefile *m;
	struct arena arena;
	struct json_text queue[QUEUE_MAX];
	const struct makefile_rule *makes[QUEUE_MAX]; /* what needs it */
	const struct makefile_rule *pattern;          /* under way */
	size_t at, len;
	struct ci_found found;
	unsigned depth; /* Makefiles and scripts that run this one */
	unsigned walk;
};

static bool target_tests(struct ci *ci, struct makefile *m,
			 struct json_text target, unsigned depth);

static void way_add(struct way *w, struct json_text target)
{
	if (target.len == 0 || text_is(target, "|"))
		return;
	if (w->len == QUEUE_MAX) {
		ci_tell(w->ci, w->m->in, CI_TOLD_WAY, -1);
		return;
	}
	w->makes[w->len] = w->pattern;
	w->queue[w->len++] = target;
}

/* ci_makefile_expand(), whose work counts as that of scripts does. */
static bool text_expand(struct way *w, struct json_text text, struct buf *out)
{
	const size_t before = w->m->work;
	const bool r = ci_makefile_expand(w->m, text, out);

	w->ci->script_work += (w->m->work - before) / 4 + 1;
	if (!r)
		ci_tell(w->ci, w->m->in, CI_TOLD_WAY, -1);
	return r;
}

/* The words of the text with the values of its variables, and with the stem
 * where a pattern has its '%'. */
static void needs_add(struct way *w, struct json_text needs,
		      struct json_text stem)
{
	owned_buf struct buf text = { .cap_bytes = MAKEFILE_TEXT };
	struct json_text rest, word;
	char *kept;

	while (needs.len > 0) {
		size_t n = stem.bytes != NULL ? text_length_before(needs, "%")
					      : needs.len;

		if (!text_expand(w, text_first(needs, n), &text))
			return;
		if (n < needs.len)
			buf_add(&text, stem.bytes, stem.len);
		needs = text_from(needs, n + 1);
	}
	for (size_t i = 0; i < text.len; i++)
		if (strchr("\\\r\n\t", text.bytes[i]) != NULL)
			text.bytes[i] = ' ';
	kept = text.len > 0 && !buf_has_failed(&text)
		       ? arena_copy(&w->arena, text.bytes, text.len)
		       : NULL;
	if (kept == NULL && text.len > 0)
		ci_tell(w->ci, w->m->in, CI_TOLD_WAY, -1);
	rest = (struct json_text){ kept, kept != NULL ? text.len : 0 };
	while ((word = text_word(&rest)).len > 0)
		way_add(w, word);
}

/* A target of the Makefile under way is one more on the same way. */
static bool goal_tests(struct ci *ci, struct makefile *m,
		       struct json_text target, unsigned depth, struct way *w)
{
	char *kept;

	if (w == NULL || w->m != m)
		return target_tests(ci, m, target, depth);
	kept = arena_copy(&w->arena, target.bytes, target.len);
	if (kept != NULL)
		way_add(w, (struct json_text){ kept, target.len });
	else
		ci_tell(ci, m->in, CI_TOLD_WAY, -1);
	return false;
}

/* w: the way on which a recipe has this make; NULL: a script has it. */
static bool make_tests(struct ci *ci, const struct ci_dir *dir,
		       struct json_text words, unsigned depth, struct way *w)
{
	struct ci_make_call make = { .dir = *dir };
	struct makefile *m;

	ci_make_read(&make, words);
	m = make.is_unknown ? NULL : makefile_of(ci, &make);
	if (m == NULL)
		return false;
	if (make.targets_len == 0 && m->goal.bytes != NULL)
		return goal_tests(ci, m, m->goal, depth, w);
	for (size_t i = 0; i < make.targets_len; i++)
		if (goal_tests(ci, m, make.targets[i], depth, w))
			return true;
	return false;
}

/* depth: how many Makefiles and scripts run what the acts run. */
static bool acts_test(struct ci *ci, struct ci_dir *dir,
		      const struct ci_found *found, unsigned depth,
		      struct way *w)
{
	bool is_test = false;

	for (size_t i = 0; i < found->acts_len; i++) {
		struct json_text words = found->acts[i].words;

		switch (found->acts[i].kind) {
		case CI_ACT_MAKE:
			is_test =
				is_test || make_tests(ci, dir, words, depth, w);
			continue;
		case CI_ACT_SCRIPT:
			is_test =
				is_test || ci_shell_find(ci, dir, words, depth);
			continue;
		case CI_ACT_RUN:
			is_test = is_test ||
				  ci_package_find(ci, dir, words, depth);
			continue;
		case CI_ACT_CD:
			ci_act_enter(dir, &found->acts[i]);
			continue;
		}
	}
	return is_test;
}

/* One line of a recipe, without the characters that say how it is run. */
static bool line_tests(struct way *w, struct json_text line)
{
	owned_buf struct buf text = { .cap_bytes = MAKEFILE_TEXT };
	struct ci_dir dir = { .len = input_dir_len(w->m->in) };
	struct json_text command;

	if (dir.len >= sizeof dir.bytes)
		return false;
	memcpy(dir.bytes, w->m->in->name, dir.len);
	if (!text_expand(w, line, &text) || text.len == 0)
		return false;
	command = text_trim((struct json_text){ text.bytes, text.len });
	while (command.len > 0 && strchr("@-+ \t", command.bytes[0]) != NULL)
		command = text_from(command, 1);
	if (command.len == 0 || command.bytes[0] == '#')
		return false;
	ci_command_find(w->ci->table, command.bytes, command.len, &w->found);
	w->ci->script_work += w->found.work;
	if (w->found.is_cut)
		ci_tell(w->ci, w->m->in, CI_TOLD_LINES, -1);
	return (w->found.tests_len > 0 &&
		!ci_acts_report(w->ci, &dir, &w->found, w->depth + 1)) ||
	       acts_test(w->ci, &dir, &w->found, w->depth + 1, w);
}

static bool recipe_tests(struct way *w, struct json_text recipe)
{
	while (recipe.len > 0 && !ci_is_spent(w->ci)) {
		struct json_text line = recipe;
		size_t n = 0;

		/* A line goes on behind a backslash at its end. */
		do
			n += text_length_before(text_from(recipe, n), "\n") + 1;
		while (n < recipe.len && n > 1 && recipe.bytes[n - 2] == '\\');
		line.len = n - 1 < recipe.len ? n - 1 : recipe.len;
		recipe = text_from(recipe, n);
		if (line_tests(w, line))
			return true;
	}
	return false;
}

/* The part of target that the '%' of the pattern stands for, or bytes NULL. */
static struct json_text stem_of(struct json_text pattern,
				struct json_text target)
{
	struct json_text behind, before = text_cut(pattern, '%', &behind);

	if (behind.bytes == NULL || before.len + behind.len >= target.len ||
	    memcmp(before.bytes, target.bytes, before.len) != 0 ||
	    memcmp(behind.bytes, target.bytes + target.len - behind.len,
		   behind.len) != 0)
		return (struct json_text){ NULL, 0 };
	return (struct json_text){ target.bytes + before.len,
				   target.len - before.len - behind.len };
}

static bool rule_tests(struct way *w, struct makefile_rule *rule)
{
	const struct json_text none = { NULL, 0 };

	if (rule->walk == w->walk || ci_is_spent(w->ci))
		return false;
	rule->walk = w->walk;
	w->ci->script_work += rule->needs.len / 4 + 1;
	needs_add(w, rule->needs, none);
	return recipe_tests(w, rule->recipe);
}

/* A target without a rule of its own is what the first pattern makes.  The same
 * pattern may make others on the way, but not what it needs itself.  Source: GNU
 * make, "Chains of Implicit Rules". */
static bool pattern_tests(struct way *w, struct json_text target,
			  const struct makefile_rule *before)
{
	w->ci->script_work += w->m->rules_len / 4;
	for (size_t i = 0; i < w->m->rules_len; i++) {
		const struct makefile_rule *rule = &w->m->rules[i];
		struct json_text stem = stem_of(rule->target, target);

		if (stem.bytes != NULL && rule != before) {
			w->pattern = rule;
			needs_add(w, rule->needs, stem);
			w->pattern = NULL;
			return recipe_tests(w, rule->recipe);
		}
	}
	return false;
}

static bool way_tests(struct way *w)
{
	while (w->at < w->len && !ci_is_spent(w->ci)) {
		const struct makefile_rule *before = w->makes[w->at];
		struct json_text target = w->queue[w->at++];
		size_t n;
		struct makefile_rule *rules =
			ci_makefile_rules_find(w->m, target, &n);

		if (n == 0 && pattern_tests(w, target, before))
			return true;
		for (size_t i = 0; i < n; i++)
			if (rule_tests(w, &rules[i]))
				return true;
	}
	return false;
}

static bool target_tests(struct ci *ci, struct makefile *m,
			 struct json_text target, unsigned depth)
{
	const size_t turned_back = ci->turned_back;
	struct way *w;
	bool is_test;

	for (size_t i = 0; i < m->known_len; i++)
		if (text_order(m->known[i].target, target) == 0)
			return m->known[i].is_test;
	if (!ci_run_begin(ci, depth, m->in, target))
		return false;
	w = calloc(1, sizeof *w);
	if (w == NULL) {
		ci_tell(ci, m->in, CI_TOLD_MEMORY, -1);
		return false;
	}
	w->ci = ci;
	w->m = m;
	w->depth = depth;
	w->walk = ++m->walks;
	w->arena.cap_bytes = MAKEFILE_BYTES;
	way_add(w, target);
	is_test = way_tests(w);
	arena_done(&w->arena);
	free(w);
	if (m->known_len < MAKEFILE_KNOWN && !ci_is_spent(ci) &&
	    ci->turned_back == turned_back) {
		char *kept = arena_copy(&m->arena, target.bytes, target.len);

		if (kept != NULL) {
			m->known[m->known_len].target =
				(struct json_text){ kept, target.len };
			m->known[m->known_len++].is_test = is_test;
		}
	}
	return is_test;
}

bool ci_acts_test(struct ci *ci, struct ci_dir *dir,
		  const struct ci_found *found, unsigned depth)
{
	return acts_test(ci, dir, found, depth, NULL);
}
