/* pending.c -- a table of awaited answers. */
#include "worker/pending.h"

#include <stdlib.h>
#include <string.h>

bool worker_pending_is_full(const struct worker_pending *p)
{
	return p->len == WORKER_PENDING_MAX || p->bytes >= WORKER_PENDING_BYTES;
}

static bool pending_add(struct worker_pending *p,
			const struct worker_request *q, const char *bytes,
			size_t n)
{
	char *copy;

	if (p->places == NULL)
		p->places = calloc(WORKER_PENDING_MAX, sizeof *p->places);
	if (p->places == NULL || p->len == WORKER_PENDING_MAX)
		return false;
	if (worker_pending_find(p, q->key) != NULL)
		return true;
	copy = malloc(n);
	if (copy == NULL)
		return false;
	memcpy(copy, bytes, n);
	for (size_t i = 0; i < WORKER_PENDING_MAX; i++) {
		struct worker_awaited *a = &p->places[i];

		if (a->key[0] != '\0')
			continue;
		memcpy(a->key, q->key, sizeof a->key);
		memcpy(a->hash, q->hash, sizeof a->hash);
		a->kind = q->kind;
		a->bytes = copy;
		a->n = n;
		p->len++;
		p->bytes += n;
		break;
	}
	return true;
}

struct worker_awaited *worker_pending_find(const struct worker_pending *p,
					   const char *key)
{
	for (size_t i = 0;
	     p->places != NULL && key[0] != '\0' && i < WORKER_PENDING_MAX; i++)
		if (strcmp(p->places[i].key, key) == 0)
			return &p->places[i];
	return NULL;
}

struct worker_awaited *worker_pending_next(struct worker_pending *p)
{
	for (size_t i = 0; p->len > 0 && i < WORKER_PENDING_MAX; i++) {
		p->at = (p->at + 1) % WORKER_PENDING_MAX;
		if (p->places[p->at].key[0] != '\0')
			return &p->places[p->at];
	}
	return NULL;
}

void worker_pending_drop(struct worker_pending *p, struct worker_awaited *a)
{
	a->key[0] = '\0';
	free(a->bytes);
	a->bytes = NULL;
	p->bytes -= a->n;
	p->len--;
}

void worker_pending_done(struct worker_pending *p)
{
	for (size_t i = 0; p->places != NULL && i < WORKER_PENDING_MAX; i++)
		free(p->places[i].bytes);
	free(p->places);
	*p = (struct worker_pending){ 0 };
}

bool worker_pending_await(struct worker_pending *p,
			  const struct worker_request *q, const char *bytes,
			  size_t n, struct worker_why *why)
{
	const struct worker_awaited *same = worker_pending_find(p, q->key);

	if (same != NULL && strcmp(same->hash, q->hash) != 0)
		(void)worker_why_set(why, "wrong_schema",
				     "another line has this id and asks for "
				     "something else");
	if (same != NULL)
		return false;
	if (pending_add(p, q, bytes, n))
		return true;
	(void)worker_why_set(why, "too_large",
			     "no memory for another awaited answer");
	return false;
}
