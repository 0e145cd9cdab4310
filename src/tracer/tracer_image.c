/* tracer_image.c -- the bytes of cupel-tracer in the library's read-only data. */
#include "tracer/tracer_image.h"

__asm__(".pushsection cupel_embedded,\"a\",%progbits\n"
	".balign 16\n"
	".globl tracer_image_bytes\n"
	".hidden tracer_image_bytes\n"
	"tracer_image_bytes:\n"
	".incbin \"cupel-tracer.bin\"\n"
	".globl tracer_image_end\n"
	".hidden tracer_image_end\n"
	"tracer_image_end:\n"
	".byte 0\n"
	".popsection\n");
