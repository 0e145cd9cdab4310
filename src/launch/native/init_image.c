/* init_image.c -- embeds the bytes of our freestanding programs in the
 * library's read-only data. */
#include "launch/native/init_image.h"

#ifdef CUPEL_TEST_HOOKS
#define INIT_FILE     "cupel-init-testing.bin"
#define TEMPLATE_FILE "cupel-template-testing.bin"
#else
#define INIT_FILE     "cupel-init.bin"
#define TEMPLATE_FILE "cupel-template.bin"
#endif

/* Embed a file of the build between the symbols NAME_bytes and NAME_end. */
#define EMBED(name, file)                                                      \
	__asm__(".pushsection .rodata\n"                                       \
		".balign 16\n"                                                 \
		".globl " name "_bytes\n"                                      \
		".hidden " name "_bytes\n" name "_bytes:\n"                    \
		".incbin \"" file "\"\n"                                       \
		".globl " name "_end\n"                                        \
		".hidden " name "_end\n" name "_end:\n"                        \
		".byte 0\n"                                                    \
		".popsection\n")

EMBED("init_image", INIT_FILE);
EMBED("template_image", TEMPLATE_FILE);
EMBED("sync_image", "cupel-sync.bin");
