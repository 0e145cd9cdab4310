/* manifests.c -- see manifests.h. */
#include "cli/manifests.h"

#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/cli.h"

int manifests_load(const char *dir, struct manifests *ret)
{
	owned_buf struct buf lines = { 0 };
	struct cupel_error err = { 0 };
	char *rest, *line;

	if (dir == NULL)
		return 0;
	if (manifest_read(dir, ret, &lines, &err) < 0) {
		cli_complain("--probe-dir: %s", err.what);
		return CLI_USAGE;
	}
	if (ret->bad == 0)
		return 0;
	for (line = strtok_r(lines.bytes, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest))
		cli_complain("--probe-dir: %s", line);
	return CLI_USAGE;
}
