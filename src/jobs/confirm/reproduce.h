/* reproduce.h -- a confirmed bug as a small script that fails the same way
 * without this tool.
 *
 * The names and values in a script that come from the repository or from a
 * vessel are hostile text.  They are written as ASCII literals, or as
 * identifiers whose every byte was checked. */
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

/* reproduce_name -- the name of the script: the class, the function, and a hash
 * of these with the file and the line, so that the same flag has the same
 * name. */
void reproduce_name(const struct reproduce_facts *f, char ret[REPRODUCE_NAME]);

/* reproduce_build -- append the script to out.  Pure.
 *
 * @ret_why	what a script cannot express (static), on -EOPNOTSUPP
 * Returns 0, -ENOMEM or -EOPNOTSUPP. */
int reproduce_build(const struct reproduce_facts *f, struct buf *out,
		    const char **ret_why);

/* reproduce_open -- open the directory of the scripts.  If only its last part
 * is missing, it is made (0700).  A symbolic link is never followed.
 * Returns the descriptor, owned by the caller, or -errno (cause caller). */
int reproduce_open(const char *path, struct cupel_error *err);

/* reproduce_put -- write text[0..n-1] as the file `name` (0600), whole or not
 * at all.  A file that has the same bytes already stays, and another regular
 * file of that name is replaced.  Anything else is refused, and nothing is
 * written through it. */
int reproduce_put(int dir_fd, const char *name, const char *text, size_t n,
		  struct cupel_error *err);

#endif
