/* relay_image.c -- the bytes of cupel-relay in the library's read-only data. */
#include "relay/relay_image.h"

#ifdef CUPEL_TEST_HOOKS
#define RELAY_FILE "cupel-relay-testing.bin"
#else
#define RELAY_FILE "cupel-relay.bin"
#endif

__asm__(".pushsection cupel_embedded,\"a\",%progbits\n"
	".balign 16\n"
	".globl relay_image_bytes\n"
	".hidden relay_image_bytes\n"
	"relay_image_bytes:\n"
	".incbin \"" RELAY_FILE "\"\n"
	".globl relay_image_end\n"
	".hidden relay_image_end\n"
	"relay_image_end:\n"
	".byte 0\n"
	".popsection\n");
