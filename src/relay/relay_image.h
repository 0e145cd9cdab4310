/* relay_image.h -- cupel-relay, embedded: it is started from a memory file. */
#ifndef CUPEL_RELAY_RELAY_IMAGE_H
#define CUPEL_RELAY_RELAY_IMAGE_H

#include <stddef.h>

extern const char relay_image_bytes[];
extern const char relay_image_end[];

static inline size_t relay_image_len(void)
{
	return (size_t)(relay_image_end - relay_image_bytes);
}

#endif
