/* python.c -- the Python harness in the library's read-only data.  The
 * files of the synthesis are one program, in this order; so are the call's,
 * and once more behind what makes a template of it. */
#include "runners/runners.h"

#define EMBED_BEGIN(name)                                                      \
	".globl " name "\n"                                                    \
	".hidden " name "\n" name ":\n"
#define EMBED_FILE(file) ".incbin \"runners/python/" file "\"\n"
#define EMBED_END(name)                                                        \
	".globl " name "_end\n"                                                \
	".hidden " name "_end\n" name "_end:\n"                                \
	".byte 0\n"

__asm__(".pushsection .rodata\n"
	/* clang-format off */
	EMBED_BEGIN("python_synthesise_text")
	EMBED_FILE("shape.py")
	EMBED_FILE("annotate.py")
	EMBED_FILE("tables.py")
	EMBED_FILE("infer.py")
	EMBED_FILE("express.py")
	EMBED_FILE("calls.py")
	EMBED_FILE("doc.py")
	EMBED_FILE("basics.py")
	EMBED_FILE("values.py")
	EMBED_FILE("objects.py")
	EMBED_FILE("find.py")
	EMBED_FILE("sense.py")
	EMBED_FILE("choose.py")
	EMBED_FILE("machine.py")
	EMBED_FILE("evaluate.py")
	EMBED_FILE("machine_call.py")
	EMBED_FILE("machine_data.py")
	EMBED_FILE("trial.py")
	EMBED_FILE("synthesise.py")
	EMBED_END("python_synthesise_text")
	EMBED_BEGIN("python_template_text")
	EMBED_FILE("template.py")
	EMBED_BEGIN("python_call_text")
	EMBED_FILE("decode.py")
	EMBED_FILE("reach.py")
	EMBED_FILE("call.py")
	EMBED_END("python_call_text")
	/* clang-format on */
	".popsection\n");
