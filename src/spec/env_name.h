/* env_name.h -- which variables may not be passed into a vessel. */
#ifndef CUPEL_SPEC_ENV_NAME_H
#define CUPEL_SPEC_ENV_NAME_H

#include <stddef.h>

/* env_name_refusal -- why name[0..n-1] may not be set or passed, as the end of
 * a sentence, or NULL when it may.  Upper and lower case count as the same.
 * Source: cupel-run(1), "INSIDE". */
const char *env_name_refusal(const char *name, size_t n);

/* env_name_dummy_refusal -- the same for a name whose value is a word of ours
 * (--env-dummy): only names of secrets may be set to it. */
const char *env_name_dummy_refusal(const char *name, size_t n);

#endif
