/* deploy_variable.h -- the variables of a Dockerfile's FROM, and their defaults. */
#ifndef CUPEL_PARSERS_DEPLOY_VARIABLE_H
#define CUPEL_PARSERS_DEPLOY_VARIABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "boundary/json.h"

#define DEPLOY_VARIABLES_MAX 64U /* of one file; the rest stay unresolved */

struct deploy_variable {
	struct json_text name, value; /* value empty: no default is known */
};

struct deploy_variables {
	struct deploy_variable items[DEPLOY_VARIABLES_MAX];
	size_t len;
};

/* deploy_variables_add -- one word of an ARG: "NAME" or "NAME=default".  The later
 * of two with one name counts.
 *
 * @arena	owns the copies */
void deploy_variables_add(struct deploy_variables *v, struct json_text word,
			  struct arena *arena);

/* deploy_variables_expand -- t with each variable replaced by its default: $NAME,
 * ${NAME}, ${NAME:-word} and ${NAME:+word}.
 *
 * @ret		in arena
 * Returns false, and leaves ret alone, when t has no variable, or one without a
 * default, or comes to nothing or to more than DEPLOY_TEXT_BYTES. */
bool deploy_variables_expand(const struct deploy_variables *v,
			     struct json_text t, struct arena *arena,
			     struct json_text *ret);

#endif
