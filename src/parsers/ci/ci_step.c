/* ci_step.c -- steps by name: actions, tasks, orbs.  See ci_match.h. */
#include <string.h>

#include "base/buf.h"
#include "base/glob.h"
#include "parsers/ci/ci_match.h"
#include "parsers/ci/ci_table.h"
#include "parsers/common/text_piece.h"

bool ci_step_find(const struct ci_table *t, struct json_text name, size_t at,
		  struct ci_step *ret)
{
	size_t first, n = 0;

	while (n < name.len && strchr("@:#", name.bytes[n]) == NULL)
		n++;
	name.len = n;
	first = ci_rows_find(t, name);
	while (ci_row_is(t, first, name)) {
		const struct ci_row *row = &t->rows[first++];

		if (row->kind < CI_ROW_STEP_TEST || at-- > 0)
			continue;
		*ret = (struct ci_step){ .name = row->name,
					 .condition = row->condition,
					 .not = row->not,
					 .arg = row->arg };
		ret->kind = row->kind == CI_ROW_STEP_TEST    ? CI_STEP_TEST
			    : row->kind == CI_ROW_STEP_BUILD ? CI_STEP_BUILD
							     : CI_STEP_SCRIPT;
		for (size_t i = 1; i < row->len && i <= 4; i++)
			ret->inputs[i - 1] = row->words[i];
		return true;
	}
	return false;
}

struct json_text ci_step_input(const struct ci_step *s)
{
	struct json_text value, input = text_cut(s->condition, '=', &value);

	return value.bytes != NULL ? input : value;
}

static bool fits(struct json_text pattern, struct json_text word)
{
	return pattern.bytes != NULL &&
	       glob_match(pattern.bytes, pattern.len, word.bytes, word.len);
}

/* "-x test", which is what "-x=test" is. */
static bool is_pair_excluded(const struct ci_step *s, struct json_text option,
			     struct json_text word)
{
	owned_buf struct buf pair = { .cap_bytes = CI_LINE_BYTES };

	buf_add(&pair, option.bytes, option.len);
	buf_char(&pair, '=');
	buf_add(&pair, word.bytes, word.len);
	return !buf_has_failed(&pair) &&
	       fits(s->not, (struct json_text){ pair.bytes, pair.len });
}

bool ci_step_fits(const struct ci_step *s, struct json_text value)
{
	struct json_text input = ci_step_input(s), pattern;
	struct json_text last = { NULL, 0 };
	bool is_found = false;
	size_t i = 0;

	if (input.bytes == NULL)
		return true;
	pattern.bytes = input.bytes + input.len + 1;
	pattern.len = s->condition.len - input.len - 1;
	while (i < value.len) {
		struct json_text word = { value.bytes + i, 0 };

		while (i < value.len &&
		       strchr(" \t\r\n,", value.bytes[i]) == NULL)
			i++;
		word.len = (size_t)(value.bytes + i++ - word.bytes);
		if (word.len == 0)
			continue;
		if (last.bytes != NULL && fits(s->arg, last)) {
			if (is_pair_excluded(s, last, word))
				return false;
		} else if (fits(s->not, word)) {
			return false;
		} else {
			is_found |= fits(pattern, word);
		}
		last = word;
	}
	return is_found;
}
