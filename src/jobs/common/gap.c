/* gap.c -- see gap.h. */
#include "jobs/common/gap.h"

#include <stddef.h>
#include <string.h>

/* The codes of names that were passed over, and of lists that were cut; see
 * cupel-probes(5), "OUTPUT OF A PROBE". */
static const struct {
	const char *code;
	enum gap gap;
} codes[] = {
	/* Everything was read all the same. */
	{ "bom", GAP_NONE },
	{ "bad_constraint", GAP_NONE },
	{ "bad_script", GAP_NONE },
	{ "bad_scripts", GAP_NONE },
	{ "bad_package_manager", GAP_NONE },
	{ "bad_workspaces", GAP_NONE },
	{ "workspace_outside", GAP_NONE },
	{ "workspace_glob", GAP_NONE },
	{ "workspace_globs", GAP_NONE },
	{ "not_in_workspaces", GAP_NONE },
	{ "yaml_tag", GAP_NONE },
	{ "symlink", GAP_UNREAD },
	{ "fifo", GAP_UNREAD },
	{ "socket", GAP_UNREAD },
	{ "device", GAP_UNREAD },
	{ "directory", GAP_UNREAD },
	{ "other_file_system", GAP_UNREAD },
	{ "unreadable", GAP_UNREAD },
	{ "vanished", GAP_UNREAD },
	{ "failed", GAP_UNREAD },
	{ "too_large", GAP_UNREAD }, /* of what is not the project's own */
	{ "line_too_long", GAP_UNREAD },
	{ "truncated", GAP_CUT },
	{ "more_notes", GAP_CUT },
};

enum gap gap_of_warning(const char *code)
{
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (strcmp(codes[i].code, code) == 0)
			return codes[i].gap;
	return GAP_DOUBT;
}
