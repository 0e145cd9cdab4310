/* workspace.h -- the top of the workspace in which a run was started, for one
 * line of advice.
 *
 * A vessel shows the repository and nothing above it.  Started in a
 * package's folder, a command lacks what the workspace has above: its
 * node_modules, its lockfile, its sources. */
#ifndef CUPEL_CLI_WORKSPACE_H
#define CUPEL_CLI_WORKSPACE_H

#include <limits.h>
#include <stdbool.h>

struct workspace {
	char top[PATH_MAX];   /* real, absolute */
	char below[PATH_MAX]; /* the repository's path in it */
	const char *mark;     /* the file that says so */
};

/* workspace_find -- look for it above repo (NULL: the current directory).
 *
 * The nearest directory counts that pnpm, npm, yarn, lerna, cargo or go take for
 * the top, or that has .git.  It is never looked for above a
 * directory of another owner, on another file system, in / itself, or further up
 * than 32 directories; of a file 1 MiB is read at most.  A repository that has
 * .git, or is a top itself, is in none. */
bool workspace_find(const char *repo, struct workspace *ret);

#endif
