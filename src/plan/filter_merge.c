/* filter_merge.c -- merges a policy and the floor into one leaf for every
 * number. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>

#include "plan/filter_rule.h"

/* 0 allow, 1 errno, 2 violation or worse: if two entries match the same call,
 * the more severe one counts. */
static unsigned filter_severity(uint32_t verdict)
{
	switch (verdict & SECCOMP_RET_ACTION_FULL) {
	case SECCOMP_RET_ALLOW:
		return 0;
	case SECCOMP_RET_ERRNO:
		return 1;
	default:
		return 2;
	}
}

static bool is_same_cond(const struct filter_cond *a,
			 const struct filter_cond *b)
{
	return a->arg == b->arg && a->op == b->op && a->value == b->value &&
	       a->two == b->two;
}

static bool is_same_clauses(const struct filter_clause *a,
			    const struct filter_clause *b)
{
	for (; a && b && a != b; a = a->next, b = b->next) {
		if (a->len != b->len || a->verdict != b->verdict)
			return false;
		for (size_t i = 0; i < a->len; i++)
			if (!is_same_cond(&a->conds[i], &b->conds[i]))
				return false;
	}
	return a == b;
}

static bool is_same_leaf(const struct filter_leaf *a,
			 const struct filter_leaf *b)
{
	return a->verdict == b->verdict &&
	       is_same_clauses(a->floor, b->floor) &&
	       is_same_clauses(a->clauses, b->clauses);
}

/* Append a copy of c with another verdict. */
static int append(struct filter_clause ***last, const struct filter_clause *c,
		  uint32_t verdict, struct arena *arena)
{
	struct filter_clause *copy = arena_alloc(arena, sizeof *copy);

	if (copy == NULL)
		return -ENOMEM;
	*copy = *c;
	copy->next = NULL;
	copy->verdict = verdict;
	**last = copy;
	*last = &copy->next;
	return 0;
}

/* Find the first of the most severe entries without conditions, or NULL. */
static const struct filter_clause *find_always(const struct filter_call *call)
{
	const struct filter_clause *always = NULL;

	for (const struct filter_clause *c = call->first; c; c = c->next)
		if (c->len == 0 && (always == NULL ||
				    filter_severity(c->verdict) >
					    filter_severity(always->verdict)))
			always = c;
	return always;
}

/* The verdict when no clause with conditions matches. */
static uint32_t last_verdict(const struct filter_policy *p,
			     const struct filter_call *call,
			     const struct filter_clause *always)
{
	if (always)
		return always->verdict;
	return call->first && call->has_otherwise ? call->otherwise
						  : p->fallback;
}

/* Put the clauses in order: most severe first, otherwise in the file's order.
 * A clause that can decide nothing is left out: it comes after an entry without
 * conditions, or only the same verdict is left after it.  held is what the
 * floor makes of ALLOW: ALLOW itself where it has no clause without
 * conditions. */
static int order_clauses(const struct filter_policy *p,
			 const struct filter_call *call, uint32_t held,
			 struct filter_leaf *leaf)
{
	const struct filter_clause *always = find_always(call);
	struct filter_clause *list = NULL, **last = &list, **end = &list;
	uint32_t verdict = last_verdict(p, call, always);
	unsigned least = always ? filter_severity(verdict) : 0;

	if (verdict == SECCOMP_RET_ALLOW)
		verdict = held;
	for (unsigned severity = 3; severity-- > least;)
		for (const struct filter_clause *c = call->first; c;
		     c = c->next) {
			uint32_t v = c->verdict;

			if (c == always && severity == least)
				break;
			if (c->len == 0 || filter_severity(v) != severity)
				continue;
			if (v == SECCOMP_RET_ALLOW)
				v = held;
			if (append(&last, c, v, p->arena) != 0)
				return -ENOMEM;
			if (v != verdict)
				end = last;
		}
	*end = NULL;
	leaf->clauses = list;
	leaf->verdict = verdict;
	return 0;
}

/* Express c as (arg & *mask) == *want.  Returns whether that is possible. */
static bool is_equality(const struct filter_cond *c, uint64_t *mask,
			uint64_t *want)
{
	*mask = c->op == FILTER_EQ ? UINT64_MAX : c->value;
	*want = c->op == FILTER_EQ ? c->value : c->two;
	return c->op == FILTER_EQ || c->op == FILTER_MASKED_EQ;
}

/* Whether it is certain that a and b, one of the floor's, never both match. */
static bool is_disjoint_cond(const struct filter_cond *a,
			     const struct filter_cond *b)
{
	uint64_t mask[2], want[2];

	if (a->arg != b->arg || !is_equality(a, &mask[0], &want[0]))
		return false;
	if (b->op == FILTER_ANY_BITS)
		return (b->value & ~mask[0]) == 0 && (b->value & want[0]) == 0;
	return is_equality(b, &mask[1], &want[1]) &&
	       ((want[0] ^ want[1]) & mask[0] & mask[1]) != 0;
}

static bool is_disjoint(const struct filter_clause *a,
			const struct filter_clause *b)
{
	for (size_t i = 0; i < a->len; i++)
		for (size_t j = 0; j < b->len; j++)
			if (is_disjoint_cond(&a->conds[i], &b->conds[j]))
				return true;
	return false;
}

/* Whether the leaf can say ALLOW where the floor's clause matches. */
static bool can_allow(const struct filter_leaf *leaf,
		      const struct filter_clause *floor)
{
	if (leaf->verdict == SECCOMP_RET_ALLOW)
		return true;
	for (const struct filter_clause *c = leaf->clauses; c; c = c->next)
		if (c->verdict == SECCOMP_RET_ALLOW && !is_disjoint(c, floor))
			return true;
	return false;
}

static int build_leaf(const struct filter_policy *p,
		      const struct filter_call *call,
		      const struct filter_clause *floor,
		      struct filter_leaf *leaf)
{
	struct filter_clause *kept = NULL, **last = &kept;
	uint32_t held = SECCOMP_RET_ALLOW;
	int r;

	if (floor && floor->len == 0) {
		held = floor->verdict;
		floor = NULL;
	}
	r = order_clauses(p, call, held, leaf);
	for (; floor && r == 0; floor = floor->next)
		if (can_allow(leaf, floor))
			r = append(&last, floor, floor->verdict, p->arena);
	leaf->floor = kept;
	return r;
}

/* Find the equal leaf among those of segments[0..len-1], or NULL. */
static const struct filter_leaf *find_leaf(
	const struct filter_segment *segments, size_t len,
	const struct filter_leaf *leaf)
{
	for (size_t i = len; i > 0; i--)
		if (is_same_leaf(segments[i - 1].leaf, leaf))
			return segments[i - 1].leaf;
	return NULL;
}

static int add_segment(struct filter_segment *segments, size_t *len,
		       uint32_t start, const struct filter_leaf *leaf,
		       struct arena *arena)
{
	const struct filter_leaf *own = find_leaf(segments, *len, leaf);
	struct filter_leaf *copy;

	if (own != NULL && *len > 0 && segments[*len - 1].leaf == own)
		return 0;
	if (own == NULL) {
		copy = arena_alloc(arena, sizeof *copy);
		if (copy == NULL)
			return -ENOMEM;
		*copy = *leaf;
		own = copy;
	}
	segments[(*len)++] = (struct filter_segment){ start, own };
	return 0;
}

/* x32 is not allowed: its calls would get around every number above.  A kernel
 * without x32 answers ENOSYS.  -1 (a tracer's "skip this call") is in the same
 * range.  So ENOSYS is the answer, unless all unknown calls are violations. */
static uint32_t x32_verdict(const struct filter_policy *p)
{
	if (!p->has_floor)
		return p->fallback;
	if (filter_severity(p->fallback) == 2)
		return p->fallback;
	return SECCOMP_RET_ERRNO | ENOSYS;
}

int filter_merge(const struct filter_policy *p,
		 const struct filter_segment **ret, size_t *ret_len)
{
	struct filter_leaf leaf = { .verdict = p->fallback };
	const struct filter_clause **floor = NULL;
	struct filter_segment *segments =
		arena_array(p->arena, FILTER_NR_MAX + 2, sizeof *segments);
	size_t len = 0;
	int r = segments ? 0 : -ENOMEM;

	if (r == 0 && p->has_floor)
		r = filter_floor_read(p->arch, p->arena, &floor);
	for (unsigned nr = 0; nr < FILTER_NR_MAX && r == 0; nr++) {
		struct filter_leaf own = { 0 };

		r = build_leaf(p, &p->calls[nr], floor ? floor[nr] : NULL,
			       &own);
		if (r == 0)
			r = add_segment(segments, &len, nr, &own, p->arena);
	}
	if (r == 0)
		r = add_segment(segments, &len, FILTER_NR_MAX, &leaf, p->arena);
	leaf.verdict = x32_verdict(p);
	if (r == 0)
		r = add_segment(segments, &len, FILTER_NR_X32, &leaf, p->arena);
	if (r < 0)
		return r;
	*ret = segments;
	*ret_len = len;
	return 0;
}
