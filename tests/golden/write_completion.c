/* write_completion.c -- a completion script on stdout, for completion.t. */
#include <stdio.h>

#include "base/buf.h"
#include "spec/help.h"

int main(int argc, char *argv[])
{
	static const char *const own[] = { "--jobs", "--resume", NULL };
	static const struct help_command commands[] = {
		{ "run", "run a command: it's in a [vessel]", true, NULL },
		{ "confirm", "run flagged functions", false, own },
	};
	struct buf out = { 0 };

	if (argc != 2 || field_write_completion(&out, argv[1], commands, 2) < 0)
		return 2;
	(void)fputs(out.bytes, stdout);
	buf_done(&out);
	return 0;
}
