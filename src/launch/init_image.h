/* init_image.h -- the freestanding init, embedded. */
#ifndef CUPEL_LAUNCH_INIT_IMAGE_H
#define CUPEL_LAUNCH_INIT_IMAGE_H

#include <stddef.h>

/* The ELF file, built from launch/init/ and stripped. */
extern const char init_image_bytes[];
extern const char init_image_end[];

static inline size_t init_image_len(void)
{
	return (size_t)(init_image_end - init_image_bytes);
}

#endif
