/* rules.c -- see rules.h. */
#include "jobs/trace/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/grow.h"
#include "jobs/trace/happened.h"
#include "spec/egress.h"

/* The rule that an entry needs.  A file may say anything, so only what can be a
 * rule is taken. */
static bool rule_find(struct reached *r, const struct json_value *entry,
		      struct egress_rule *ret)
{
	const char *host = happened_text(entry, "host");
	const char *address = happened_text(entry, "address");
	unsigned long long port = happened_number(entry, "port");
	bool is_six = address != NULL && strchr(address, ':') != NULL;
	const char *text = NULL;

	if (host != NULL)
		text = arena_format(&r->arena, "%s:%llu", host, port);
	else if (address != NULL)
		text = arena_format(&r->arena, is_six ? "[%s]:%llu" : "%s:%llu",
				    address, port);
	return text != NULL && egress_rule_read(text, ret) == NULL &&
	       ret->kind != EGRESS_SUFFIX;
}

static int rule_add(struct reached *r, const struct egress_rule *rule)
{
	void *rules = r->rules;

	if (!array_grow(&rules, r->len, &r->room, sizeof *r->rules))
		return -ENOMEM;
	r->rules = rules;
	r->rules[r->len++] = *rule;
	return 0;
}

int reached_add(struct reached *r, const struct happened *h)
{
	r->omitted += happened_number(&h->root, "egress_omitted");
	for (size_t i = 0; h->egress != NULL && i < h->egress->u.array.len;
	     i++) {
		const struct json_value *entry = &h->egress->u.array.items[i];
		struct egress_rule rule = { 0 };
		const char *verdict = happened_text(entry, "verdict");

		if (verdict == NULL || strcmp(verdict, "allowed") != 0 ||
		    happened_text(entry, "reason") != NULL ||
		    happened_number(entry, "port") == 0)
			continue;
		if (!rule_find(r, entry, &rule)) {
			r->odd++;
			continue;
		}
		if (rule_add(r, &rule) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* 0: the same host, or the same prefix. */
static int host_compare(const struct egress_rule *x,
			const struct egress_rule *y)
{
	int r = (x->kind > y->kind) - (x->kind < y->kind);

	if (r == 0)
		r = strcmp(x->name, y->name);
	if (r == 0)
		r = memcmp(x->address, y->address, sizeof x->address);
	return r != 0 ? r : (x->bits > y->bits) - (x->bits < y->bits);
}

static int compare(const void *a, const void *b)
{
	const struct egress_rule *x = a, *y = b;
	int r = host_compare(x, y);

	return r != 0 ? r : (x->low > y->low) - (x->low < y->low);
}

int reached_write(struct reached *r, struct buf *out)
{
	if (r->len > 0)
		qsort(r->rules, r->len, sizeof *r->rules, compare);
	for (size_t i = 0; i < r->len;) {
		struct egress_rule rule = r->rules[i++];

		while (i < r->len && host_compare(&rule, &r->rules[i]) == 0 &&
		       r->rules[i].low <= rule.high + 1)
			rule.high = r->rules[i++].high;
		egress_rule_write(&rule, out);
		buf_char(out, '\n');
	}
	return buf_has_failed(out) ? -ENOMEM : 0;
}

void reached_done(struct reached *r)
{
	free(r->rules);
	arena_done(&r->arena);
	*r = (struct reached){ 0 };
}
