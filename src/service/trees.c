/* trees.c -- see trees.h. */
#include "service/trees.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "launch/launch.h"
#include "plan/shape.h"
#include "supervise/clock.h"

/* A vessel that ends keeps its template, so there are two for each place, and
 * some more so that shapes may take turns; but never more than a machine has
 * processors for, because each is a process and two descriptors. */
#define TREES_FOR(places) (2 * (places) + 6)
#define TREES_MAX         64

/* A template shows which mounts the host had below a source when it was made.
 * It is not used for longer than this. */
#define TREE_AGE_MS 10000

/* A template that waits is used again at once, or the batch has nothing of its
 * shape.  Until it is ended, what it shows stays mounted, whatever the host
 * does. */
#define TREE_IDLE_MS 3000

/* Shapes of late: the one that was asked for longest ago is forgotten. */
#define SHAPES_MAX 64

/* So many copies of a shape may fail; then its vessels are made from the
 * beginning. */
#define FAILURES_MAX 3

struct shape {
	char hash[BLAKE3_TEXT_BYTES];
	uint64_t asked; /* when, by trees.turn; 0 = free */
	unsigned failures;
};

struct tree {
	struct holder *holder; /* NULL: there is none */
	char hash[BLAKE3_TEXT_BYTES];
	uint64_t late_ns; /* from then on it is not used again */
	uint64_t given;   /* when, by trees.turn */
	uint64_t idle_ns; /* if it is not taken: from then on it is ended */
	bool is_taken;
};

struct trees {
	uint64_t turn;
	bool is_likely;         /* see trees_are_likely() */
	uint64_t remade;        /* see trees_remade() */
	struct cupel_error why; /* of the last of these */
	struct shape shapes[SHAPES_MAX];
	size_t len;
	struct tree list[];
};

struct trees *trees_new(size_t places)
{
	size_t n =
		TREES_FOR(places) < TREES_MAX ? TREES_FOR(places) : TREES_MAX;
	struct trees *all = calloc(1, sizeof *all + n * sizeof *all->list);

	if (all != NULL)
		all->len = n;
	return all;
}

bool trees_are_likely(const struct trees *all)
{
	return all->is_likely;
}

struct holder *tree_holder(const struct tree *t)
{
	return t->holder;
}

bool tree_lives(const struct tree *t)
{
	return launch_lives(t->holder);
}

void trees_note_remade(struct trees *all, const struct cupel_error *why)
{
	all->remade++;
	all->why = *why;
}

uint64_t trees_remade(const struct trees *all, const char **ret_why)
{
	*ret_why = all->why.what;
	return all->remade;
}

static void tree_end(struct tree *t)
{
	launch_release(t->holder);
	*t = (struct tree){ 0 };
}

/* --- shapes -------------------------------------------------------------- */

static struct shape *shape_find(struct trees *all, const char *hash)
{
	for (size_t i = 0; i < SHAPES_MAX; i++)
		if (strcmp(all->shapes[i].hash, hash) == 0)
			return &all->shapes[i];
	return NULL;
}

/* Note that it is asked for.  Returns whether it may have a template: it was
 * asked for before, and its copies did not fail. */
static bool shape_note(struct trees *all, const char *hash)
{
	struct shape *s = shape_find(all, hash);

	all->turn++;
	if (s != NULL) {
		s->asked = all->turn;
		return s->failures < FAILURES_MAX;
	}
	s = &all->shapes[0];
	for (size_t i = 1; i < SHAPES_MAX; i++)
		if (all->shapes[i].asked < s->asked)
			s = &all->shapes[i];
	*s = (struct shape){ .asked = all->turn };
	memcpy(s->hash, hash, sizeof s->hash);
	return false;
}

/* --- templates ----------------------------------------------------------- */

/* One that waits, made lately and alive; others of this shape are ended. */
static struct tree *tree_find(struct trees *all, const char *hash)
{
	uint64_t now_ns = clock_now_ns();

	for (size_t i = 0; i < all->len; i++) {
		struct tree *t = &all->list[i];

		if (t->holder == NULL || t->is_taken ||
		    strcmp(t->hash, hash) != 0)
			continue;
		if (now_ns < t->late_ns && tree_lives(t))
			return t;
		tree_end(t);
	}
	return NULL;
}

/* Room for one more: a free place, or that of the one which waits longest. */
static struct tree *tree_room(struct trees *all)
{
	struct tree *oldest = NULL;

	for (size_t i = 0; i < all->len; i++) {
		struct tree *t = &all->list[i];

		if (t->holder == NULL)
			return t;
		if (!t->is_taken &&
		    (oldest == NULL || t->given < oldest->given))
			oldest = t;
	}
	if (oldest != NULL)
		tree_end(oldest);
	return oldest;
}

static struct tree *tree_make(struct trees *all, const struct plan *plan,
			      const char *hash)
{
	struct tree *t = tree_room(all);
	struct cupel_error why = { 0 };

	if (t == NULL)
		return NULL;
	if (launch_tree(plan, &t->holder, &why) < 0) {
		trees_note_remade(all, &why);
		return NULL;
	}
	memcpy(t->hash, hash, sizeof t->hash);
	t->late_ns = clock_after_ms(clock_now_ns(), TREE_AGE_MS);
	return t;
}

struct tree *trees_take(struct trees *all, const struct plan *plan)
{
	char hash[BLAKE3_TEXT_BYTES];
	struct tree *t;

	all->is_likely = shape_refusal(plan) == NULL;
	if (!all->is_likely)
		return NULL;
	shape_hash(plan, hash);
	if (!shape_note(all, hash))
		return NULL;
	t = tree_find(all, hash);
	if (t == NULL)
		t = tree_make(all, plan, hash);
	if (t != NULL)
		t->is_taken = true;
	return t;
}

void trees_give(struct trees *all, struct tree *t, bool is_sound)
{
	struct shape *s = shape_find(all, t->hash);

	t->is_taken = false;
	t->given = all->turn;
	t->idle_ns = clock_after_ms(clock_now_ns(), TREE_IDLE_MS);
	if (is_sound) {
		if (s != NULL)
			s->failures = 0;
		return;
	}
	if (s != NULL)
		s->failures++;
	tree_end(t);
}

void trees_tidy(struct trees *all)
{
	uint64_t now_ns = clock_now_ns();

	for (size_t i = 0; i < all->len; i++) {
		struct tree *t = &all->list[i];

		if (t->holder != NULL && !t->is_taken && now_ns >= t->idle_ns)
			tree_end(t);
	}
}

int trees_left_ms(const struct trees *all)
{
	uint64_t next_ns = UINT64_MAX;
	uint64_t now_ns = clock_now_ns();

	for (size_t i = 0; i < all->len; i++) {
		const struct tree *t = &all->list[i];

		if (t->holder != NULL && !t->is_taken && t->idle_ns < next_ns)
			next_ns = t->idle_ns;
	}
	if (next_ns == UINT64_MAX)
		return -1;
	return next_ns <= now_ns ? 0
				 : (int)((next_ns - now_ns) / NS_PER_MS) + 1;
}

void trees_free(struct trees *all)
{
	if (all == NULL)
		return;
	for (size_t i = 0; i < all->len; i++)
		tree_end(&all->list[i]);
	free(all);
}
