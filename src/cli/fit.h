/* fit.h -- which of the profiles of tests fits a command and a repository. */
#ifndef CUPEL_CLI_FIT_H
#define CUPEL_CLI_FIT_H

struct cupel_error;

/* fit_find -- the words of a command decide, for they are the caller's own; where
 * none names a runner, the names of regular files at the top of the repository.
 * No file is opened and no link followed, so whoever wrote the repository chooses
 * among the profiles of runners by a name and can do nothing else.
 *
 * @repo	a directory
 * @command	a shell's text, or NULL
 * @ret		the name of a shipped profile; "test" where nothing is known
 * Returns 0, or -errno with *err where repo is no directory. */
int fit_find(const char *repo, const char *command, const char **ret,
	     struct cupel_error *err);

#endif
