/* node.c -- the JavaScript harness in the library's read-only data.  Each
 * program is its files, a line that ends them, and the parser. */
#include "runners/runners.h"

#define EMBED_BEGIN(name)                                                      \
	".globl " name "\n"                                                    \
	".hidden " name "\n" name ":\n"
#define EMBED_FILE(file) ".incbin \"runners/" file "\"\n"
#define EMBED_END(name)                                                        \
	".globl " name "_end\n"                                                \
	".hidden " name "_end\n" name "_end:\n"                                \
	".byte 0\n"

#define EMBED_PARSER                                                           \
	".ascii \"\\n//#parser\\n\"\n" EMBED_FILE("babel-parser.js")

__asm__(".pushsection .rodata\n"
	/* clang-format off */
	EMBED_BEGIN("node_synthesise_text")
	EMBED_FILE("node/strip.js")
	EMBED_FILE("node/jsx.js")
	EMBED_FILE("node/find.js")
	EMBED_FILE("node/asked.js")
	EMBED_FILE("node/doc.js")
	EMBED_FILE("node/shape.js")
	EMBED_FILE("node/use.js")
	EMBED_FILE("node/eval.js")
	EMBED_FILE("node/calls.js")
	EMBED_FILE("node/values.js")
	EMBED_FILE("node/types.js")
	EMBED_FILE("node/synthesise.js")
	EMBED_PARSER
	EMBED_END("node_synthesise_text")
	EMBED_BEGIN("node_call_text")
	EMBED_FILE("node/keep.js")
	EMBED_FILE("node/strip.js")
	EMBED_FILE("node/jsx.js")
	EMBED_FILE("node/load.js")
	EMBED_FILE("node/call.js")
	EMBED_PARSER
	EMBED_END("node_call_text")
	/* clang-format on */
	".popsection\n");
