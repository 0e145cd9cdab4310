/* init_image.h -- the freestanding init, the object that a template loads, and
 * cupel-sync. */
#ifndef CUPEL_LAUNCH_INIT_IMAGE_H
#define CUPEL_LAUNCH_INIT_IMAGE_H

#include <stddef.h>

/* The ELF file, built from launch/native/init/ and stripped. */
extern const char init_image_bytes[];
extern const char init_image_end[];

static inline size_t init_image_len(void)
{
	return (size_t)(init_image_end - init_image_bytes);
}

/* The shared object, built from the same code and init/template.c. */
extern const char template_image_bytes[];
extern const char template_image_end[];

static inline size_t template_image_len(void)
{
	return (size_t)(template_image_end - template_image_bytes);
}

/* The ELF file, built from launch/native/sync/ and stripped. */
extern const char sync_image_bytes[];
extern const char sync_image_end[];

static inline size_t sync_image_len(void)
{
	return (size_t)(sync_image_end - sync_image_bytes);
}

#endif
