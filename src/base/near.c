/* near.c -- see near.h. */
#include "base/near.h"

#include <string.h>

#define NAME_MAX_BYTES 40U /* of a name that is compared */
#define PREFIX_MIN     3U
#define SHORT_BYTES    5U

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* How many letters must be replaced, put in, left out or swapped with their
 * neighbour to make b of a.
 * Source: the optimal string alignment distance (Damerau, Levenshtein). */
static unsigned distance_of(const char *a, size_t a_len, const char *b,
			    size_t b_len)
{
	unsigned rows[3][NAME_MAX_BYTES + 1];
	unsigned *before = rows[0], *last = rows[1], *now = rows[2], *spare;

	for (size_t k = 0; k <= b_len; k++)
		last[k] = (unsigned)k;
	for (size_t i = 1; i <= a_len; i++) {
		now[0] = (unsigned)i;
		for (size_t k = 1; k <= b_len; k++) {
			now[k] = min3(last[k] + 1, now[k - 1] + 1,
				      last[k - 1] + (a[i - 1] != b[k - 1]));
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] &&
			    a[i - 2] == b[k - 1] && before[k - 2] + 1 < now[k])
				now[k] = before[k - 2] + 1;
		}
		spare = before;
		before = last;
		last = now;
		now = spare;
	}
	return last[b_len];
}

void near_note(struct near *n, const char *known)
{
	size_t len = strlen(n->name), known_len = strlen(known);
	unsigned most = len < SHORT_BYTES ? 1 : 2, cost;

	if (len == 0 || len > NAME_MAX_BYTES || known_len > NAME_MAX_BYTES)
		return;
	cost = distance_of(n->name, len, known, known_len);
	if (cost > most &&
	    (len < PREFIX_MIN || strncmp(n->name, known, len) != 0))
		return;
	if (cost > most)
		cost = most + 1;
	if (n->best != NULL && n->cost <= cost)
		return;
	n->best = known;
	n->cost = cost;
}
