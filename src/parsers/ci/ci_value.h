/* ci_value.h -- the values that an expression in a command may have, and the
 * command with them.  Private to ci_*.
 *
 * Expressions are what a provider's server replaces before a shell sees the
 * command: "${{ inputs.x }}", "<< parameters.x >>", "$[[ inputs.x ]]". */
#ifndef CUPEL_PARSERS_CI_VALUE_H
#define CUPEL_PARSERS_CI_VALUE_H

#include <stdbool.h>

#include "parsers/ci/ci.h"

#define CI_VALUES_MAX  16U /* that are tried for one command */
#define CI_VALUE_DEPTH 4U  /* values in values */
#define CI_PARTS_MAX   8U  /* expressions in one text */
#define CI_TRIES_MAX   64U /* texts that are put together for one */

/* Texts, each once. */
struct ci_values {
	struct json_text items[CI_VALUES_MAX];
	size_t len;
	struct arena *arena;
	bool is_open; /* there are others, or one that is not known */
	bool is_cut;  /* some were left out because of a cap */
};

/* Where the values of CircleCI's parameters stand: of a job or a command. */
struct ci_scope {
	const struct ci_scope *outer; /* who gives the values */
	const struct yaml_node *declared, *given, *matrix;
};

/* One expression, and the text around it. */
struct ci_expression {
	struct json_text before, whole, path, after;
};

void ci_values_add(struct ci_values *v, struct json_text t);

/* ci_member -- the value of a mapping's key, or NULL; also when the file's share
 * of work is spent, which is noted with its script. */
const struct yaml_node *ci_member(struct ci *ci, const struct yaml_node *n,
				  struct json_text name);

/* ci_expression_cut -- the first expression of the text; false: none. */
bool ci_expression_cut(enum ci_provider provider, struct json_text text,
		       struct ci_expression *ret);

/* ci_values_expand -- the text with every value of its expressions.  v->is_open
 * says that one of them has none. */
void ci_values_expand(struct ci_flow *f, struct json_text text,
		      struct ci_values *v);

/* ci_values_decide -- whether v, of ci_values_expand(), has every text that there may
 * be: all values stand in this file, as parameters of CircleCI's, and those of a
 * matrix of GitHub's that is a list, do. */
bool ci_values_decide(struct ci_flow *f, struct json_text text,
		      const struct ci_values *v);

/* ci_values_open -- the expressions of the text that have no value, as they are
 * written. */
void ci_values_open(struct ci_flow *f, struct json_text text,
		    struct ci_values *ret);

#endif
