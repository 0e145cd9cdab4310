/* put.h -- puts one value into a request: reads, checks and stores it by rank.
 *
 * Inside the spec room only; everyone else uses spec.h. */
#ifndef CUPEL_SPEC_PUT_H
#define CUPEL_SPEC_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "spec/field.h"

/* A fault of the caller's, except where there is no memory. */
#define spec_refuse(err, sys, ...)                                             \
	cupel_fail(err, CUPEL_STAGE_SPEC,                                      \
		   (sys) == ENOMEM ? CUPEL_CAUSE_BUSY : CUPEL_CAUSE_CALLER,    \
		   sys, __VA_ARGS__)

/* Where a value goes, and what messages call it.  A value that a higher rank
 * has already set is checked and then dropped. */
struct put {
	struct spec *spec;
	enum spec_rank rank;
	const char *place; /* "--nofile", "job.json: nofile" */
};

#define PUT_PLACE_MAX 200

/* put_place -- write "%.100s%.2s%.80s".  Every start does this for every key of
 * its profile, so snprintf(3) would be too slow. */
void put_place(char out[PUT_PLACE_MAX], const char *origin, const char *between,
	       const char *key);

/* put_text -- store a value that is written as on the command line.
 * Returns 0, -EINVAL, -ERANGE or -ENOMEM. */
int put_text(const struct put *p, const struct field *f, const char *text,
	     struct cupel_error *err);

/* put_bool -- a BOOL. */
int put_bool(const struct put *p, const struct field *f, bool value);

/* put_rlimit -- one limit of setrlimit(2) by name[0..name_len-1]. */
int put_rlimit(const struct put *p, const char *name, size_t name_len,
	       const char *text, struct cupel_error *err);

/* put_list_add -- an item of a LIST. */
int put_list_add(const struct put *p, const struct field *f, const char *text,
		 struct cupel_error *err);

/* put_list_replace -- call it before the items of a FIELD_REPLACES list are
 * put, even when there are none: it drops what a profile gave.
 * Returns whether the new items count; for other lists always true. */
bool put_list_replace(const struct put *p, const struct field *f);

/* put_list_reset -- drop the items that a profile gave, which come first. */
void put_list_reset(struct spec_list *list);

/* put_list_clear -- drop all items. */
void put_list_clear(struct spec_list *list);

/* put_is_low -- whether a higher rank has set the field already. */
bool put_is_low(const struct put *p, const struct field *f);

/* put_mark -- note the rank that has set the field. */
void put_mark(const struct put *p, const struct field *f);

/* profile_put -- --profile NAME|FILE; see profile.c. */
int profile_put(const struct put *p, const char *text, struct cupel_error *err);

/* document_put -- --spec FILE; see document.c. */
int document_put(const struct put *p, const char *path,
		 struct cupel_error *err);

#endif
