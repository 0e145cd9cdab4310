/* role.h -- decides whether a file is the project's own, a fixture, an example,
 * vendored or generated.
 *
 * This is the only place that decides it.  The evidence is reported: a
 * directory whose name is a convention (profiles/data/roles.txt), or the build
 * file that includes the directory (docs/facts.md). */
#ifndef CUPEL_PARSERS_ROLE_H
#define CUPEL_PARSERS_ROLE_H

#include <stdbool.h>

#include "base/path_role.h"
#include "parsers/common/parse.h"

struct role {
	enum role_kind kind;
	struct json_text reason; /* in the path or the includer's name; bytes
				  * NULL: own by default */
	const struct parse_input *includer; /* for what a build file includes */
};

/* A directory that a build file of the project's own includes. */
struct role_home {
	struct json_text dir;
	const struct parse_input *includer;
};

/* In order of dir (role_homes_sort), each once.  Zero has none. */
struct role_homes {
	struct role_home *items;
	size_t len;
};

void role_homes_sort(struct role_homes *h);

/* role_of -- the role of the file of that relative path.
 *
 * Directories above the deepest home around the file do not count, because a
 * build file has said that this home is the project's own.
 *
 * @h		NULL: there are none */
struct role role_of(struct json_text path, enum role_subject subject,
		    const struct role_homes *h);

/* The inputs of a probe with their roles. */
struct role_inputs {
	struct parse_inputs inputs; /* what the probe reads */
	struct parse_input *items;
	struct role *roles; /* one for each */
};

/* role_inputs_open -- copies of the inputs, with roles by their paths.
 *
 * @ret		role_inputs_done() frees it, after a failure too
 * Returns 0 or -ENOMEM. */
int role_inputs_open(const struct parse_inputs *in, enum role_subject subject,
		     struct role_inputs *ret);

/* role_inputs_judge -- decide again: among ROLE_OF_SOURCE, a file that is a
 * manifest by its name is judged as one.
 *
 * @h	the included directories, as far as they are known */
void role_inputs_judge(struct role_inputs *r, enum role_subject subject,
		       const struct role_homes *h);
void role_inputs_done(struct role_inputs *r);

/* role_write -- members "role" and "role_reason" (null for what is own by
 * default) of the open object w. */
void role_write(struct jsonw *w, const struct role *role);

#endif
