/* select.c -- see select.h. */
#include "jobs/gather/select.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "boundary/sanitize.h"

static const char *const no_names[] = { NULL };

static const char *const *requires_of(const struct probe *p)
{
	return p->requires != NULL ? p->requires : no_names;
}

static int probe_compare(const void *a, const void *b)
{
	const struct probe *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* A probe's name is a field's name in the context. */
static int names_check(const struct selection *all, struct cupel_error *err)
{
	for (size_t i = 0; i < all->len; i++) {
		const char *name = all->probes[i]->name;

		if (sanitize_is_credential(name, strlen(name)))
			return cupel_fail(
				err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				EINVAL,
				"probe %s: its name reads like the name of a "
				"credential; choose another",
				name);
	}
	return 0;
}

static int all_fill(const struct select_request *req, struct selection *all,
		    struct cupel_error *err)
{
	if (req->others_len + probes_len > PROBES_MAX)
		return cupel_fail(
			err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, E2BIG,
			"%zu probes are too many; at most %u can be run",
			req->others_len + probes_len, PROBES_MAX);
	for (size_t i = 0; i < probes_len; i++)
		all->probes[all->len++] = &probes[i];
	for (size_t i = 0; i < req->others_len; i++)
		all->probes[all->len++] = &req->others[i];
	qsort(all->probes, all->len, sizeof *all->probes, probe_compare);
	for (size_t i = 1; i < all->len; i++) {
		const char *name = all->probes[i]->name;

		if (strcmp(all->probes[i - 1]->name, name) == 0)
			return cupel_fail(
				err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				EEXIST, "probe %s: %s; choose another name",
				name,
				probe_find(name)
					? "a built-in probe has this name"
					: "two manifests have this name");
	}
	return names_check(all, err);
}

size_t selection_find(const struct selection *s, const char *name)
{
	for (size_t i = 0; i < s->len; i++)
		if (strcmp(s->probes[i]->name, name) == 0)
			return i;
	return PROBES_MAX;
}

static int unknown(const struct selection *all, const char *name,
		   struct cupel_error *err)
{
	owned_buf struct buf names = { 0 };

	for (size_t i = 0; i < all->len; i++)
		buf_format(&names, "%s%s", i > 0 ? ", " : "",
			   all->probes[i]->name);
	return cupel_fail(
		err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, ENOENT,
		"probe %.80s: no probe has that name; the probes are %s", name,
		names.bytes ? names.bytes : "none");
}

static int requires_check(const struct selection *all, struct cupel_error *err)
{
	for (size_t i = 0; i < all->len; i++)
		for (const char *const *r = requires_of(all->probes[i]); *r;
		     r++)
			if (selection_find(all, *r) == PROBES_MAX)
				return cupel_fail(err, CUPEL_STAGE_JOB,
						  CUPEL_CAUSE_CALLER, ENOENT,
						  "probe %s requires %.80s, "
						  "but no probe has that name",
						  all->probes[i]->name, *r);
	return 0;
}

/* Mark what marked probes require, till nothing is added. */
static void requires_mark(const struct selection *all, bool wanted[])
{
	bool has_changed = true;

	while (has_changed) {
		has_changed = false;
		for (size_t i = 0; i < all->len; i++) {
			const char *const *r = requires_of(all->probes[i]);

			for (; wanted[i] && *r != NULL; r++) {
				size_t at = selection_find(all, *r);

				has_changed = has_changed || !wanted[at];
				wanted[at] = true;
			}
		}
	}
}

/* Whether all that probe i requires can be run before it. */
static bool is_ready(const struct selection *s, size_t i, const bool done[])
{
	for (const char *const *r = requires_of(s->probes[i]); *r; r++)
		if (!done[selection_find(s, *r)])
			return false;
	return true;
}

static int circles_check(const struct selection *s, struct cupel_error *err)
{
	bool done[PROBES_MAX] = { false };
	owned_buf struct buf names = { 0 };
	bool has_changed = true;

	while (has_changed) {
		has_changed = false;
		for (size_t i = 0; i < s->len; i++)
			if (!done[i] && is_ready(s, i, done))
				done[i] = has_changed = true;
	}
	for (size_t i = 0; i < s->len; i++)
		if (!done[i])
			buf_format(&names, "%s%s", names.len > 0 ? ", " : "",
				   s->probes[i]->name);
	if (names.len == 0)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, ELOOP,
			  "these probes require each other in a circle: %s",
			  names.bytes);
}

int select_run(const struct select_request *req, struct selection *ret,
	       struct cupel_error *err)
{
	bool wanted[PROBES_MAX] = { false };
	struct selection all = { 0 };
	int e = all_fill(req, &all, err);

	if (e == 0)
		e = requires_check(&all, err);
	if (e < 0)
		return e;
	for (size_t i = 0; i < req->only_len; i++) {
		size_t at = selection_find(&all, req->only[i]);

		if (at == PROBES_MAX)
			return unknown(&all, req->only[i], err);
		wanted[at] = true;
	}
	for (size_t i = 0; i < all.len && req->only_len == 0; i++)
		wanted[i] = true;
	requires_mark(&all, wanted);
	*ret = (struct selection){ 0 };
	for (size_t i = 0; i < all.len; i++)
		if (wanted[i])
			ret->probes[ret->len++] = all.probes[i];
	return circles_check(ret, err);
}
