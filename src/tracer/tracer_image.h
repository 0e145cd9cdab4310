/* tracer_image.h -- the program cupel-tracer, embedded. */
#ifndef CUPEL_TRACER_TRACER_IMAGE_H
#define CUPEL_TRACER_TRACER_IMAGE_H

#include <stddef.h>

/* The ELF file, stripped. */
extern const char tracer_image_bytes[];
extern const char tracer_image_end[];

static inline size_t tracer_image_len(void)
{
	return (size_t)(tracer_image_end - tracer_image_bytes);
}

#endif
