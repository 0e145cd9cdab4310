/* node.c -- the JavaScript harness in the library's read-only data: programs of
 * modules, as boot.js says.  The first module of each is the one that runs. */
#include "runners/runners.h"

#define EMBED_BEGIN(name)                                                      \
	".globl " name "\n"                                                    \
	".hidden " name "\n" name ":\n"                                        \
	".incbin \"runners/node/boot.js\"\n"
#define EMBED_MODULE(name)                                                     \
	".ascii \"\\n//#module " name "\\n\"\n"                                \
	".incbin \"runners/node/" name ".js\"\n"
#define EMBED_END(name)                                                        \
	".ascii \"\\n//#parser\\n\"\n"                                         \
	".incbin \"runners/babel-parser.js\"\n"                                \
	".globl " name "_end\n"                                                \
	".hidden " name "_end\n" name "_end:\n"                                \
	".byte 0\n"

__asm__(".pushsection cupel_embedded,\"a\",%progbits\n"
	/* clang-format off */
	EMBED_BEGIN("node_synthesise_text")
	EMBED_MODULE("synthesise")
	EMBED_MODULE("asked")
	EMBED_MODULE("bounds")
	EMBED_MODULE("calls")
	EMBED_MODULE("doc")
	EMBED_MODULE("eval")
	EMBED_MODULE("find")
	EMBED_MODULE("jsx")
	EMBED_MODULE("moves")
	EMBED_MODULE("patterns")
	EMBED_MODULE("shape")
	EMBED_MODULE("sites")
	EMBED_MODULE("slots")
	EMBED_MODULE("spoken")
	EMBED_MODULE("strip")
	EMBED_MODULE("tree")
	EMBED_MODULE("types")
	EMBED_MODULE("use")
	EMBED_MODULE("values")
	EMBED_END("node_synthesise_text")
	EMBED_BEGIN("node_call_text")
	EMBED_MODULE("call")
	EMBED_MODULE("jsx")
	EMBED_MODULE("keep")
	EMBED_MODULE("load")
	EMBED_MODULE("strip")
	EMBED_MODULE("tree")
	EMBED_END("node_call_text")
	/* clang-format on */
	".popsection\n");
