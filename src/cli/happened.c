/* happened.c -- see happened.h. */
#include "cli/happened.h"

#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/file.h"

int cli_happened_read(const char *what, const char *path, struct happened *ret)
{
	owned_buf struct buf text = { 0 };
	struct cupel_error err = { 0 };

	if (file_read_all(path, HAPPENED_BYTES, &text, &err) < 0 ||
	    happened_read(strcmp(path, "-") == 0 ? "stdin" : path,
			  text.bytes != NULL ? text.bytes : "", text.len, ret,
			  &err) < 0)
		return cli_usage("%s: %s", what, err.what);
	return CLI_OK;
}

bool cli_happened_words(const char *what, int argc, char *argv[],
			const char *flag, int *ret)
{
	for (int i = 2; i < argc; i++) {
		if (argv[i][0] != '-' || argv[i][1] == '\0' ||
		    (flag != NULL && strcmp(argv[i], flag) == 0))
			continue;
		*ret = cli_usage("%s: unknown option '%.80s'", what, argv[i]);
		return true;
	}
	return false;
}
