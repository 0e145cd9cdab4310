/* reproduce.h -- a confirmed bug as a small script that fails the same way
 * without this tool.
 *
 * What stands in a script of the repository or of a vessel (names, values) is
 * hostile text: it is written as ASCII literals, or as identifiers that were
 * looked at byte by byte. */
#ifndef CUPEL_JOBS_CONFIRM_REPRODUCE_H
#define CUPEL_JOBS_CONFIRM_REPRODUCE_H

#include "base/buf.h"
#include "boundary/json.h"
#include "jobs/confirm/class.h"
#include "jobs/confirm/flag.h"

struct cupel_error;

#define REPRODUCE_NAME 128 /* bytes of a file's name, NUL included */

struct reproduce_facts {
	enum language language;
	const char *repo; /* absolute: where the script looks by default */
	const char *file; /* below repo */
	const struct flag *flag;
	const struct json_value *synthesis; /* its answer */
	const struct json_value *witness;
};

/* reproduce_name -- of the script: the class, the function, and a hash of these
 * with the file and the line, so that the same flag has the same name. */
void reproduce_name(const struct reproduce_facts *f, char ret[REPRODUCE_NAME]);

/* reproduce_build -- the script.  Pure.
 *
 * @ret_why	what it cannot say (static), on -EOPNOTSUPP
 * Returns 0, -ENOMEM or -EOPNOTSUPP. */
int reproduce_build(const struct reproduce_facts *f, struct buf *out,
		    const char **ret_why);

/* reproduce_open -- the directory of the scripts, made (0700) when only the
 * last one is missing; never a symbolic link.
 * Returns the descriptor, owned by the caller, or -errno (cause caller). */
int reproduce_open(const char *path, struct cupel_error *err);

/* reproduce_put -- text[0..n-1] as name (0600), whole or not at all.  What is
 * there with the same bytes stays; another regular file of that name is
 * replaced; anything else is refused, and nothing is written through it. */
int reproduce_put(int dir_fd, const char *name, const char *text, size_t n,
		  struct cupel_error *err);

#endif
