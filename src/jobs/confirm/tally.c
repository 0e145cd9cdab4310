/* tally.c -- see tally.h. */
#include "jobs/confirm/tally.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int rule_compare(const void *a, const void *b)
{
	const struct flag *x = *(const struct flag *const *)a;
	const struct flag *y = *(const struct flag *const *)b;
	int c = strcmp(x->rule, y->rule);

	return c != 0 ? c : strcmp(x->tool, y->tool);
}

/* Add one rule, which stays if it has more flags than one that is there. */
static void row_put(struct tally *t, const struct tally_row *row)
{
	size_t at = t->rows_len;

	t->flags += row->flags;
	t->rules++;
	while (at > 0 && t->rows[at - 1].flags < row->flags)
		at--;
	if (at == TALLY_ROWS_MAX)
		return;
	if (t->rows_len < TALLY_ROWS_MAX)
		t->rows_len++;
	memmove(&t->rows[at + 1], &t->rows[at],
		(t->rows_len - at - 1) * sizeof t->rows[0]);
	t->rows[at] = *row;
}

int tally_read(const struct flags *f, struct tally *ret)
{
	struct tally t = { 0 };
	const struct flag **all;
	size_t n = 0;

	all = calloc(f->len > 0 ? f->len : 1, sizeof(struct flag *));
	if (all == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < f->len; i++)
		if (f->items[i].has_no_class && !f->items[i].is_recorded)
			all[n++] = &f->items[i];
	qsort(all, n, sizeof(struct flag *), rule_compare);
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n; next++)
			if (rule_compare(&all[i], &all[next]) != 0)
				break;
		row_put(&t, &(struct tally_row){ all[i]->rule, next - i });
	}
	free(all);
	*ret = t;
	return 0;
}
