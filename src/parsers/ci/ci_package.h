/* ci_package.h -- scripts by name in a package.json or a composer.json.  Private to
 * ci_*. */
#ifndef CUPEL_PARSERS_CI_PACKAGE_H
#define CUPEL_PARSERS_CI_PACKAGE_H

#include <stdbool.h>

#include "parsers/ci/ci_make.h"

/* ci_package_find -- whether a command such as "npm run ci" tests something by
 * the script of that name in the manifest of the directory.
 *
 * @words	the program and its words, a NUL between each two of them
 * @depth	how many Makefiles and scripts run this one */
bool ci_package_find(struct ci *ci, const struct ci_dir *dir,
		     struct json_text words, unsigned depth);

/* ci_line_tests -- whether a line tests something by itself, or by what its acts
 * do; for the rest see ci_acts_test(). */
bool ci_line_tests(struct ci *ci, struct ci_dir *dir,
		   const struct ci_found *found, unsigned depth);
/* ci_acts_report -- whether nothing makes the line a test but names of scripts, such
 * as "coverage", and these scripts only report what was measured before. */
bool ci_acts_report(struct ci *ci, const struct ci_dir *dir,
		    const struct ci_found *found, unsigned depth);

void ci_packages_done(struct ci *ci);

#endif
