/* ci_match.c -- see ci_match.h.
 *
 * A row's words are blocks with gaps ("...") between them.  Taking the leftmost
 * place for each block leaves the most room for the next, so nothing is tried
 * twice. */
#include "parsers/ci/ci_match.h"

#include <string.h>

#include "base/glob.h"
#include "parsers/ci/ci_build.h"
#include "parsers/ci/ci_table.h"
#include "parsers/ci/ci_words.h"
#include "parsers/common/text_piece.h"

#define WRAPS_MAX 8U /* sudo env time nice ... */
#define NO_PLACE  SIZE_MAX

/* A line under way. */
struct search {
	const struct ci_table *table;
	struct ci_found *found;
	unsigned depth;
};

/* The words of one command, and where the work with them is counted. */
struct command {
	const struct ci_words *w;
	size_t *work;
};

/* Measured: a byte of a line costs as much as four bytes of a pattern. */
static bool word_fits(const struct command *c, struct json_text pattern,
		      struct json_text word)
{
	*c->work += pattern.len / 4 + word.len / 2;
	return glob_match(pattern.bytes, pattern.len, word.bytes, word.len);
}

/* What is skipped by "--": -x, --x=y, +nightly. */
static bool is_option(struct json_text word)
{
	return word.len > 1 && (word.bytes[0] == '-' || word.bytes[0] == '+');
}

static bool is_assignment(struct json_text word)
{
	const char *equals = memchr(word.bytes, '=', word.len);

	return equals != NULL && equals > word.bytes && word.bytes[0] != '-' &&
	       memchr(word.bytes, '/', (size_t)(equals - word.bytes)) == NULL;
}

/* An option that may take the word behind it. */
static bool may_take_next(struct json_text word)
{
	return is_option(word) && memchr(word.bytes, '=', word.len) == NULL;
}

/* Match the block row->words[*p..], up to a gap or the end, at word i.  Returns
 * where the words go on, or NO_PLACE. */
static size_t block_fit(const struct ci_row *row, size_t p, size_t end,
			const struct command *c, size_t i)
{
	const struct ci_words *w = c->w;
	bool may_skip = false;

	while (p < end) {
		if (text_is(row->words[p], "--")) {
			may_skip = true;
			p++;
			continue;
		}
		while (may_skip && i < w->len &&
		       !word_fits(c, row->words[p], w->items[i]) &&
		       (is_option(w->items[i]) ||
			may_take_next(w->items[i - 1])))
			i++;
		if (i >= w->len || !word_fits(c, row->words[p], w->items[i]))
			return NO_PLACE;
		may_skip = false;
		p++;
		i++;
	}
	return i;
}

static bool is_taken_along(const struct ci_row *row, const struct command *c,
			   size_t i)
{
	return row->arg.bytes != NULL && i > 0 &&
	       word_fits(c, row->arg, c->w->items[i - 1]);
}

/* Match the row from its first word at from.  Returns where the words go on. */
static size_t row_fit(const struct ci_row *row, const struct command *c,
		      size_t from)
{
	size_t p = 1, i = from + 1;

	while (p < row->len) {
		bool gap = text_is(row->words[p], "...");
		size_t end, next;

		p += gap;
		for (end = p; end < row->len; end++)
			if (text_is(row->words[end], "..."))
				break;
		next = block_fit(row, p, end, c, i);
		while (gap && i < c->w->len &&
		       (next == NO_PLACE || is_taken_along(row, c, i)))
			next = block_fit(row, p, end, c, ++i);
		if (next == NO_PLACE)
			return NO_PLACE;
		i = next;
		p = end;
	}
	return i;
}

static bool is_excluded(const struct ci_row *row, const struct command *c)
{
	for (size_t i = 0; row->not .bytes != NULL && i < c->w->len; i++)
		if (word_fits(c, row->not, c->w->items[i]))
			return true;
	return false;
}

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

/* The program's name without directories and without an ending like ".exe". */
static struct json_text program_of(struct json_text word)
{
	static const char *const ends[] = { ".exe",  ".cmd", ".bat",
					    ".phar", ".js",  ".ps1" };
	const char *slash;

	for (const char sep[] = { '/', '\\', 0 }, *s = sep; *s != '\0'; s++) {
		slash = word.len > 0 ? memrchr(word.bytes, *s, word.len) : NULL;
		if (slash != NULL) {
			word.len -= (size_t)(slash + 1 - word.bytes);
			word.bytes = slash + 1;
		}
	}
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		size_t n = strlen(ends[i]);

		if (word.len > n &&
		    memcmp(word.bytes + word.len - n, ends[i], n) == 0) {
			word.len -= n;
			break;
		}
	}
	return word;
}

/* The rows of the program at word i: by its full name, else without its
 * version. */
static size_t program_find(const struct ci_table *t, struct json_text word,
			   struct json_text *ret_key)
{
	size_t at;

	*ret_key = program_of(word);
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

static void row_take(struct search *s, const struct ci_row *row,
		     const struct ci_words *w, size_t from, struct verdict *v)
{
	const struct command c = { w, &s->found->work };
	size_t next = row_fit(row, &c, from);

	if (next == NO_PLACE) {
		v->is_near |=
			row->kind == CI_ROW_TEST || row->kind == CI_ROW_BUILD;
		return;
	}
	switch (row->kind) {
	case CI_ROW_TEST:
		if (is_excluded(row, &c))
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
	struct json_text name = program_of(word);

	return (name.len < word.len && word.bytes[0] != '/') ||
	       text_ends(word, ".sh") || text_ends(word, ".py") ||
	       text_ends(word, ".rb");
}

/* A script is a test by its own name, "scripts/test": the rows of "./". */
static bool script_take(struct search *s, const struct ci_words *w, size_t from)
{
	static const struct json_text key = { "./", 2 };
	struct json_text name = program_of(w->items[from]);
	const struct ci_words one = { .items = { name }, .len = 1 };
	const struct command c = { &one, &s->found->work };

	for (size_t at = ci_rows_find(s->table, key);
	     ci_row_is(s->table, at, key); at++) {
		const struct ci_row *row = &s->table->rows[at];

		if (row->len < 3 || is_excluded(row, &c) ||
		    (!word_fits(&c, row->words[1], name) &&
		     !word_fits(&c, row->words[2], w->items[from])))
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
	       (is_option(w->items[i]) || is_assignment(w->items[i]) ||
		text_is(w->items[i], "-") ||
		(w->items[i].len > 0 && w->items[i].bytes[0] >= '0' &&
		 w->items[i].bytes[0] <= '9')))
		i++;
	return i;
}

/* How many words may be tried as the first of a wrapped command: the image, the
 * service, the command, and a few that no option explains. */
#define INSIDE_TRIES 6U

static bool inside_find(struct search *s, const struct ci_words *w, size_t from)
{
	unsigned tries = 0;

	for (size_t i = from + 1; i < w->len && tries < INSIDE_TRIES; i++) {
		struct verdict v;

		if (is_option(w->items[i]) || is_option(w->items[i - 1]))
			continue;
		tries++;
		v = command_judge(s, w, i);
		if (v.shell > 0 && v.shell < w->len)
			line_find(s, w->items[v.shell].bytes,
				  w->items[v.shell].len);
		if (v.is_found || v.shell > 0)
			return true;
	}
	return false;
}

static void command_take(struct search *s, const struct ci_words *w)
{
	size_t from = options_skip(w, 0);

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
			(void)inside_find(s, w, v.inside);
			return;
		}
		if (v.behind_wrap > 0) {
			from = options_skip(w, v.behind_wrap);
			continue;
		}
		/* Perhaps an argument of a wrapper's option. */
		if (round == 0 || !may_take_next(w->items[from - 1]))
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
