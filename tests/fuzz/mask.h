/* mask.h -- messages with NULs in them as seeds that are no binary files: every
 * byte of a seed is the message's byte, with all bits but its lowest turned. */
#ifndef CUPEL_TESTS_FUZZ_MASK_H
#define CUPEL_TESTS_FUZZ_MASK_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define MASK 0xfeU

/* The message, in a block of exactly its size, for free(3). */
static uint8_t *mask_take(const uint8_t *seed, size_t n)
{
	uint8_t *bytes = malloc(n > 0 ? n : 1);

	if (bytes == NULL)
		abort();
	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)(seed[i] ^ MASK);
	return bytes;
}

#endif
