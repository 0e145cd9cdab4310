/* lack.c -- see lack.h. */
#include "cli/lack.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "spec/inside.h"
#include "spec/spec.h"

static const char go_advice[] =
	"nothing can be fetched in this vessel: show the host's Go modules by "
	"--ro \"$(go env GOMODCACHE):/gomod\" --env GOMODCACHE=/gomod, or have "
	"them in vendor";
static const char cargo_advice[] =
	"nothing can be fetched in this vessel: cupel-profile(1) says how the "
	"host's crates are shown";
static const char npm_advice[] =
	"nothing can be fetched in this vessel: install first, by --profile "
	"npm-install or on the host (cupel-profile(1), INSTALLERS)";
static const char modules_advice[] =
	"the repository has package.json and no node_modules: install "
	"first, by --profile npm-install or on the host (cupel-profile(1), "
	"INSTALLERS)";

/* A word that a command printed.  Where has and lacks are given, the row counts only
 * over a repository with the one name at its top and without the other. */
static const struct {
	const char *word, *has, *lacks, *advice;
} rows[] = {
	{ "module lookup disabled by GOPROXY=off", NULL, NULL, go_advice },
	{ "but --offline was specified", NULL, NULL, cargo_advice },
	{ "using offline mode", NULL, NULL, cargo_advice },
	{ "ENOTCACHED", NULL, NULL, npm_advice },
	{ "not found", "package.json", "node_modules", modules_advice },
	{ "Cannot find", "package.json", "node_modules", modules_advice },
};

static bool has_name(int dir_fd, const char *name)
{
	struct stat st;

	return fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* A repository at "/" or "/x" has a path that anything may print. */
#define PATH_LEAST 3

const char *lack_find_path(const char *text, const struct spec *spec)
{
	/* of ctest and of cmake, about a build directory that was made outside */
	static const char *const words[] = {
		"***Not Run",
		"where CMakeCache.txt was created",
	};
	const char *at = spec->repo_at != NULL ? spec->repo_at : INSIDE_REPO;
	char real[PATH_MAX];

	if (text == NULL || inside_repo_at_is_same(spec) ||
	    realpath(spec->repo != NULL ? spec->repo : ".", real) == NULL ||
	    strcmp(at, real) == 0 || strlen(real) < PATH_LEAST ||
	    strstr(text, real) == NULL)
		return NULL;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(text, words[i]) != NULL)
			return "files of the repository name it by its path on "
			       "the host, as a build directory does: try "
			       "--repo-at same, or configure and build inside";
	return NULL;
}

const char *lack_find(const char *text, const char *repo)
{
	owned_fd int fd = -1;

	if (text == NULL)
		return NULL;
	fd = open(repo != NULL ? repo : ".",
		  O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (strstr(text, rows[i].word) == NULL)
			continue;
		if (rows[i].has == NULL ||
		    (fd >= 0 && has_name(fd, rows[i].has) &&
		     !has_name(fd, rows[i].lacks)))
			return rows[i].advice;
	}
	return NULL;
}
