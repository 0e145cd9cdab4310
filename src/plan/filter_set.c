/* filter_set.c -- turns clauses that differ in one value only into ranges of
 * numbers. */
#include <stdlib.h>

#include "plan/filter_rule.h"

#define LOW32 UINT64_C(0xffffffff)

static bool is_same(const struct filter_cond *a, const struct filter_cond *b)
{
	return a->arg == b->arg && a->op == b->op && a->value == b->value &&
	       a->two == b->two;
}

/* Whether a clause can be part of a set: its last condition asks for a value of
 * the low half of an argument. */
static bool is_of_set(const struct filter_clause *c)
{
	const struct filter_cond *last;

	if (c->len == 0)
		return false;
	last = &c->conds[c->len - 1];
	return last->op == FILTER_MASKED_EQ && last->value != 0 &&
	       last->value <= LOW32 && (last->two & ~last->value) == 0;
}

static bool is_one_set(const struct filter_clause *a,
		       const struct filter_clause *b)
{
	const struct filter_cond *x = &a->conds[a->len - 1];
	const struct filter_cond *y;

	if (!is_of_set(b) || a->verdict != b->verdict || a->len != b->len)
		return false;
	y = &b->conds[b->len - 1];
	if (x->arg != y->arg || x->value != y->value)
		return false;
	for (size_t i = 0; i + 1 < a->len; i++)
		if (!is_same(&a->conds[i], &b->conds[i]))
			return false;
	return true;
}

size_t filter_set_len(const struct filter_clause *c)
{
	const struct filter_clause *first = c;
	size_t n = 1;

	if (!is_of_set(c))
		return n;
	for (c = c->next; c && is_one_set(first, c); c = c->next)
		n++;
	return n;
}

static int by_first(const void *a, const void *b)
{
	const struct filter_range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

size_t filter_set_ranges(const struct filter_clause *c, size_t len,
			 struct filter_range *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++, c = c->next)
		ret[i].first = ret[i].last = (uint32_t)c->conds[c->len - 1].two;
	qsort(ret, len, sizeof *ret, by_first);
	for (size_t i = 1; i < len; i++) {
		if (ret[i].first <= ret[n].last + UINT64_C(1))
			ret[n].last = ret[i].last;
		else
			ret[++n] = ret[i];
	}
	return n + 1;
}
