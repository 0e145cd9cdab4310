/* tracer.c -- see tracer.h. */
#include "launch/native/tracer.h"

#include "tracer/tracer_image.h"

int tracer_start(struct sys *k, struct helper *ret, struct cupel_error *err)
{
	const struct helper_program program = { .name = "cupel-tracer",
						.bytes = tracer_image_bytes,
						.len = tracer_image_len() };

	return helper_start(k, &program, ret, err);
}
