/* path_role.h -- whose a file is, by the directories on its way.
 *
 * The table is data (profiles/data/roles.txt, which describes its format); this
 * file only holds a path against it. */
#ifndef CUPEL_BASE_PATH_ROLE_H
#define CUPEL_BASE_PATH_ROLE_H

#include <stddef.h>

enum role_kind {
	ROLE_OWN,
	ROLE_FIXTURE,
	ROLE_EXAMPLE,
	ROLE_VENDORED,
	ROLE_GENERATED,
	ROLE_MAX_
};

/* What a file is for.  It decides what the name of a directory means for the
 * file. */
enum role_subject {
	/* A manifest or a lockfile: one below test/ is a fixture, one below
	 * templates/ an example. */
	ROLE_OF_MANIFEST,
	/* CI, charts, images, infrastructure: below test/ a fixture; templates/
	 * is where a chart keeps its own. */
	ROLE_OF_DEPLOYMENT,
	/* Tests and sources: they are at home in test/. */
	ROLE_OF_SOURCE,
	ROLE_SUBJECT_MAX_
};

struct path_text {
	const char *bytes;
	size_t len;
};

/* path_role_find -- the role that the first directory with one gives to the
 * file of that relative path.  Directories below src/NAME/java (kotlin, groovy,
 * scala) are names of packages and give none.
 *
 * @ret_dir	that directory's name, in path; left alone for ROLE_OWN */
enum role_kind path_role_find(struct path_text table, struct path_text path,
			      enum role_subject subject,
			      struct path_text *ret_dir);

/* The path that was judged last, as far as its directories have no role; zero:
 * there is none. */
struct path_role_last {
	struct path_text own;
};

/* path_role_next -- path_role_find() for paths in order, of one table and one
 * subject: directories that the last path had too are not judged again.
 *
 * @last	its path must live on */
enum role_kind path_role_next(struct path_text table, struct path_text path,
			      enum role_subject subject,
			      struct path_role_last *last,
			      struct path_text *ret_dir);

/* path_role_name -- "own", "fixture" and so on. */
const char *path_role_name(enum role_kind kind);

#endif
