/* parse_data.S -- tables that are kept as data, as bytes of cupel-parse. */
	.section .rodata
	.globl native_modules, native_modules_end
native_modules:
	.incbin "data/native-modules.txt"
native_modules_end:
	.byte 0
	.globl languages_text, languages_text_end
languages_text:
	.incbin "data/languages.txt"
languages_text_end:
	.byte 0
	.globl ci_commands_text, ci_commands_text_end
ci_commands_text:
	.incbin "data/ci-commands.txt"
ci_commands_text_end:
	.byte 0
	.globl roles_text, roles_text_end
roles_text:
	.incbin "data/roles.txt"
roles_text_end:
	.byte 0
	.section .note.GNU-stack, "", %progbits
