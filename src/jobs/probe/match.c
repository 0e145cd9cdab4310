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

struct part {
	const char *s;
	size_t n;
};

/* The plain parts of a pattern, so that a comparison rejects most names. */
struct match_pattern {
	struct match_pattern *next;
	const char *text;
	size_t len;
	struct part prefix; /* start of the whole */
	struct part head;   /* start of the last segment */
	struct part tail;   /* end of the last segment */
	struct part needle; /* somewhere: the longest plain run */
	bool is_whole;      /* head and tail are all of the last segment */
	bool is_enough;     /* a name that fits these fits the pattern */
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

static struct part plain_start(const char *s, const char *end)
{
	const char *at = s;

	while (at < end && is_plain(*at))
		at++;
	return (struct part){ s, (size_t)(at - s) };
}

static struct part plain_end(const char *s, const char *end)
{
	const char *at = end;

	while (at > s && is_plain(at[-1]))
		at--;
	return (struct part){ at, (size_t)(end - at) };
}

/* The longest run of plain bytes in a segment.  A pattern with a class has
 * none, because the bytes of a class are not plain. */
static struct part needle_find(const char *s, const char *end)
{
	struct part best = { s, 0 };

	if (memchr(s, '[', (size_t)(end - s)) != NULL)
		return best;
	while (s < end) {
		struct part run = plain_start(s, end);
		const char *slash = memchr(s, '/', run.n);

		if (slash != NULL)
			run.n = (size_t)(slash - s);
		if (run.n > best.n)
			best = run;
		s += run.n + 1;
	}
	return best;
}

static void parts_find(struct match_pattern *p)
{
	const char *end = p->text + p->len;
	const char *slash = memrchr(p->text, '/', p->len);
	const char *last = slash ? slash + 1 : p->text;
	bool is_anywhere =
		last - p->text == 3 && memcmp(p->text, "**/", 3) == 0;
	size_t between;

	p->prefix = plain_start(p->text, end);
	/* the slash before a ** is absent when the ** matches nothing */
	if (p->prefix.n > 0 && p->prefix.n < p->len &&
	    p->text[p->prefix.n - 1] == '/')
		p->prefix.n--;
	p->head = plain_start(last, end);
	p->tail = plain_end(last, end);
	p->needle = needle_find(p->text, end);
	p->is_whole = p->head.n == (size_t)(end - last);
	if (p->is_whole)
		p->head.n = 0;
	between = (size_t)(end - last) - p->head.n - p->tail.n;
	p->is_enough =
		is_anywhere &&
		(p->is_whole || (between == 1 && last[p->head.n] == '*'));
	if (p->len == 2 && memcmp(p->text, "**", 2) == 0)
		p->is_enough = true;
}

static int pattern_add(void *data, const char *plain, size_t n)
{
	struct adding *a = data;
	struct match_pattern *p = arena_alloc(&a->m->arena, sizeof *p);
	struct match_list *list = &a->m->any;

	if (p == NULL)
		return -ENOMEM;
	p->text = arena_copy(&a->m->arena, plain, n);
	if (p->text == NULL)
		return -ENOMEM;
	p->len = n;
	p->probe = a->probe;
	p->rule = a->rule;
	parts_find(p);
	if (p->tail.n > 0)
		list = &a->m->buckets[(unsigned char)plain[n - 1]];
	if (list->last != NULL)
		list->last->next = p;
	else
		list->first = p;
	list->last = p;
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
				"probe %s: input %.100s: a pattern may have at "
				"most %d bytes and %d alternatives",
				probe->name, r->pattern, GLOB_PATTERN_BYTES,
				GLOB_ALTERNATIVES);
	}
	return 0;
}

/* Whether the plain parts fit.  If they do not, the pattern does not either. */
static bool parts_fit(const struct match_pattern *p, struct part path,
		      struct part base)
{
	size_t least = p->head.n + p->tail.n;

	if (p->is_whole ? base.n != least : base.n < least)
		return false;
	if (path.n < p->prefix.n)
		return false;
	return memcmp(base.s + base.n - p->tail.n, p->tail.s, p->tail.n) == 0 &&
	       memcmp(base.s, p->head.s, p->head.n) == 0 &&
	       memcmp(path.s, p->prefix.s, p->prefix.n) == 0;
}

static bool pattern_fits(const struct match_pattern *p, struct part path,
			 struct part base)
{
	if (!parts_fit(p, path, base))
		return false;
	if (p->is_enough)
		return true;
	if (p->needle.n > 0 &&
	    memmem(path.s, path.n, p->needle.s, p->needle.n) == NULL)
		return false;
	return glob_match(p->text, p->len, path.s, path.n);
}

static size_t list_find(const struct match_pattern *p, struct part path,
			struct part base, uint16_t *ret)
{
	size_t found = 0;

	for (; p != NULL; p = p->next) {
		if (p->rule >= ret[p->probe] || !pattern_fits(p, path, base))
			continue;
		found += ret[p->probe] == MATCH_NONE;
		ret[p->probe] = p->rule;
	}
	return found;
}

size_t match_find(const struct match *m, const char *name, uint16_t *ret)
{
	struct part path = { name, strlen(name) };
	const char *slash = memrchr(name, '/', path.n);
	struct part base = path;

	if (path.n == 0)
		return 0;
	if (slash != NULL)
		base = (struct part){ slash + 1,
				      path.n - (size_t)(slash + 1 - name) };
	return list_find(m->buckets[(unsigned char)name[path.n - 1]].first,
			 path, base, ret) +
	       list_find(m->any.first, path, base, ret);
}

void match_done(struct match *m)
{
	arena_done(&m->arena);
	*m = (struct match){ 0 };
}
