/* rules.c -- see rules.h. */
#include "jobs/trace/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/grow.h"
#include "jobs/trace/happened.h"
#include "spec/egress.h"

/* What an entry names as a rule; a file may say anything: only what a rule can
 * be is taken. */
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
	owned_buf struct buf text = { 0 };
	void *rules = r->rules;

	egress_rule_write(rule, &text);
	if (buf_has_failed(&text) ||
	    !array_grow(&rules, r->len, &r->room, sizeof *r->rules))
		return -ENOMEM;
	r->rules = rules;
	r->rules[r->len] = arena_copy(&r->arena, text.bytes, text.len);
	return r->rules[r->len++] != NULL ? 0 : -ENOMEM;
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

/* By host, then by port as a number. */
static int compare(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	size_t n = (size_t)(strrchr(x, ':') - x);
	size_t m = (size_t)(strrchr(y, ':') - y);
	int r = memcmp(x, y, n < m ? n : m);

	if (r != 0 || n != m)
		return r != 0 ? r : (n > m) - (n < m);
	return atoi(x + n + 1) - atoi(y + m + 1);
}

static bool is_next(const struct egress_rule *a, const struct egress_rule *b)
{
	return a->kind == b->kind && a->bits == b->bits &&
	       memcmp(a->address, b->address, sizeof a->address) == 0 &&
	       strcmp(a->name, b->name) == 0 && b->low <= a->high + 1;
}

int reached_write(struct reached *r, struct buf *out)
{
	struct egress_rule rule = { 0 }, next;

	if (r->len > 0)
		qsort(r->rules, r->len, sizeof *r->rules, compare);
	for (size_t i = 0; i < r->len; i++) {
		if (egress_rule_read(r->rules[i], &next) != NULL)
			continue;
		if (i > 0 && is_next(&rule, &next)) {
			rule.high = next.high;
			continue;
		}
		if (i > 0) {
			egress_rule_write(&rule, out);
			buf_char(out, '\n');
		}
		rule = next;
	}
	if (r->len > 0) {
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
