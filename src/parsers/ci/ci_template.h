/* ci_template.h -- what files of the repository give to the templates that they
 * include: Azure's "template" with "parameters", GitLab's "include" with
 * "inputs".  Private to ci_*. */
#ifndef CUPEL_PARSERS_CI_TEMPLATE_H
#define CUPEL_PARSERS_CI_TEMPLATE_H

#include "parsers/ci/ci_value.h"

/* ci_templates_read -- find the templates and who includes them.  What is wrong
 * with a file is told where it is read by itself. */
void ci_templates_read(struct ci *ci);
void ci_templates_done(struct ci *ci);

/* ci_template_values -- add the values of "parameters.x" or "inputs.x" in that
 * file: what files that include it give, and the default if one of them gives
 * nothing or none includes it. */
void ci_template_values(struct ci *ci, const struct parse_input *in,
			enum ci_provider provider, struct json_text path,
			struct ci_values *v, unsigned depth);

#endif
