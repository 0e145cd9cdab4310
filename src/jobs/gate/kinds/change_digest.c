/* change_digest.c -- see change_digest.h. */
#include "jobs/gate/kinds/change_digest.h"

#include <limits.h>
#include <string.h>

/* What a package's digest is worth; 0: it has none.  *ret_name is what it is called. */
static unsigned strength_of(const struct fact *f, const char **ret_name)
{
	static const char *const kinds[] = {
		"none",   "md5",    "sha1",   "sha224",
		"commit", "sha256", "sha384", "sha512",
	};
	const size_t n = strcspn(f->content, ":");

	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strlen(kinds[i]) == n &&
		    memcmp(kinds[i], f->content, n) == 0) {
			*ret_name = kinds[i];
			return i;
		}
	*ret_name = kinds[0];
	return 0;
}

#define STRENGTH_FINE 4U /* a commit */

static bool is_named(const struct fact *f, const char *const *names)
{
	const char *slash = strrchr(f->source, '/');
	const char *base = slash != NULL ? slash + 1 : f->source;

	while (*names != NULL && strcmp(base, *names) != 0)
		names++;
	return *names != NULL;
}

/* Formats that always have a digest.  In most of the others, one is wanted if the file
 * has any; Composer has none for what GitHub makes of a tag. */
static const char *const always[] = { "package-lock.json",
				      "npm-shrinkwrap.json",
				      "pnpm-lock.yaml",
				      "yarn.lock",
				      "bun.lock",
				      "poetry.lock",
				      "uv.lock",
				      "pdm.lock",
				      "Pipfile.lock",
				      "Cargo.lock",
				      NULL };
static const char *const seldom[] = { "composer.lock", NULL };

/* Whether a file of that name had packages, and the best digest of one of them. */
static bool file_best(const struct facts *base, const char *source,
		      unsigned *ret_best)
{
	bool is_there = false;
	const char *name;

	*ret_best = 0;
	for (size_t i = 0; i < base->len; i++) {
		const struct fact *f = &base->items[i];
		unsigned n;

		if (strcmp(f->source, source) != 0)
			continue;
		is_there = true;
		n = f->content[0] != '\0' ? strength_of(f, &name) : 0;
		*ret_best = n > *ret_best ? n : *ret_best;
	}
	return is_there;
}

/* The least that the package's digest has to be: as good as its weakest one in the
 * same file of the base, or as that file's best if the package is new there. */
static unsigned strength_wanted(const struct facts *base, const struct fact *f)
{
	const struct fact *before = facts_find(base, f->key);
	unsigned wanted = STRENGTH_FINE, best;
	const char *name;

	if (before == NULL && is_named(f, seldom))
		return 0;
	if (before == NULL && file_best(base, f->source, &best))
		return best < wanted ? best : wanted;
	if (before == NULL)
		return is_named(f, always) ? wanted : 0;
	while (before > base->items && strcmp(before[-1].key, f->key) == 0)
		before--;
	for (best = UINT_MAX; before < base->items + base->len &&
			      strcmp(before->key, f->key) == 0;
	     before++) {
		const unsigned n = strength_of(before, &name);

		if (before->content[0] == '\0')
			continue;
		best = n < best ? n : best;
	}
	return best < UINT_MAX ? best : wanted;
}

const char *digest_weak_find(const struct facts *base, const struct fact *f)
{
	const char *name;

	if (f->content[0] == '\0' ||
	    strength_of(f, &name) >= strength_wanted(base, f))
		return NULL;
	return name;
}

bool digest_differs(const struct fact *a, const struct fact *b)
{
	return a->content[0] != '\0' && b->content[0] != '\0' &&
	       strcmp(a->content, b->content) != 0;
}
