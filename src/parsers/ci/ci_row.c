/* ci_row.c -- holds a command against a row of the table.  See ci_row.h.
 *
 * A row's words are blocks with gaps ("...") between them.  Taking the leftmost
 * place for each block leaves the most room for the next, so nothing is tried
 * twice. */
#include "parsers/ci/ci_row.h"

#include <string.h>

#include "base/buf.h"
#include "base/glob.h"
#include "parsers/common/text_piece.h"

/* The word without its expressions: what a provider's server puts there is
 * unknown, and an expression's own words are no words of the command. */
static size_t literal_write(struct json_text word, char *to)
{
	static const char *const marks[][2] = { { "${{", "}}" },
						{ "$[[", "]]" },
						{ "<<", ">>" } };
	size_t n = 0;

	while (word.len > 0) {
		const char *end = NULL;

		for (size_t i = 0; i < 3 && end == NULL; i++)
			if (text_begins(word, marks[i][0]))
				end = memmem(word.bytes, word.len, marks[i][1],
					     2);
		if (end == NULL) {
			to[n++] = word.bytes[0];
			word = text_from(word, 1);
			continue;
		}
		to[n++] = '\1'; /* fits no letter of a pattern */
		word = text_from(word, (size_t)(end - word.bytes) + 2);
	}
	return n;
}

/* Measured: a byte of a line costs as much as four bytes of a pattern. */
bool ci_word_fits(const struct ci_command *c, struct json_text pattern,
		  struct json_text word)
{
	char literal[CI_LINE_BYTES];

	*c->work += pattern.len / 4 + word.len / 2;
	if (word.len <= sizeof literal &&
	    (text_has(word, "${{") || text_has(word, "$[[") ||
	     text_has(word, "<<"))) {
		word.len = literal_write(word, literal);
		word.bytes = literal;
	}
	return glob_match(pattern.bytes, pattern.len, word.bytes, word.len);
}

/* What is skipped by "--": -x, --x=y, +nightly. */
bool ci_word_is_option(struct json_text word)
{
	return word.len > 1 && (word.bytes[0] == '-' || word.bytes[0] == '+');
}

bool ci_word_is_assignment(struct json_text word)
{
	const char *equals = memchr(word.bytes, '=', word.len);

	return equals != NULL && equals > word.bytes && word.bytes[0] != '-' &&
	       memchr(word.bytes, '/', (size_t)(equals - word.bytes)) == NULL;
}

/* An option that may take the word behind it. */
bool ci_word_takes_next(struct json_text word)
{
	return ci_word_is_option(word) &&
	       memchr(word.bytes, '=', word.len) == NULL;
}

static bool is_taken_along(const struct ci_row *row, const struct ci_command *c,
			   size_t i)
{
	return row->arg.bytes != NULL && i > 0 &&
	       ci_word_fits(c, row->arg, c->w->items[i - 1]);
}

static bool is_only_options(const struct ci_row *row,
			    const struct ci_command *c, size_t i)
{
	while (i < c->w->len && (ci_word_is_option(c->w->items[i]) ||
				 ci_word_is_assignment(c->w->items[i]) ||
				 is_taken_along(row, c, i)))
		i++;
	return i == c->w->len;
}

/* Match the block row->words[*p..], up to a gap or the end, at word i.  Returns
 * where the words go on, or CI_NO_PLACE. */
static size_t block_fit(const struct ci_row *row, size_t p, size_t end,
			const struct ci_command *c, size_t i)
{
	const struct ci_words *w = c->w;
	bool may_skip = false;

	while (p < end) {
		if (text_is(row->words[p], "$"))
			return is_only_options(row, c, i) ? w->len
							  : CI_NO_PLACE;
		if (text_is(row->words[p], "--")) {
			may_skip = true;
			p++;
			continue;
		}
		while (may_skip && i < w->len &&
		       !ci_word_fits(c, row->words[p], w->items[i]) &&
		       (ci_word_is_option(w->items[i]) ||
			ci_word_takes_next(w->items[i - 1])))
			i++;
		if (i >= w->len || !ci_word_fits(c, row->words[p], w->items[i]))
			return CI_NO_PLACE;
		may_skip = false;
		p++;
		i++;
	}
	return i;
}

/* Match the row from its first word at from.  Returns where the words go on. */
size_t ci_row_fit(const struct ci_row *row, const struct ci_command *c,
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
		       (next == CI_NO_PLACE || is_taken_along(row, c, i)))
			next = block_fit(row, p, end, c, ++i);
		if (next == CI_NO_PLACE)
			return CI_NO_PLACE;
		i = next;
		p = end;
	}
	return i;
}

/* "-x test" as "-x=test". */
static bool is_pair_excluded(const struct ci_row *row,
			     const struct ci_command *c, size_t i)
{
	owned_buf struct buf pair = { .cap_bytes = CI_LINE_BYTES };

	buf_add(&pair, c->w->items[i - 1].bytes, c->w->items[i - 1].len);
	buf_char(&pair, '=');
	buf_add(&pair, c->w->items[i].bytes, c->w->items[i].len);
	return !buf_has_failed(&pair) &&
	       ci_word_fits(c, row->not,
			    (struct json_text){ pair.bytes, pair.len });
}

/* A word, or a list with commas of nothing but such words: "-e lint,docs". */
static bool is_word_excluded(const struct ci_row *row,
			     const struct ci_command *c, struct json_text word)
{
	struct json_text rest = word;

	if (ci_word_fits(c, row->not, word))
		return true;
	if (word.len == 0 || memchr(word.bytes, ',', word.len) == NULL)
		return false;
	while (rest.bytes != NULL)
		if (!ci_word_fits(c, row->not, text_cut(rest, ',', &rest)))
			return false;
	return true;
}

bool ci_row_excludes(const struct ci_row *row, const struct ci_command *c)
{
	for (size_t i = 0; row->not .bytes != NULL && i < c->w->len; i++)
		if (is_word_excluded(row, c, c->w->items[i]) ||
		    (is_taken_along(row, c, i) && is_pair_excluded(row, c, i)))
			return true;
	return false;
}
