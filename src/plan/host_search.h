/* host_search.h -- the caller's PATH, entry by entry: what is found in it, and
 * what stands for each entry inside. */
#ifndef CUPEL_PLAN_HOST_SEARCH_H
#define CUPEL_PLAN_HOST_SEARCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct cupel_error;
struct host;

struct search_entry {
	const char *dir;    /* as PATH has it, but for a last '/' */
	const char *inside; /* what stands for it inside; NULL: not known */
};

struct search {
	struct host *h;
	const char *repo_inside; /* where the repository is inside */
	size_t named_len;        /* of h->runtime, those of --runtime */
	struct search_entry *entries;
	size_t len;
};

/* host_search_init -- take PATH apart.  Returns 0 or -ENOMEM. */
int host_search_init(struct search *s, struct host *h, const char *path);

/* host_search_find -- the first program name in a place of PATH at or after
 * from: an executable file.  Places that are relative are passed over.
 *
 * @ret		its path, PATH_MAX bytes
 *
 * Returns the index of the place, or len when there is none. */
size_t host_search_find(const struct search *s, const char *name, size_t from,
			char ret[PATH_MAX]);

/* host_search_names -- whether a place of PATH outside the repository, and
 * reached by no link in it, is the bin of prefix, a real path, or shims of the manager that keeps it: then the caller
 * has named it. */
bool host_search_names(const struct search *s, const char *prefix);

/* host_search_write -- PATH inside: --runtime, then what stands for each place
 * of the caller's, then the usual ones.
 * Returns 0, with h->path NULL where it is as always, or -ENOMEM. */
int host_search_write(const struct search *s);

#endif
