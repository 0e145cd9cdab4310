/* deploy_variable.h -- the variables of a Dockerfile's FROM, and their defaults. */
#ifndef CUPEL_PARSERS_DEPLOY_VARIABLE_H
#define CUPEL_PARSERS_DEPLOY_VARIABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "boundary/json.h"

#define DEPLOY_VARIABLES_MAX 64U /* of one file; the rest stay unresolved */

struct deploy_variable {
	struct json_text name;
	struct json_text value; /* bytes NULL: it has a default, but which? */
};

struct deploy_variables {
	struct deploy_variable items[DEPLOY_VARIABLES_MAX];
	size_t len;
	bool is_cut; /* there were more, or no room: what is not here may be set */
	char escape; /* quotes and this escape character are taken off; NUL: they
		      * stay, as in a compose file */
};

/* deploy_variables_add -- one word of an ARG: "NAME=default".  The later of two with
 * one name counts; "NAME" alone leaves an earlier one as it is.
 *
 * @arena	owns the copies */
void deploy_variables_add(struct deploy_variables *v, struct json_text word,
			  struct arena *arena);

/* deploy_variables_expand -- t with each variable replaced by its default: $NAME,
 * ${NAME}, ${NAME:-word}, ${NAME-word}, ${NAME:+word} and ${NAME+word}.
 *
 * @ret		in arena
 * Returns 1; or 0, and leaves ret alone, when t has no variable (and no quote or
 * escape), or one without a default, or comes to nothing or to more than
 * DEPLOY_TEXT_BYTES; or -ENOMEM, and leaves ret alone, when the arena is full. */
int deploy_variables_expand(const struct deploy_variables *v,
			    struct json_text t, struct arena *arena,
			    struct json_text *ret);

#endif
