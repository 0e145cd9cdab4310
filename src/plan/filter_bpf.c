/* filter_bpf.c -- turns segments of call numbers into classic BPF.
 *
 * The code is written from its end to its beginning, so that every target is
 * known when a jump to it is written.  A "label" is the distance of an
 * instruction from the end.  A conditional jump reaches 255 instructions.  For
 * a target that is further away there is a stepping stone: a copy of the RET
 * that the jump leads to, or a JA, which costs one instruction either way. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "plan/filter_rule.h"

#define REACH     250U /* of 255: two stones may be laid before the jump */
#define RETS      64U  /* distinct verdicts that are remembered */
#define FULL_WORD UINT32_MAX
/* (A, b, A, c, A): at most this many single numbers are tested in a row */
#define CHAIN 3U

struct gen {
	struct sock_filter code[BPF_MAXINSNS]; /* reversed */
	size_t len;
	bool is_full;
	size_t rets[RETS]; /* labels of RET instructions, newest first */
	size_t rets_len;
};

static size_t put(struct gen *g, uint16_t code, uint32_t k)
{
	if (g->len == FILTER_INSNS_MAX) {
		g->is_full = true;
		return 0;
	}
	g->code[g->len] = (struct sock_filter){ .code = code, .k = k };
	return g->len++;
}

static bool is_near(const struct gen *g, size_t label)
{
	return g->len - label <= REACH;
}

/* The label of a RET with this verdict that is within reach. */
static size_t ret_label(struct gen *g, uint32_t verdict)
{
	size_t i, label;

	for (i = 0; i < g->rets_len; i++)
		if (g->code[g->rets[i]].k == verdict)
			break;
	if (i < g->rets_len && is_near(g, g->rets[i]))
		return g->rets[i];
	label = put(g, BPF_RET | BPF_K, verdict);
	if (i < RETS && !g->is_full) {
		g->rets[i] = label;
		g->rets_len += i == g->rets_len;
	}
	return label;
}

static size_t near(struct gen *g, size_t label)
{
	if (is_near(g, label) || g->is_full)
		return label;
	if (BPF_CLASS(g->code[label].code) == BPF_RET)
		return ret_label(g, g->code[label].k);
	return put(g, BPF_JMP | BPF_JA, (uint32_t)(g->len - label - 1));
}

static size_t jump(struct gen *g, uint16_t op, uint32_t k, size_t yes,
		   size_t no)
{
	size_t at;

	if (yes == no)
		return yes;
	yes = near(g, yes);
	no = near(g, no);
	at = put(g, BPF_JMP | BPF_K | op, k);
	if (g->is_full)
		return 0;
	g->code[at].jt = (uint8_t)(at - yes - 1);
	g->code[at].jf = (uint8_t)(at - no - 1);
	return at;
}

/* Write a load, after which the code goes on at next. */
static size_t load(struct gen *g, size_t offset, size_t next)
{
	if (next + 1 != g->len)
		put(g, BPF_JMP | BPF_JA, (uint32_t)(g->len - next - 1));
	return put(g, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset);
}

/* Both architectures that cupel runs on are little-endian. */
static size_t word_offset(unsigned arg, bool is_high)
{
	return offsetof(struct seccomp_data, args) + 8 * (size_t)arg +
	       (is_high ? 4 : 0);
}

/* If the code at label begins with a load of what is in the accumulator
 * already, start one instruction later. */
static size_t skip_load(const struct gen *g, size_t label, size_t offset)
{
	const struct sock_filter *f = &g->code[label];

	if (label > 0 && f->code == (BPF_LD | BPF_W | BPF_ABS) &&
	    f->k == offset)
		return label - 1;
	return label;
}

/* Test (word & mask) == want; mask is not 0. */
static size_t word_eq(struct gen *g, size_t offset, uint32_t mask,
		      uint32_t want, size_t yes, size_t no)
{
	size_t at;

	if (yes == no)
		return yes;
	if (mask == FULL_WORD)
		at = jump(g, BPF_JEQ, want, skip_load(g, yes, offset),
			  skip_load(g, no, offset));
	else if (want == 0)
		at = jump(g, BPF_JSET, mask, skip_load(g, no, offset),
			  skip_load(g, yes, offset));
	else {
		jump(g, BPF_JEQ, want, yes, no);
		at = put(g, BPF_ALU | BPF_AND | BPF_K, mask);
	}
	return load(g, offset, at);
}

static size_t masked_eq(struct gen *g, unsigned arg, uint64_t mask,
			uint64_t want, size_t yes, size_t no)
{
	uint32_t half_mask[2] = { (uint32_t)mask, (uint32_t)(mask >> 32) };
	uint32_t half_want[2] = { (uint32_t)want, (uint32_t)(want >> 32) };

	if ((want & ~mask) != 0)
		return no; /* it never matches */
	for (int high = 0; high < 2; high++) {
		if (half_mask[high] == 0)
			continue;
		yes = word_eq(g, word_offset(arg, high), half_mask[high],
			      half_want[high], yes, no);
	}
	return yes;
}

/* Test arg >= value, or arg > value; op is BPF_JGE or BPF_JGT. */
static size_t greater(struct gen *g, unsigned arg, uint16_t op, uint64_t value,
		      size_t yes, size_t no)
{
	uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
	size_t at;

	if (yes == no)
		return yes;
	at = jump(g, op, low, yes, no);
	at = load(g, word_offset(arg, false), at);
	if (high != 0)
		at = jump(g, BPF_JEQ, high, at, no);
	at = jump(g, BPF_JGT, high, yes, at);
	return load(g, word_offset(arg, true), at);
}

static size_t any_bits(struct gen *g, unsigned arg, uint64_t mask, size_t yes,
		       size_t no)
{
	uint32_t half[2] = { (uint32_t)mask, (uint32_t)(mask >> 32) };

	for (int high = 0; high < 2; high++)
		if (half[high] != 0)
			no = word_eq(g, word_offset(arg, high), half[high], 0,
				     no, yes);
	return no;
}

/* Returns the label at which the test of c begins. */
static size_t cond(struct gen *g, const struct filter_cond *c, size_t yes,
		   size_t no)
{
	switch (c->op) {
	case FILTER_EQ:
		return masked_eq(g, c->arg, UINT64_MAX, c->value, yes, no);
	case FILTER_NE:
		return masked_eq(g, c->arg, UINT64_MAX, c->value, no, yes);
	case FILTER_MASKED_EQ:
		return masked_eq(g, c->arg, c->value, c->two, yes, no);
	case FILTER_ANY_BITS:
		return any_bits(g, c->arg, c->value, yes, no);
	case FILTER_GE:
		return greater(g, c->arg, BPF_JGE, c->value, yes, no);
	case FILTER_GT:
		return greater(g, c->arg, BPF_JGT, c->value, yes, no);
	case FILTER_LT:
		return greater(g, c->arg, BPF_JGE, c->value, no, yes);
	case FILTER_LE:
		return greater(g, c->arg, BPF_JGT, c->value, no, yes);
	case FILTER_OP_MAX_:
		break;
	}
	return no;
}

static bool is_value(const struct filter_range *r)
{
	return r->first == r->last;
}

/* Whether there are up to CHAIN values and no range: then to test them in a row
 * is as short as a search can be. */
static bool is_chain(const struct filter_range *ranges, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_value(&ranges[i]))
			return false;
	return len <= CHAIN;
}

static size_t chain(struct gen *g, const struct filter_range *ranges,
		    size_t len, size_t yes, size_t no)
{
	for (size_t i = len; i > 0; i--)
		no = jump(g, BPF_JEQ, ranges[i - 1].first, yes, no);
	return no;
}

/* Test whether the accumulator is in one of ranges[0..len-1].  is_above: it is
 * known to be at least the start of the first. */
static size_t search(struct gen *g, const struct filter_range *ranges,
		     size_t len, bool is_above, size_t yes, size_t no)
{
	size_t mid = len / 2, high, low;

	if (is_chain(ranges, len))
		return chain(g, ranges, len, yes, no);
	if (len > 1) {
		high = search(g, ranges + mid, len - mid, true, yes, no);
		low = search(g, ranges, mid, is_above, yes, no);
		return jump(g, BPF_JGE, ranges[mid].first, high, low);
	}
	high = ranges->last == FULL_WORD
		       ? yes
		       : jump(g, BPF_JGT, ranges->last, no, yes);
	return is_above || ranges->first == 0
		       ? high
		       : jump(g, BPF_JGE, ranges->first, high, no);
}

/* Test the last conditions of len clauses, which filter_set_len() found to be
 * one set of values of one word. */
static size_t set(struct gen *g, const struct filter_clause *c, size_t len,
		  size_t yes, size_t no)
{
	const struct filter_cond *last = &c->conds[c->len - 1];
	size_t offset = word_offset(last->arg, false), at;
	struct filter_range ranges[FILTER_CLAUSES_MAX];

	if (yes == no)
		return yes;
	len = filter_set_ranges(c, len, ranges);
	if (last->value == FULL_WORD) {
		at = search(g, ranges, len, false, skip_load(g, yes, offset),
			    skip_load(g, no, offset));
		return load(g, offset, at);
	}
	search(g, ranges, len, false, yes, no);
	at = put(g, BPF_ALU | BPF_AND | BPF_K, (uint32_t)last->value);
	return load(g, offset, at);
}

/* Test the clauses in turn, then go on at the label no; allow is where ALLOW
 * leads.  Clauses that make one set are searched as one. */
static size_t clauses(struct gen *g, const struct filter_clause *c,
		      size_t allow, size_t no)
{
	const struct filter_clause *next = c;
	size_t yes, len;

	if (c == NULL)
		return no;
	len = filter_set_len(c);
	for (size_t i = 0; i < len; i++)
		next = next->next;
	no = clauses(g, next, allow, no);
	yes = c->verdict == SECCOMP_RET_ALLOW ? allow
					      : ret_label(g, c->verdict);
	if (len > 1)
		yes = set(g, c, len, yes, no);
	for (size_t i = c->len - (len > 1); i > 0; i--)
		yes = cond(g, &c->conds[i - 1], yes, no);
	return yes;
}

static size_t leaf(struct gen *g, const struct filter_leaf *l)
{
	size_t allow;

	if (l->clauses == NULL && l->floor == NULL)
		return ret_label(g, l->verdict);
	allow = ret_label(g, SECCOMP_RET_ALLOW);
	allow = clauses(g, l->floor, allow, allow);
	return clauses(g, l->clauses, allow,
		       l->verdict == SECCOMP_RET_ALLOW
			       ? allow
			       : ret_label(g, l->verdict));
}

static bool is_single(const struct filter_segment *s)
{
	return s[1].start - s[0].start == 1;
}

/* How many segments from s on make one group: a leaf, or a leaf with up to
 * CHAIN single numbers cut out of it, which cost one instruction each. */
static size_t group_len(const struct filter_segment *s, size_t len)
{
	size_t n = 1;

	while (n + 1 < len && n < 2 * CHAIN && is_single(&s[n]) &&
	       s[n + 1].leaf == s[0].leaf)
		n += 2;
	return n;
}

static size_t group(struct gen *g, const struct filter_segment *s, size_t len)
{
	size_t at = leaf(g, s[0].leaf);

	for (size_t i = 1; i < len; i += 2)
		at = jump(g, BPF_JEQ, s[i].start, leaf(g, s[i].leaf), at);
	return at;
}

/* Write a balanced tree over groups[0..len-1], each the index of its first
 * segment; groups[len] is one past the last.  The depth is the logarithm of
 * their count. */
static size_t tree(struct gen *g, const struct filter_segment *s,
		   const size_t *groups, size_t len)
{
	size_t mid = len / 2, high, low;

	if (len == 1)
		return group(g, &s[groups[0]], groups[1] - groups[0]);
	high = tree(g, s, groups + mid, len - mid);
	low = tree(g, s, groups, mid);
	return jump(g, BPF_JGE, s[groups[mid]].start, high, low);
}

static int finish(const struct gen *g, struct arena *arena, struct filter *ret)
{
	struct sock_filter *out;

	if (g->is_full)
		return -E2BIG;
	out = arena_array(arena, g->len, sizeof *out);
	if (out == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < g->len; i++)
		out[i] = g->code[g->len - 1 - i];
	ret->insns = out;
	ret->len = g->len;
	return 0;
}

int filter_assemble(uint32_t arch, const struct filter_segment *segments,
		    size_t len, struct arena *arena, struct filter *ret)
{
	owned_mem struct gen *g = calloc(1, sizeof *g);
	owned_mem size_t *groups = calloc(len + 1, sizeof *groups);
	size_t n = 0, at;

	if (g == NULL || groups == NULL)
		return -ENOMEM;
	for (at = 0; at < len; at += group_len(&segments[at], len - at))
		groups[n++] = at;
	groups[n] = len;
	at = tree(g, segments, groups, n);
	at = load(g, offsetof(struct seccomp_data, nr), at);
	at = jump(g, BPF_JEQ, arch, at, ret_label(g, SECCOMP_RET_KILL_PROCESS));
	load(g, offsetof(struct seccomp_data, arch), at);
	return finish(g, arena, ret);
}
