/* batch.c -- cupel_batch_*: each is one call of service/many.h. */
#include "cupel.h"
#include "service/many.h"

int cupel_batch_new(const struct cupel_batch_options *options,
		    struct cupel_batch **ret, struct cupel_error *err)
{
	return many_new(options, ret, err);
}

int cupel_batch_put(struct cupel_batch *batch, const struct cupel_spec *spec,
		    const struct cupel_hooks *hooks, uint64_t id,
		    struct cupel_error *err)
{
	return many_put(batch, spec, hooks, id, err);
}

int cupel_batch_fd(const struct cupel_batch *batch)
{
	return many_fd(batch);
}

int cupel_batch_step(struct cupel_batch *batch, struct cupel_error *err)
{
	return many_step(batch, err);
}

int cupel_batch_wait(struct cupel_batch *batch, struct cupel_error *err)
{
	return many_wait(batch, err);
}

int cupel_batch_take(struct cupel_batch *batch, struct cupel_batch_end *ret,
		     struct cupel_error *err)
{
	return many_take(batch, ret, err);
}

void cupel_batch_cancel(struct cupel_batch *batch, uint64_t id, int signal)
{
	many_cancel(batch, &id, signal);
}

void cupel_batch_cancel_all(struct cupel_batch *batch, int signal)
{
	many_cancel(batch, NULL, signal);
}

uint64_t cupel_batch_remade(const struct cupel_batch *batch,
			    const char **ret_why)
{
	return many_remade(batch, ret_why);
}

void cupel_batch_free(struct cupel_batch *batch)
{
	many_free(batch);
}
