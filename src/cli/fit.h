/* fit.h -- finds the test profile that fits a command and a repository. */
#ifndef CUPEL_CLI_FIT_H
#define CUPEL_CLI_FIT_H

struct cupel_error;

struct fit {
	const char *profile; /* a shipped one; "test" if nothing is known */
	const char *word;    /* of the command, which decided; or NULL */
	const char *file;    /* of the repository, which decided; or NULL */
};

/* fit_find -- choose a test profile.  The words of the command decide, because
 * they are the caller's own.  If none of them names a runner, the names of
 * regular files at the top of the repository decide.  No file is opened and no
 * link followed: whoever wrote the repository can choose among the runners'
 * profiles by a file name and do nothing else.
 *
 * @repo	a directory
 * @command	a text for a shell, or NULL
 * @ret		what fits; its texts are constants
 * Returns 0, or -errno with *err if repo is not a directory. */
int fit_find(const char *repo, const char *command, struct fit *ret,
	     struct cupel_error *err);

#endif
