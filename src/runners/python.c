/* python.c -- the Python harness in the library's read-only data: programs of
 * modules, as boot.py says.  The first module of each is the one that runs. */
#include "runners/runners.h"

#define EMBED_BEGIN(name)                                                      \
	".globl " name "\n"                                                    \
	".hidden " name "\n" name ":\n"                                        \
	".incbin \"runners/python/boot.py\"\n"
#define EMBED_MODULE(name)                                                     \
	".ascii \"\\n#%module " name "\\n\"\n"                                 \
	".incbin \"runners/python/" name ".py\"\n"
#define EMBED_END(name)                                                        \
	".globl " name "_end\n"                                                \
	".hidden " name "_end\n" name "_end:\n"                                \
	".byte 0\n"

#define CALL_MODULES                                                           \
	EMBED_MODULE("call")                                                   \
	EMBED_MODULE("decode") EMBED_MODULE("explore") EMBED_MODULE("reach")

/* clang-format off */
#define SYNTHESIS_MODULES \
	EMBED_MODULE("synthesise") EMBED_MODULE("annotate") \
	EMBED_MODULE("basics") EMBED_MODULE("bounds") \
	EMBED_MODULE("calls") EMBED_MODULE("choose") \
	EMBED_MODULE("doc") EMBED_MODULE("evaluate") \
	EMBED_MODULE("express") EMBED_MODULE("find") \
	EMBED_MODULE("infer") EMBED_MODULE("interpreter") \
	EMBED_MODULE("machine") EMBED_MODULE("machine_call") \
	EMBED_MODULE("moves") EMBED_MODULE("natives") \
	EMBED_MODULE("objects") EMBED_MODULE("sense") \
	EMBED_MODULE("shape") EMBED_MODULE("sites") \
	EMBED_MODULE("spoken") EMBED_MODULE("syntax") \
	EMBED_MODULE("tables") EMBED_MODULE("trial") \
	EMBED_MODULE("values")
/* clang-format on */

__asm__(".pushsection cupel_embedded,\"a\",%progbits\n"
	/* clang-format off */
	EMBED_BEGIN("python_synthesise_text")
	SYNTHESIS_MODULES
	EMBED_END("python_synthesise_text")
	EMBED_BEGIN("python_call_text")
	CALL_MODULES
	EMBED_END("python_call_text")
	/* clang-format on */
	".popsection\n");

/* A compiler need not take a text of more than 4095 bytes. */
__asm__(".pushsection cupel_embedded,\"a\",%progbits\n"
	/* clang-format off */
	EMBED_BEGIN("python_warm_synthesis_text")
	EMBED_MODULE("warm_synthesis")
	EMBED_MODULE("template")
	SYNTHESIS_MODULES
	EMBED_END("python_warm_synthesis_text")
	EMBED_BEGIN("python_warm_call_text")
	EMBED_MODULE("warm_call")
	EMBED_MODULE("template")
	CALL_MODULES
	EMBED_END("python_warm_call_text")
	/* clang-format on */
	".popsection\n");
