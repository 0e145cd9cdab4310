/* ci_step.c -- steps by name: actions, tasks, orbs.  See ci_match.h. */
#include <string.h>

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
					 .condition = row->condition };
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

bool ci_step_fits(const struct ci_step *s, struct json_text value)
{
	struct json_text input = ci_step_input(s), pattern;
	size_t i = 0;

	if (input.bytes == NULL)
		return true;
	pattern.bytes = input.bytes + input.len + 1;
	pattern.len = s->condition.len - input.len - 1;
	while (i < value.len) {
		size_t from = i;

		while (i < value.len &&
		       strchr(" \t\r\n,", value.bytes[i]) == NULL)
			i++;
		if (i > from && glob_match(pattern.bytes, pattern.len,
					   value.bytes + from, i - from))
			return true;
		i++;
	}
	return false;
}
