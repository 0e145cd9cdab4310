/* fit.h -- finds the test profile that fits a command and a repository. */
#ifndef CUPEL_CLI_FIT_H
#define CUPEL_CLI_FIT_H

struct cupel_error;

#define FIT_TEXT_MAX 64

struct fit {
	const char *profile;     /* a shipped one; "test" if nothing is known */
	char word[FIT_TEXT_MAX]; /* of the command, which decided; or empty */
	char file
		[FIT_TEXT_MAX]; /* of the repository, which decided; or empty */
};

/* fit_find -- choose a test profile.  The words of the command decide, because
 * they are the caller's own.  If none of them names a runner, the names of
 * regular files at the top of the repository decide.  No file is opened and no
 * link followed: whoever wrote the repository can choose among the runners'
 * profiles by a file name and do nothing else.  Which words and files fit a
 * profile is in its own file, "fits".
 *
 * @repo	a directory
 * @command	a text for a shell, or NULL
 * @ret		what fits
 * Returns 0, or -errno with *err if repo is not a directory. */
int fit_find(const char *repo, const char *command, struct fit *ret,
	     struct cupel_error *err);

#endif
