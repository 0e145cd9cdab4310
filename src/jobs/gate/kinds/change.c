/* change.c -- see change.h. */
#include "jobs/gate/kinds/change.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "jobs/gate/kinds/change_digest.h"
#include "jobs/gate/kinds/change_side.h"
#include "jobs/gate/kinds/idle.h"

struct sides {
	struct side base, now;
	struct jsonw *w;
};

/* --- lists that are compared by their keys ---------------------------------------- */

/* Whether the fact before has the same key; they are sorted. */
static bool is_again(const struct facts *f, size_t i)
{
	return i > 0 && strcmp(f->items[i - 1].key, f->items[i].key) == 0;
}

static void new_write(const struct sides *s, const struct fact *f)
{
	jsonw_object(s->w, NULL);
	jsonw_text(s->w, "what", f->key);
	jsonw_text_or_null(s->w, "source", f->source);
	jsonw_end_object(s->w);
}

/* Write the facts of now whose key is not in base, into an array that is open. */
static void news_put(const struct sides *s, const struct facts *base,
		     const struct facts *now)
{
	for (size_t i = 0; i < now->len; i++) {
		const struct fact *f = &now->items[i];

		if (facts_find(base, f->key) == NULL && !is_again(now, i))
			new_write(s, f);
	}
}

static void news_write(const struct sides *s, const char *member,
		       const struct facts *base, const struct facts *now)
{
	jsonw_array(s->w, member);
	news_put(s, base, now);
	jsonw_end_array(s->w);
}

/* The same for origins.  One that is the project's own must have been so before;
 * any other may also have been in a file that is not. */
static void origins_write(const struct sides *s)
{
	const struct facts *own = &s->now.origins, *foreign = &s->now.foreign;

	jsonw_array(s->w, "origins");
	news_put(s, &s->base.origins, own);
	for (size_t i = 0; i < foreign->len; i++) {
		const char *key = foreign->items[i].key;

		if (!is_again(foreign, i) && facts_find(own, key) == NULL &&
		    facts_find(&s->base.origins, key) == NULL &&
		    facts_find(&s->base.foreign, key) == NULL)
			new_write(s, &foreign->items[i]);
	}
	jsonw_end_array(s->w);
}

/* Write what cannot be read now and could be before.  Anything new may lie
 * behind a cap, so a gap by a cap is always written. */
static void gaps_write(const struct sides *s)
{
	jsonw_array(s->w, "incomplete");
	for (size_t i = 0; i < s->now.gaps.len; i++) {
		const struct fact *f = &s->now.gaps.items[i];

		if (is_again(&s->now.gaps, i) ||
		    (f->count == 0 &&
		     facts_find(&s->base.gaps, f->key) != NULL))
			continue;
		jsonw_object(s->w, NULL);
		jsonw_text(s->w, "what", f->key);
		jsonw_text_or_null(s->w, "source", f->source);
		jsonw_end_object(s->w);
	}
	jsonw_end_array(s->w);
}

/* --- files ------------------------------------------------------------------------- */

static const char *hash_of(const struct side *side, const char *name)
{
	const struct json_value *v = json_find(side->files, name);

	return v != NULL && v->type == JSON_STRING ? v->u.string.bytes : NULL;
}

static void file_write(const struct sides *s, const char *name)
{
	const char *before = hash_of(&s->base, name);
	const char *now = hash_of(&s->now, name);

	if (before == now ||
	    (before != NULL && now != NULL && strcmp(before, now) == 0))
		return;
	jsonw_object(s->w, NULL);
	jsonw_text(s->w, "what",
		   before == NULL ? "added"
		   : now == NULL  ? "removed"
				  : "changed");
	jsonw_text(s->w, "source", name);
	jsonw_end_object(s->w);
}

/* The files that either tree's context counts as CI's. */
static void ci_files_write(const struct sides *s)
{
	jsonw_array(s->w, "ci_files");
	for (size_t i = 0; i < s->base.ci.len; i++)
		if (!is_again(&s->base.ci, i))
			file_write(s, s->base.ci.items[i].key);
	for (size_t i = 0; i < s->now.ci.len; i++)
		if (!is_again(&s->now.ci, i) &&
		    facts_find(&s->base.ci, s->now.ci.items[i].key) == NULL)
			file_write(s, s->now.ci.items[i].key);
	jsonw_end_array(s->w);
}

static void files_write(const struct sides *s)
{
	const struct json_value *a = s->base.files, *b = s->now.files;

	jsonw_array(s->w, "files");
	for (size_t i = 0; i < a->u.object.len; i++)
		file_write(s, a->u.object.members[i].name.bytes);
	for (size_t i = 0; i < b->u.object.len; i++)
		if (json_find(a, b->u.object.members[i].name.bytes) == NULL)
			file_write(s, b->u.object.members[i].name.bytes);
	jsonw_end_array(s->w);
}

/* --- hashes and scripts ------------------------------------------------------------- */

/* Packages of lockfiles whose digest is weaker than it has to be. */
static void integrity_write(const struct sides *s)
{
	const struct facts *now = &s->now.packages;

	jsonw_array(s->w, "without_integrity");
	for (size_t i = 0; i < now->len; i++) {
		const struct fact *f = &now->items[i];
		const char *kind = digest_weak_find(&s->base.packages, f);
		owned_buf struct buf what = { 0 };

		if (kind == NULL)
			continue;
		buf_format(&what, "%s %s: %s", f->name, f->text,
			   strcmp(kind, "none") == 0 ? "no hash" : kind);
		s->w->out->failed |= buf_has_failed(&what);
		jsonw_object(s->w, NULL);
		jsonw_bytes(s->w, "what", what.bytes ? what.bytes : "",
			    what.len);
		jsonw_text(s->w, "source", f->source);
		jsonw_end_object(s->w);
	}
	jsonw_end_array(s->w);
}

static bool is_idle(const char *command, bool is_test)
{
	return script_is_idle((struct json_text){ command, strlen(command) },
			      is_test);
}

/* Scripts that do nothing, and were not there like this before. */
static void idle_write(const struct sides *s)
{
	jsonw_array(s->w, "idle_test_scripts");
	for (size_t i = 0; i < s->now.tests.len; i++) {
		const struct fact *f = &s->now.tests.items[i];

		if (!is_idle(f->text, true) ||
		    facts_find(&s->base.tests, f->key) != NULL)
			continue;
		jsonw_object(s->w, NULL);
		jsonw_text(s->w, "what", f->text);
		jsonw_text_or_null(s->w, "source", f->source);
		jsonw_end_object(s->w);
	}
	jsonw_end_array(s->w);
}

/* Scripts that built something before, and are gone or do nothing now. */
static void builds_write(const struct sides *s)
{
	jsonw_array(s->w, "idle_build_scripts");
	for (size_t i = 0; i < s->base.builds.len; i++) {
		const struct fact *before = &s->base.builds.items[i];
		const struct fact *f = facts_find(&s->now.builds, before->key);

		if (is_idle(before->text, false) ||
		    (f != NULL && !is_idle(f->text, false)))
			continue;
		jsonw_object(s->w, NULL);
		jsonw_text(s->w, "what", f != NULL ? f->text : "removed");
		jsonw_text(s->w, "source", before->key);
		jsonw_end_object(s->w);
	}
	jsonw_end_array(s->w);
}

/* --- packages ------------------------------------------------------------------------ */

#define VERSIONS_MAX 8U /* of one package in one file that are shown */

/* The index after the last fact with the key of f[i]. */
static size_t group_end(const struct facts *f, size_t i)
{
	size_t end = i + 1;

	while (end < f->len && strcmp(f->items[end].key, f->items[i].key) == 0)
		end++;
	return end;
}

/* The versions of a package in one file of one side. */
struct group {
	const struct facts *facts;
	size_t i, end;
};

/* is_replaced: compare what is fetched, too. */
static bool is_same_group(struct group a, struct group b, bool is_replaced)
{
	if (a.end - a.i != b.end - b.i)
		return false;
	for (; a.i < a.end; a.i++, b.i++) {
		const struct fact *x = &a.facts->items[a.i];
		const struct fact *y = &b.facts->items[b.i];

		if (strcmp(x->text, y->text) != 0 ||
		    (is_replaced && digest_differs(x, y)))
			return false;
	}
	return true;
}

/* Write all versions of it, with what is fetched if they are the same; null if there
 * are none. */
static void versions_write(const struct sides *s, const char *member,
			   struct group g, bool is_replaced)
{
	const struct facts *f = g.facts;
	size_t i = g.i, end = g.end;
	owned_buf struct buf text = { 0 };

	if (i == end) {
		jsonw_null(s->w, member);
		return;
	}
	for (size_t n = 0; i < end && n <= VERSIONS_MAX; i++, n++) {
		buf_text(&text, n > 0 ? ", " : "");
		buf_text(&text, n < VERSIONS_MAX ? f->items[i].text : "...");
		if (is_replaced && n < VERSIONS_MAX)
			buf_format(&text, " (%s)", f->items[i].content);
	}
	s->w->out->failed |= buf_has_failed(&text);
	jsonw_text(s->w, member, text.bytes != NULL ? text.bytes : "");
}

/* Write one package of one file; either side may be without it. */
static void package_write(const struct sides *s, struct group before,
			  struct group now)
{
	const struct group *g = before.i < before.end ? &before : &now;
	const struct fact *f = &g->facts->items[g->i];
	const bool is_replaced = is_same_group(before, now, false);

	if (is_same_group(before, now, true))
		return;
	jsonw_object(s->w, NULL);
	jsonw_text(s->w, "what",
		   before.i == before.end ? "added"
		   : now.i == now.end     ? "removed"
		   : is_replaced          ? "replaced"
					  : "changed");
	jsonw_text(s->w, "source", f->source);
	jsonw_text(s->w, "ecosystem", f->ecosystem);
	jsonw_text(s->w, "name", f->name);
	versions_write(s, "before", before, is_replaced);
	versions_write(s, "now", now, is_replaced);
	jsonw_end_object(s->w);
}

static void packages_write(const struct sides *s)
{
	const struct facts *a = &s->base.packages, *b = &s->now.packages;
	size_t i = 0, k = 0;

	jsonw_array(s->w, "packages");
	while (i < a->len || k < b->len) {
		int r = i == a->len ? 1
			: k == b->len
				? -1
				: strcmp(a->items[i].key, b->items[k].key);
		size_t i_end = r <= 0 ? group_end(a, i) : i;
		size_t k_end = r >= 0 ? group_end(b, k) : k;

		package_write(s, (struct group){ a, i, i_end },
			      (struct group){ b, k, k_end });
		i = i_end;
		k = k_end;
	}
	jsonw_end_array(s->w);
}

int change_write(const struct json_value *base, const struct json_value *now,
		 struct arena *arena, struct jsonw *w)
{
	struct sides s = { .w = w };
	int e = side_read(base, arena, &s.base);

	if (e == 0)
		e = side_read(now, arena, &s.now);
	if (e < 0)
		return e;
	jsonw_object(w, "change");
	files_write(&s);
	ci_files_write(&s);
	news_write(&s, "install_scripts", &s.base.scripts, &s.now.scripts);
	origins_write(&s);
	integrity_write(&s);
	packages_write(&s);
	idle_write(&s);
	builds_write(&s);
	gaps_write(&s);
	jsonw_end_object(w);
	return 0;
}
