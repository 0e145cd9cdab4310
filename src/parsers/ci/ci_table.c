/* ci_table.c -- the data becomes rows, sorted by the first word. */
#include "parsers/ci/ci_table.h"

#include <stdlib.h>
#include <string.h>

#include "parsers/common/text_piece.h"

extern const char ci_commands_text[], ci_commands_text_end[]; /* parse_data.S */

static const char *const kinds[CI_ROW_MAX_] = {
	[CI_ROW_TEST] = "test",
	[CI_ROW_BUILD] = "build",
	[CI_ROW_NOT] = "not",
	[CI_ROW_ARG] = "arg",
	[CI_ROW_WRAP] = "wrap",
	[CI_ROW_INSIDE] = "inside",
	[CI_ROW_SHELL] = "shell",
	[CI_ROW_STEP_TEST] = "step-test",
	[CI_ROW_STEP_BUILD] = "step-build",
	[CI_ROW_STEP_SCRIPT] = "step-script",
};

static int row_compare(const void *a, const void *b)
{
	const struct ci_row *x = a, *y = b;
	int c = text_order(x->words[0], y->words[0]);

	return c != 0 ? c : (x->order > y->order) - (x->order < y->order);
}

/* The piece up to the next stop byte; *from is left behind that. */
static struct json_text piece_next(struct json_text *from, char stop)
{
	const char *hit =
		from->len > 0 ? memchr(from->bytes, stop, from->len) : NULL;
	struct json_text piece = { from->bytes, from->len };

	if (hit == NULL) {
		from->bytes += from->len;
		from->len = 0;
		return piece;
	}
	piece.len = (size_t)(hit - from->bytes);
	from->bytes += piece.len + 1;
	from->len -= piece.len + 1;
	return piece;
}

static enum ci_row_kind kind_of(struct json_text name)
{
	size_t i = 0;

	while (i < CI_ROW_MAX_ && (strlen(kinds[i]) != name.len ||
				   memcmp(kinds[i], name.bytes, name.len) != 0))
		i++;
	return (enum ci_row_kind)i;
}

static bool is_step(enum ci_row_kind kind)
{
	return kind == CI_ROW_STEP_TEST || kind == CI_ROW_STEP_BUILD ||
	       kind == CI_ROW_STEP_SCRIPT;
}

static void words_split(struct ci_row *row, struct json_text words)
{
	while (words.len > 0 && row->len < CI_ROW_WORDS)
		row->words[row->len++] = piece_next(&words, ' ');
}

/* Step rows have their own columns: name of the step, condition, inputs. */
static void step_split(struct ci_row *row, struct json_text rest)
{
	row->words[row->len++] = piece_next(&rest, '\t');
	if (row->kind != CI_ROW_STEP_SCRIPT)
		row->condition = piece_next(&rest, '\t');
	words_split(row, rest);
}

/* One row for each of the first word's alternatives. */
static void row_add(struct ci_table *t, struct ci_row *row)
{
	struct json_text first = row->words[0];

	while (first.len > 0 && t->len < CI_ROWS_MAX) {
		row->words[0] = piece_next(&first, '|');
		row->order = t->len;
		t->rows[t->len++] = *row;
	}
}

static void line_take(struct ci_table *t, struct json_text line)
{
	struct ci_row row = { 0 };

	if (line.len == 0 || line.bytes[0] == '#')
		return;
	row.kind = kind_of(piece_next(&line, '\t'));
	if (row.kind == CI_ROW_STEP_SCRIPT) {
		step_split(&row, line);
		row.name = row.words[0];
	} else {
		row.name = piece_next(&line, '\t');
		if (is_step(row.kind))
			step_split(&row, line);
		else
			words_split(&row, line);
	}
	if (row.kind != CI_ROW_MAX_ && row.len > 0)
		row_add(t, &row);
}

/* Give every test row the patterns of its name's not and arg rows. */
static void patterns_spread(struct ci_table *t)
{
	for (size_t i = 0; i < t->len; i++) {
		const struct ci_row *from = &t->rows[i];

		if (from->kind != CI_ROW_NOT && from->kind != CI_ROW_ARG)
			continue;
		for (size_t k = 0; k < t->len; k++) {
			struct ci_row *to = &t->rows[k];

			if ((to->kind != CI_ROW_TEST &&
			     to->kind != CI_ROW_STEP_TEST) ||
			    text_order(to->name, from->name) != 0)
				continue;
			if (from->kind == CI_ROW_NOT)
				to->not = from->words[0];
			else
				to->arg = from->words[0];
		}
	}
}

struct ci_table *ci_table_open(void)
{
	struct json_text text = {
		ci_commands_text,
		(size_t)(ci_commands_text_end - ci_commands_text),
	};
	struct ci_table *t = calloc(1, sizeof *t);

	if (t != NULL)
		t->rows = calloc(CI_ROWS_MAX, sizeof *t->rows);
	if (t == NULL || t->rows == NULL) {
		free(t);
		return NULL;
	}
	while (text.len > 0)
		line_take(t, piece_next(&text, '\n'));
	patterns_spread(t);
	qsort(t->rows, t->len, sizeof *t->rows, row_compare);
	return t;
}

void ci_table_close(struct ci_table *t)
{
	if (t != NULL)
		free(t->rows);
	free(t);
}

size_t ci_rows_find(const struct ci_table *t, struct json_text key)
{
	size_t from = 0, to = t->len;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (text_order(t->rows[mid].words[0], key) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return ci_row_is(t, from, key) ? from : t->len;
}

bool ci_row_is(const struct ci_table *t, size_t at, struct json_text key)
{
	return at < t->len && text_order(t->rows[at].words[0], key) == 0;
}
