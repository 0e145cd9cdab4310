/* line.h -- a request that is one of many: a line of the input of
 * cupel-batch(1). */
#ifndef CUPEL_SPEC_LINE_H
#define CUPEL_SPEC_LINE_H

#include <stddef.h>

struct cupel_error;
struct spec;

/* spec_line_defaults -- turn the options in *s into the defaults of lines:
 * whatever a line says wins over them.
 *
 * Returns 0, or -EINVAL for an option that only a single run can have. */
int spec_line_defaults(struct spec *s, struct cupel_error *err);

/* spec_line_check -- refuse what only a single run can have, in a request that is
 * to be one of many.
 *
 * Returns 0 or -EINVAL; *err names the option. */
int spec_line_check(const struct spec *s, struct cupel_error *err);

/* spec_line_build -- the request of one line: a spec document with an "id",
 * which the caller reads.
 *
 * @base	after spec_line_defaults()
 * @ret		needs spec_done(), on failure too; lives no longer than base
 * Returns 0 or -errno; *err names the key. */
int spec_line_build(const struct spec *base, const char *text, size_t n,
		    struct spec *ret, struct cupel_error *err);

#endif
