/* idle.c -- see idle.h: groups, pipelines and lists.
 *
 * Source: POSIX, "Shell Command Language", 2.9 "Shell Commands". */
#include "jobs/gate/kinds/idle.h"

#include <stdlib.h>
#include <string.h>

#include "jobs/gate/kinds/idle_scan.h"

static const char *const compounds[] = { "if",   "while",  "until", "for",
					 "case", "select", NULL };

static void token_next(struct idle_scan *s)
{
	s->token = idle_token_take(&s->rest);
}

static bool token_is(const struct idle_scan *s, const char *word)
{
	return s->token.kind == 'w' && s->token.text.len == strlen(word) &&
	       memcmp(s->token.text.bytes, word, s->token.text.len) == 0;
}

/* A compound command up to its end.  One in which something exits with a failure
 * says how it ended. */
static enum idle_said compound_skip(struct idle_scan *s)
{
	static const char *const ends[] = { "fi", "done", "esac", NULL };
	enum idle_said said = SAID_IDLE;
	char text[IDLE_WORD_BYTES];
	bool was_exit = false;
	unsigned deep = 0;

	do {
		if (s->token.kind == 'w') {
			idle_word_plain(s->token.text, text);
			deep += idle_is_in(text, compounds);
			deep -= idle_is_in(text, ends) && deep > 0;
			if (was_exit && strtoul(text, NULL, 10) % 256 != 0)
				said = SAID_RUNS;
			if (was_exit && text[0] == '$')
				said = SAID_RUNS;
		}
		was_exit = token_is(s, "exit");
		token_next(s);
	} while (deep > 0 && s->token.kind != '\0');
	return said;
}

/* A group, after its opening bracket. */
static enum idle_said group_read(struct idle_scan *s, bool is_subshell)
{
	const bool had_errexit = s->has_errexit, had_pipefail = s->has_pipefail;
	enum idle_said said = SAID_IDLE;

	if (++s->deep <= IDLE_DEEP_MAX)
		said = idle_list_read(s);
	else
		s->is_hidden = true;
	s->deep--;
	if (s->token.kind == ')' || token_is(s, "}"))
		token_next(s);
	if (!is_subshell)
		return said;
	s->has_errexit = had_errexit;
	s->has_pipefail = had_pipefail;
	return said == SAID_RUNS ? SAID_RUNS : SAID_IDLE;
}

static bool is_compound(const struct idle_scan *s)
{
	char text[IDLE_WORD_BYTES];

	return s->token.kind == 'w' &&
	       idle_is_in(idle_word_plain(s->token.text, text), compounds);
}

static enum idle_said command_read(struct idle_scan *s)
{
	struct idle_words w = { .len = 0 };
	enum idle_said said;

	if (s->token.kind == '(' || token_is(s, "{")) {
		const bool is_subshell = s->token.kind == '(';

		token_next(s);
		said = group_read(s, is_subshell);
	} else if (is_compound(s)) {
		said = compound_skip(s);
	} else {
		for (;
		     s->token.kind == 'w' && !(w.len == 0 && token_is(s, "}"));
		     token_next(s))
			if (w.len < IDLE_WORDS_MAX)
				w.items[w.len++] = s->token.text;
		if (s->token.kind == '(' || (w.len > 0 && token_is(s, "{")))
			s->is_hidden = true; /* a function */
		return w.len > 0 ? idle_words_read(s, &w) : SAID_NONE;
	}
	while (s->token.kind == 'w' && !token_is(s, "}"))
		token_next(s); /* where its output goes */
	s->is_judge = false;
	return said;
}

static enum idle_said pipeline_read(struct idle_scan *s)
{
	bool is_negated = false, is_lost = false;
	enum idle_said said;

	while (token_is(s, "!") || token_is(s, "time")) {
		is_negated |= token_is(s, "!");
		token_next(s);
	}
	said = command_read(s);
	while (s->token.kind == '|') {
		is_lost |= said == SAID_RUNS;
		token_next(s);
		while (s->token.kind == ';')
			token_next(s);
		said = command_read(s);
		if (said != SAID_RUNS)
			said = SAID_IDLE;
		if (s->is_test && is_lost && !s->is_judge)
			said = s->has_pipefail ? SAID_RUNS : SAID_IDLE;
	}
	return is_negated && said != SAID_NONE ? SAID_IDLE : said;
}

/* is_idle: the status of what has been read is 0, whatever it ran.  joint is the
 * operator before the pipeline. */
static bool list_add(struct idle_scan *s, char joint, enum idle_said said,
		     bool is_idle)
{
	const bool is_part = said != SAID_RUNS;

	if (joint == 'a' || (joint == ';' && s->has_errexit))
		return is_idle && is_part;
	return joint == 'o' ? is_idle || is_part : is_part;
}

/* Read up to a closing bracket or the end. */
enum idle_said idle_list_read(struct idle_scan *s)
{
	enum idle_said ended = SAID_NONE;
	bool is_idle = true;
	char joint = ';';

	while (s->token.kind != '\0' && s->token.kind != ')' &&
	       !token_is(s, "}")) {
		const enum idle_said said = pipeline_read(s);
		const char next = s->token.kind;

		if (ended == SAID_NONE && said == SAID_KEEPS && joint != 'o')
			ended = is_idle ? SAID_EXITS : SAID_RUNS;
		else if (ended == SAID_NONE && said == SAID_EXITS &&
			 (joint == ';' || (joint == 'a' && is_idle)))
			ended = SAID_EXITS;
		else if (said != SAID_NONE)
			is_idle = list_add(s, joint, said, is_idle);
		if (next == '&' && said != SAID_NONE)
			is_idle = true;
		if (next == '(')
			s->is_hidden = true;
		if (next != '\0' && next != ')' && next != 'w')
			token_next(s);
		if (next == 'w' && said == SAID_NONE)
			return SAID_IDLE;
		joint = next == 'a' || next == 'o' ? next : ';';
	}
	return ended != SAID_NONE ? ended : is_idle ? SAID_IDLE : SAID_RUNS;
}

bool script_is_idle(struct json_text command, bool is_test)
{
	struct idle_scan s = { .rest = command, .is_test = is_test };

	token_next(&s);
	return idle_list_read(&s) != SAID_RUNS || s.is_hidden ||
	       s.token.kind != '\0';
}
