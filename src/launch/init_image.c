/* init_image.c -- the bytes of cupel-init in the library's read-only data. */
#include "launch/init_image.h"

#ifdef CUPEL_TEST_HOOKS
#define INIT_FILE "cupel-init-testing.bin"
#else
#define INIT_FILE "cupel-init.bin"
#endif

__asm__(".pushsection .rodata\n"
	".balign 16\n"
	".globl init_image_bytes\n"
	".hidden init_image_bytes\n"
	"init_image_bytes:\n"
	".incbin \"" INIT_FILE "\"\n"
	".globl init_image_end\n"
	".hidden init_image_end\n"
	"init_image_end:\n"
	".byte 0\n"
	".popsection\n");
