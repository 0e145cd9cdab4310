/* ci_build.h -- options of commands that build images; private to ci_*. */
#ifndef CUPEL_PARSERS_CI_BUILD_H
#define CUPEL_PARSERS_CI_BUILD_H

#include "parsers/ci/ci_words.h"

/* ci_build_take -- add a build by that tool to f; its options are w[from..]. */
void ci_build_take(struct ci_found *f, struct json_text tool,
		   const struct ci_words *w, size_t from);

#endif
