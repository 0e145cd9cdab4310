/* trees.h -- templates that vessels are copied from: a bounded number, each for
 * one shape of plan (docs/copies.md). */
#ifndef CUPEL_SERVICE_TREES_H
#define CUPEL_SERVICE_TREES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cupel_error;
struct holder;
struct plan;
struct tree;
struct trees;

/* trees_new -- none yet.
 *
 * @places	how many vessels run at once
 * Returns NULL without memory: run without them. */
struct trees *trees_new(size_t places);

/* trees_take -- a template for one vessel of this plan, or NULL: make the vessel
 * from the beginning.  That is so for a plan that is never copied, for the first
 * of a shape, while all templates are taken, and for a shape whose copies
 * failed. */
struct tree *trees_take(struct trees *all, const struct plan *plan);

/* trees_are_likely -- whether the next plan will probably get one: the last plan
 * was not one that is never copied. */
bool trees_are_likely(const struct trees *all);

/* tree_holder -- for run_hooks; borrowed. */
struct holder *tree_holder(const struct tree *t);

/* tree_lives -- whether its process lives. */
bool tree_lives(const struct tree *t);

/* trees_give -- when nothing of the vessel lives any more.
 *
 * @is_sound	false: a copy failed; the template is ended */
void trees_give(struct trees *all, struct tree *t, bool is_sound);

/* trees_note_remade -- count a run that is made from the beginning because its copy
 * failed.  One whose template could not be made is counted by trees_take(). */
void trees_note_remade(struct trees *all, const struct cupel_error *why);

/* trees_remade -- how many of these there were.
 *
 * @ret_why	why the last was one, borrowed; empty if there was none */
uint64_t trees_remade(const struct trees *all, const char **ret_why);

/* trees_tidy -- end the templates that no vessel has used for 3 seconds: each
 * keeps file systems of the host in use. */
void trees_tidy(struct trees *all);

/* trees_left_ms -- the time until trees_tidy() has something to do; -1: no
 * template waits. */
int trees_left_ms(const struct trees *all);

/* trees_free -- end them all.  NULL is fine. */
void trees_free(struct trees *all);

#endif
