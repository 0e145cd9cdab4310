/* hosted.c -- the constructor of an image that has a libc. */
#include "coverage/counts.h"

int counts_hosted; /* the linker asks for this one (-u), and so has the file */

static void first(void)
{
	counts_start(GIVEN_TO_PARSER);
}

__attribute__((used,
	       section(".init_array"))) static void (*const run)(void) = first;
