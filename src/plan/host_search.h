/* host_search.h -- the caller's PATH, entry by entry: what is found in it, and
 * what each entry becomes inside. */
#ifndef CUPEL_PLAN_HOST_SEARCH_H
#define CUPEL_PLAN_HOST_SEARCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct cupel_error;
struct host;

struct search_entry {
	const char *dir;    /* as in PATH, without a '/' at the end */
	const char *inside; /* what replaces it inside; NULL: not known */
};

struct search {
	struct host *h;
	const char *repo_inside; /* where the repository is inside */
	size_t named_len;        /* how many of h->runtime are from --runtime */
	struct search_entry *entries;
	size_t len;
};

/* host_search_init -- split PATH into entries.  Returns 0 or -ENOMEM. */
int host_search_init(struct search *s, struct host *h, const char *path);

/* host_search_find -- find the first executable file called name in an entry of
 * PATH at or after from.  Relative entries are skipped.
 *
 * @ret		its path, PATH_MAX bytes
 *
 * Returns the index of the entry, or len when there is none. */
size_t host_search_find(const struct search *s, const char *name, size_t from,
			char ret[PATH_MAX]);

/* host_search_names -- whether the caller's PATH names prefix, a real path: an
 * entry outside the repository, and reached by no link in it, is the bin of
 * prefix or the shims of the manager that keeps it. */
bool host_search_names(const struct search *s, const char *prefix);

/* host_search_write -- write PATH inside: --runtime, then what replaces each
 * entry of the caller's, then the usual ones.  Returns 0, with h->path NULL
 * when it is the usual one, or -ENOMEM. */
int host_search_write(const struct search *s);

#endif
