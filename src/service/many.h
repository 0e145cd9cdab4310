/* many.h -- a batch of cupel.h: specs in, ends out, a bounded number of runs at
 * once, driven by one descriptor.  lib's calls lead here (docs/batch.md).
 *
 * It is service/pool.h and service/flights.h, as cupel batch is; what is its own
 * is that nobody waits inside: the caller polls. */
#ifndef CUPEL_SERVICE_MANY_H
#define CUPEL_SERVICE_MANY_H

#include "cupel.h"

/* many_new -- cupel_batch_new(). */
int many_new(const struct cupel_batch_options *options,
	     struct cupel_batch **ret, struct cupel_error *err);

/* many_put -- cupel_batch_put(). */
int many_put(struct cupel_batch *b, const struct cupel_spec *spec,
	     const struct cupel_hooks *hooks, uint64_t id,
	     struct cupel_error *err);

/* many_fd -- cupel_batch_fd(). */
int many_fd(const struct cupel_batch *b);

/* many_step -- cupel_batch_step(). */
int many_step(struct cupel_batch *b, struct cupel_error *err);

/* many_wait -- cupel_batch_wait(). */
int many_wait(struct cupel_batch *b, struct cupel_error *err);

/* many_take -- cupel_batch_take(). */
int many_take(struct cupel_batch *b, struct cupel_batch_end *ret,
	      struct cupel_error *err);

/* many_cancel -- cupel_batch_cancel(), or with a NULL id
 * cupel_batch_cancel_all(). */
void many_cancel(struct cupel_batch *b, const uint64_t *id, int signal);

/* many_remade -- cupel_batch_remade(). */
uint64_t many_remade(const struct cupel_batch *b, const char **ret_why);

/* many_free -- cupel_batch_free(). */
void many_free(struct cupel_batch *b);

#endif
