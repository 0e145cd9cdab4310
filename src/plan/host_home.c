/* host_home.c -- see host_home.h. */
#include "plan/host_home.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "plan/host_runtime.h"

#define HOME_FIELD 5 /* of a line, counted from 0: passwd(5) */

/* Directories and files that lie in a home, and in no prefix of an
 * interpreter. */
static const char *const kept[] = {
	".local",       ".config",          ".ssh",         ".gnupg",
	".aws",         ".azure",           ".kube",        ".docker",
	".oci",         ".gcloud",          ".terraform.d", ".mozilla",
	".thunderbird", ".password-store",  ".pki",         ".netrc",
	".pgpass",      ".git-credentials", ".gitconfig",   ".bashrc",
	".profile",     ".bash_history",    ".zsh_history", ".vault-token",
};

/* Variables that name a directory of the user's own. */
static const char *const named[] = {
	"XDG_CONFIG_HOME", "XDG_DATA_HOME",    "XDG_STATE_HOME",
	"XDG_CACHE_HOME",  "XDG_RUNTIME_DIR",  "GNUPGHOME",
	"DOCKER_CONFIG",   "AZURE_CONFIG_DIR", "CLOUDSDK_CONFIG",
};

/* A directory that cannot be looked at still has its name. */
static bool is_in(const char *prefix, const char *dir)
{
	char real[PATH_MAX];

	return host_is_below(prefix, dir) ||
	       (realpath(dir, real) != NULL && host_is_below(prefix, real));
}

/* ~/.local may be a link to another disk. */
static bool is_home_in(const char *prefix, const char *home)
{
	char share[PATH_MAX];

	return home[0] != '\0' &&
	       (is_in(prefix, home) ||
		((size_t)snprintf(share, sizeof share, "%s/.local/share",
				  home) < sizeof share &&
		 is_in(prefix, share)));
}

/* Point at the home in a line of passwd(5), which is cut there; NULL when it
 * has none. */
static const char *line_home(char *line)
{
	char *field = NULL;

	line[strcspn(line, "\n")] = '\0';
	for (int i = 0; i <= HOME_FIELD; i++)
		field = strsep(&line, ":");
	/* "/" is the home of accounts that have none */
	return field != NULL && strcmp(field, "/") != 0 ? field : NULL;
}

/* Whether prefix holds the home of an account; every one of them counts, also
 * that of a service.  Returns 0 or 1, or -errno. */
static int has_account(const char *prefix, const char *passwd)
{
	int fd = open(passwd, O_RDONLY | O_CLOEXEC);
	FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;
	size_t room = 0;
	owned_mem char *line = NULL;
	int found = 0;

	if (f == NULL) {
		found = fd < 0 && errno == ENOENT ? 0 : -errno;
		if (fd >= 0)
			(void)close(fd);
		return found;
	}
	while (found == 0 && getline(&line, &room, f) >= 0) {
		const char *home = line_home(line);

		found = home != NULL && is_home_in(prefix, home);
	}
	if (found == 0 && ferror(f))
		found = -EIO;
	(void)fclose(f);
	return found;
}

static bool has_kept(const char *prefix)
{
	const char *slash = strrchr(prefix, '/');
	char path[PATH_MAX];
	struct stat st;

	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		if ((slash != NULL && strcmp(slash + 1, kept[i]) == 0) ||
		    (size_t)snprintf(path, sizeof path, "%s/%s", prefix,
				     kept[i]) >= sizeof path ||
		    lstat(path, &st) == 0)
			return true;
	return false;
}

const char *host_home_refusal(const char *prefix, const char *passwd)
{
	const char *home = getenv("HOME");
	int r;

	if (home != NULL && is_home_in(prefix, home))
		return "would show the caller's home directory";
	for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
		const char *dir = getenv(named[i]);

		if (dir != NULL && dir[0] != '\0' && is_in(prefix, dir))
			return "would show a directory in which the caller's "
			       "programs keep data";
	}
	if (has_kept(prefix))
		return "holds more than programs: what is kept in a home "
		       "directory";
	r = has_account(prefix, passwd);
	if (r < 0)
		return "cannot be judged, because /etc/passwd cannot be read";
	return r > 0 ? "would show the home directory of an account" : NULL;
}
