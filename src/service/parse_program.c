/* parse_program.c -- the bytes of cupel-parse in the library's read-only data. */
#include "service/parse_program.h"

#include "service/vessel.h"

const char *parse_program_end_code(enum cupel_status status, int rc)
{
	if (status == CUPEL_FAILED && rc == PARSE_PROGRAM_MEMORY)
		return "memory";
	return vessel_end_code(status);
}

__asm__(".pushsection cupel_embedded,\"a\",%progbits\n"
	".balign 16\n"
	".globl parse_program_bytes\n"
	".hidden parse_program_bytes\n"
	"parse_program_bytes:\n"
	".incbin \"cupel-parse.bin\"\n"
	".globl parse_program_end\n"
	".hidden parse_program_end\n"
	"parse_program_end:\n"
	".byte 0\n"
	".popsection\n");
