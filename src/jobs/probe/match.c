/* match.c -- see match.h.
 *
 * A pattern without braces is kept under the last byte of its last segment, if
 * that is a plain one: of fifty thousand names few get as far as glob_match. */
#include "jobs/probe/match.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/glob.h"

#define MATCH_BYTES ((size_t)16 << 20) /* of all patterns together */

struct match_pattern {
	struct match_pattern *next;
	const char *text;
	size_t len;
	const char *tail; /* plain end of the last segment */
	size_t tail_len;
	bool is_whole;  /* the tail is all of the last segment */
	bool is_enough; /* what the tail fits, the pattern fits */
	uint16_t probe, rule;
};

struct adding {
	struct match *m;
	uint16_t probe, rule;
};

static bool is_plain(char c)
{
	return strchr("*?[]\\", c) == NULL;
}

/* What can be known of p from its last segment alone. */
static void tail_find(struct match_pattern *p)
{
	const char *slash = memrchr(p->text, '/', p->len);
	const char *last = slash ? slash + 1 : p->text;
	const char *end = p->text + p->len, *at = end;
	bool is_anywhere =
		last - p->text == 3 && memcmp(p->text, "**/", 3) == 0;

	while (at > last && is_plain(at[-1]))
		at--;
	p->tail = at;
	p->tail_len = (size_t)(end - at);
	p->is_whole = at == last && p->tail_len > 0;
	p->is_enough = is_anywhere &&
		       (p->is_whole || (at - last == 1 && *last == '*'));
	if (p->len == 2 && memcmp(p->text, "**", 2) == 0)
		p->is_enough = true;
}

static int pattern_add(void *data, const char *plain, size_t n)
{
	struct adding *a = data;
	struct match_pattern *p = arena_alloc(&a->m->arena, sizeof *p);
	struct match_pattern **list = &a->m->any;

	if (p == NULL)
		return -ENOMEM;
	p->text = arena_copy(&a->m->arena, plain, n);
	if (p->text == NULL)
		return -ENOMEM;
	p->len = n;
	p->probe = a->probe;
	p->rule = a->rule;
	tail_find(p);
	if (p->tail_len > 0)
		list = &a->m->buckets[(unsigned char)plain[n - 1]];
	p->next = *list;
	*list = p;
	return 0;
}

int match_add(struct match *m, const struct probe *probe, size_t index,
	      struct cupel_error *err)
{
	struct adding a = { .m = m, .probe = (uint16_t)index };

	m->arena.cap_bytes = MATCH_BYTES;
	for (const struct probe_input_rule *r = probe->rules;
	     r->pattern != NULL; r++, a.rule++) {
		int e = a.rule == MATCH_NONE
				? -E2BIG
				: glob_expand(r->pattern, pattern_add, &a);

		if (e < 0)
			return cupel_fail(
				err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, -e,
				"probe %s: input %.100s: at most %d "
				"bytes and %d alternatives",
				probe->name, r->pattern, GLOB_PATTERN_BYTES,
				GLOB_ALTERNATIVES);
	}
	return 0;
}

static bool tail_fits(const struct match_pattern *p, const char *base,
		      size_t base_len)
{
	if (p->is_whole ? base_len != p->tail_len : base_len < p->tail_len)
		return false;
	return memcmp(base + base_len - p->tail_len, p->tail, p->tail_len) == 0;
}

static size_t list_find(const struct match_pattern *p, const char *path,
			size_t len, uint16_t *ret)
{
	const char *slash = memrchr(path, '/', len);
	const char *base = slash ? slash + 1 : path;
	size_t base_len = len - (size_t)(base - path);
	size_t found = 0;

	for (; p != NULL; p = p->next) {
		if (p->rule >= ret[p->probe] || !tail_fits(p, base, base_len))
			continue;
		if (!p->is_enough && !glob_match(p->text, p->len, path, len))
			continue;
		found += ret[p->probe] == MATCH_NONE;
		ret[p->probe] = p->rule;
	}
	return found;
}

size_t match_find(const struct match *m, const char *path, uint16_t *ret)
{
	size_t len = strlen(path);

	if (len == 0)
		return 0;
	return list_find(m->buckets[(unsigned char)path[len - 1]], path, len,
			 ret) +
	       list_find(m->any, path, len, ret);
}

void match_done(struct match *m)
{
	arena_done(&m->arena);
	*m = (struct match){ 0 };
}
