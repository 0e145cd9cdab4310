/* deploy_argument.h -- the literal defaults of a Dockerfile's ARGs; private to the
 * probe deployment. */
#ifndef CUPEL_PARSERS_DEPLOY_ARGUMENT_H
#define CUPEL_PARSERS_DEPLOY_ARGUMENT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "boundary/json.h"

#define DEPLOY_ARGUMENTS_MAX 64U /* of one file */

struct deploy_argument {
	struct json_text name, value; /* value.bytes NULL: it is not literal */
};

struct deploy_arguments {
	struct deploy_argument items[DEPLOY_ARGUMENTS_MAX];
	size_t len;
	bool is_cut; /* there were more, or no memory */
};

/* deploy_argument_add -- "NAME=default"; "NAME" alone leaves an earlier one as it is.
 * A text in quotes is literal, if nothing in it is escaped or a variable.  Copies
 * are in arena. */
void deploy_argument_add(struct deploy_arguments *a, struct json_text word,
			 struct arena *arena);

/* deploy_arguments_put -- write t with the defaults of "$NAME" and "${NAME}".
 *
 * Returns false if t has no variable, or one without a literal default, or one with
 * more between its braces than a name; and if a is cut. */
bool deploy_arguments_put(const struct deploy_arguments *a, struct json_text t,
			  struct buf *out);

#endif
