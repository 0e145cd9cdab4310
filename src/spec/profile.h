/* profile.h -- the shipped profiles: data, applied to a request. */
#ifndef CUPEL_SPEC_PROFILE_H
#define CUPEL_SPEC_PROFILE_H

#include <stddef.h>

#include "spec/data.h"
#include "spec/spec.h"

struct buf;
struct cupel_error;

/* profile_at -- the i-th shipped profile, in the order of profiles/profiles.mk, or
 * NULL past the last. */
const struct data_text *profile_at(size_t i);

/* profile_check -- check that bytes[0..n-1] is a usable profile file: every
 * key, type, range and the rules of spec_check.  Returns 0 or -errno. */
int profile_check(const char *bytes, size_t n, const char *origin,
		  struct cupel_error *err);

/* profile_write_json -- write what a profile can say, with the values of s: a
 * profile file again, one key on each line. */
void profile_write_json(const struct spec *s, struct buf *out);

/* profile_write_table -- every shipped profile as a row for a person, in the
 * columns of cupel-profile(1), "LIMITS".  Returns 0 or -ENOMEM. */
int profile_write_table(struct buf *out, struct cupel_error *err);

#endif
