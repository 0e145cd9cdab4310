/* ci_match.c -- see ci_match.h. */
#include "parsers/ci/ci_match.h"

#include <string.h>

#include "base/buf.h"
#include "base/glob.h"
#include "parsers/ci/ci_build.h"
#include "parsers/ci/ci_row.h"
#include "parsers/ci/ci_words.h"
#include "parsers/common/text_piece.h"

#define WRAPS_MAX    8U /* sudo env time nice ... */
#define COMMAND_WORK 8U /* measured: of a command that no row knows, "a" */

/* A line under way. */
struct search {
	const struct ci_table *table;
	struct ci_found *found;
	unsigned depth;
};

static void test_add(struct ci_found *f, struct json_text name)
{
	for (size_t i = 0; i < f->tests_len; i++)
		if (f->tests[i].bytes == name.bytes ||
		    (f->tests[i].len == name.len &&
		     memcmp(f->tests[i].bytes, name.bytes, name.len) == 0))
			return;
	if (f->tests_len == CI_TESTS_MAX)
		f->is_cut = true;
	else
		f->tests[f->tests_len++] = name;
}

/* The rows of the program at word i: by its full name, else without its
 * version. */
static size_t program_find(const struct ci_table *t, struct json_text word,
			   struct json_text *ret_key)
{
	size_t at;

	*ret_key = ci_words_program(word);
	at = ci_rows_find(t, *ret_key);
	if (at < t->len)
		return at;
	while (ret_key->len > 1 &&
	       strchr("0123456789.", ret_key->bytes[ret_key->len - 1]) != NULL)
		ret_key->len--;
	return ci_rows_find(t, *ret_key);
}

/* Apply the rows to the command at from. */
struct verdict {
	bool is_found;      /* a test or a build */
	bool is_near;       /* a row of one did not fit */
	size_t behind_wrap; /* where the wrapped command begins, or 0 */
	size_t inside;      /* where one may begin, or 0 */
	size_t shell;       /* the word that is a command line, or 0 */
};

/* "tox --version" tests nothing; "ctest -V" says more of what it tests. */
static bool is_only_told(const struct ci_row *row, const struct ci_words *w,
			 size_t next)
{
	return w->len <= next + 1 && w->len > 0 &&
	       text_in(w->items[w->len - 1], text_is(row->name, "ctest")
						     ? "--version --help"
						     : "--version --help -V");
}

static void row_take(struct search *s, const struct ci_row *row,
		     const struct ci_words *w, size_t from, struct verdict *v)
{
	const struct ci_command c = { w, &s->found->work };
	size_t next = ci_row_fit(row, &c, from);

	if (next == CI_NO_PLACE) {
		v->is_near |=
			row->kind == CI_ROW_TEST || row->kind == CI_ROW_BUILD;
		return;
	}
	switch (row->kind) {
	case CI_ROW_TEST:
		if (ci_row_excludes(row, &c) || is_only_told(row, w, next))
			return;
		test_add(s->found, row->name);
		v->is_found = true;
		return;
	case CI_ROW_BUILD:
		ci_build_take(s->found, row->name, w, next);
		v->is_found = true;
		return;
	case CI_ROW_WRAP:
		if (next > v->behind_wrap)
			v->behind_wrap = next;
		return;
	case CI_ROW_INSIDE:
		v->inside = next;
		return;
	case CI_ROW_SHELL:
		v->shell = next;
		return;
	default:
		return;
	}
}

/* A program that is a file of the repository's own by the way it is written:
 * "./run", "scripts/run", "run.sh". */
static bool is_file(struct json_text word)
{
	struct json_text name = ci_words_program(word);

	return (name.len < word.len && word.bytes[0] != '/') ||
	       text_ends(word, ".sh") || text_ends(word, ".py") ||
	       text_ends(word, ".rb") || text_ends(word, ".php") ||
	       text_ends(word, ".pl");
}

/* "generate_and_run_more_tests" runs what it makes. */
static bool says_run(struct json_text name)
{
	return text_has(name, "_run_") || text_has(name, "-run-");
}

/* A script is a test by its own name, "scripts/test": the rows of "./". */
static bool script_take(struct search *s, const struct ci_words *w, size_t from)
{
	static const struct json_text key = { "./", 2 };
	const struct json_text name = ci_words_program(w->items[from]);
	const struct json_text base = ci_words_stem(name);
	const struct json_text path = ci_words_stem(w->items[from]);
	const struct ci_words one = { .items = { name }, .len = 1 };
	const struct ci_command c = { &one, &s->found->work };
	bool is_kept_out = false;

	for (size_t at = ci_rows_find(s->table, key);
	     ci_row_is(s->table, at, key); at++) {
		const struct ci_row *row = &s->table->rows[at];

		is_kept_out |= ci_row_excludes(row, &c) && !says_run(name);
		if (row->len < 3 || is_kept_out ||
		    (!ci_word_fits(&c, row->words[1], base) &&
		     !ci_word_fits(&c, row->words[2], path)))
			continue;
		test_add(s->found, row->name);
		return true;
	}
	return false;
}

static struct verdict command_judge(struct search *s, const struct ci_words *w,
				    size_t from)
{
	struct verdict v = { 0 };
	struct json_text key;

	for (size_t at = program_find(s->table, w->items[from], &key);
	     ci_row_is(s->table, at, key); at++)
		row_take(s, &s->table->rows[at], w, from, &v);
	if (!v.is_found && v.shell == 0 && is_file(w->items[from]))
		v.is_found = script_take(s, w, from);
	if (w->is_cut && v.is_near && !v.is_found)
		s->found->is_cut = true;
	return v;
}

static void line_find(struct search *s, const char *line, size_t n);

/* Past options, assignments and numbers: "timeout -k 5 300". */
static size_t options_skip(const struct ci_words *w, size_t i)
{
	while (i < w->len &&
	       (ci_word_is_option(w->items[i]) ||
		ci_word_is_assignment(w->items[i]) ||
		text_is(w->items[i], "-") ||
		(w->items[i].len > 0 && w->items[i].bytes[0] >= '0' &&
		 w->items[i].bytes[0] <= '9')))
		i++;
	return i;
}

/* How many words may be the first of a wrapped command: the service, the command,
 * and a few that no option explains.  What would be a test or a build behind them
 * is perhaps an argument: it is not taken, but the line is known in part only. */
#define INSIDE_TRIES 6U

/* What runs in place of the image's own program: "--entrypoint=a", "--entrypoint a". */
static bool entrypoint_take(struct search *s, const struct ci_words *w,
			    size_t from)
{
	static const char option[] = "--entrypoint";
	const size_t len = sizeof option - 1;
	struct ci_words inner = *w;
	struct verdict v = { 0 };
	size_t i = from;

	while (i < w->len && !text_is(w->items[i], option) &&
	       (!text_begins(w->items[i], option) ||
		w->items[i].bytes[len] != '='))
		i++;
	if (i == w->len || (w->items[i].len == len && ++i == w->len))
		return false;
	if (text_begins(w->items[i], option))
		inner.items[i] = text_from(w->items[i], len + 1);
	if (inner.items[i].len > 0)
		v = command_judge(s, &inner, i);
	return v.is_found;
}

static void inside_find(struct search *s, const struct ci_words *w, size_t from)
{
	struct ci_found *f = s->found;
	const size_t tests = f->tests_len, builds = f->builds_len;
	unsigned tries = 0;

	if (entrypoint_take(s, w, from))
		return;
	for (size_t i = from + 1; i < w->len; i++) {
		struct verdict v;

		if (ci_word_is_option(w->items[i]) ||
		    ci_word_is_option(w->items[i - 1]))
			continue;
		tries++;
		v = command_judge(s, w, i);
		if (v.shell > 0 && v.shell < w->len)
			line_find(s, w->items[v.shell].bytes,
				  w->items[v.shell].len);
		if (!v.is_found && v.shell == 0)
			continue;
		if (tries > INSIDE_TRIES) {
			f->is_cut |=
				f->tests_len > tests || f->builds_len > builds;
			f->tests_len = tests;
			f->builds_len = builds;
		}
		return;
	}
}

/* "x=$(npm test)" runs what is in the brackets. */
static void assignments_take(struct search *s, const struct ci_words *w)
{
	for (size_t i = 0; i < w->len; i++) {
		struct json_text value;

		(void)text_cut(w->items[i], '=', &value);
		if (value.bytes != NULL && text_begins(value, "$(") &&
		    text_ends(value, ")"))
			line_find(s, value.bytes + 2, value.len - 3);
	}
}

/* A script of the repository's own that gets a shell with a command line:
 * "./in-container.sh bash -c '...'". */
static void handed_on_take(struct search *s, const struct ci_words *w,
			   size_t from)
{
	for (size_t i = from + 1; i < w->len; i++) {
		struct verdict v;

		if (!text_in(w->items[i], "bash sh zsh dash ash"))
			continue;
		v = command_judge(s, w, i);
		if (v.shell > 0 && v.shell < w->len)
			line_find(s, w->items[v.shell].bytes,
				  w->items[v.shell].len);
		return;
	}
}

static void command_take(struct search *s, const struct ci_words *w)
{
	size_t from = options_skip(w, 0);

	if (from == w->len)
		assignments_take(s, w);
	for (unsigned round = 0; round < WRAPS_MAX && from < w->len; round++) {
		struct verdict v = command_judge(s, w, from);

		if (v.is_found)
			return;
		if (v.shell > 0 && v.shell < w->len) {
			line_find(s, w->items[v.shell].bytes,
				  w->items[v.shell].len);
			return;
		}
		if (v.inside > 0) {
			inside_find(s, w, v.inside);
			return;
		}
		if (v.behind_wrap > 0) {
			from = options_skip(w, v.behind_wrap);
			continue;
		}
		if (is_file(w->items[from])) {
			handed_on_take(s, w, from);
			return;
		}
		/* Perhaps an argument of a wrapper's option. */
		if (round == 0 || !ci_word_takes_next(w->items[from - 1]))
			return;
		from = options_skip(w, from + 1);
	}
	s->found->is_cut |= from < w->len;
}

static void line_find(struct search *s, const char *line, size_t n)
{
	struct ci_cursor c = { .at = line, .end = line + n };
	struct search inner = *s;
	struct ci_words words;

	if (s->depth > CI_SHELL_DEPTH) {
		s->found->is_cut = true;
		return;
	}
	c.to = s->found->text[s->depth];
	c.used = s->found->text_len[s->depth];
	inner.depth++;
	while (ci_words_next(&c, &words)) {
		s->found->work += COMMAND_WORK;
		s->found->text_len[s->depth] = c.used;
		if (words.len > 0)
			command_take(&inner, &words);
	}
}

void ci_command_find(const struct ci_table *t, const char *line, size_t n,
		     struct ci_found *f)
{
	struct search s = { .table = t, .found = f };

	f->tests_len = 0;
	f->builds_len = 0;
	f->is_cut = n > CI_LINE_BYTES;
	f->work = n;
	memset(f->text_len, 0, sizeof f->text_len);
	line_find(&s, line, n < CI_LINE_BYTES ? n : CI_LINE_BYTES);
}
