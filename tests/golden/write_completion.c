/* write_completion.c -- a completion script on stdout, for completion.t. */
#include <stdio.h>

#include "base/buf.h"
#include "spec/help.h"

int main(int argc, char *argv[])
{
	static const struct help_option own[] = {
		{ "jobs", "N", "at once", HELP_NOTHING },
		{ "repo", "DIR", "the [repository]", HELP_DIRS },
		{ "caps", "FILE", "it's a file", HELP_FILES },
		{ "profile", "NAME|FILE", "limits", HELP_PROFILES },
		{ "resume", NULL, "go on", HELP_NOTHING },
		{ NULL, NULL, NULL, HELP_NOTHING },
	};
	static const char *const verbs[] = { "list", "show", NULL };
	static const struct help_command commands[] = {
		{ "run", "run a command: it's in a [vessel]", true, NULL, NULL,
		  HELP_COMMAND },
		{ "confirm", "run flagged functions", false, own, NULL,
		  HELP_FILES },
		{ "doctor", "find out", false, NULL, NULL, HELP_NOTHING },
		{ "profile", "limits", false, NULL, verbs, HELP_PROFILES },
		{ "gather", "facts", false, NULL, NULL, HELP_DIRS },
		{ "batch", "many", true, own, NULL, HELP_FILES },
	};
	struct buf out = { 0 };

	if (argc != 2 || field_write_completion(&out, argv[1], commands, 6) < 0)
		return 2;
	(void)fputs(out.bytes, stdout);
	buf_done(&out);
	return 0;
}
