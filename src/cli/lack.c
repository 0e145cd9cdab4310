/* lack.c -- see lack.h. */
#include "cli/lack.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "spec/data.h"
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

/* By topics of profiles/data/advice-words.txt.  Where has and lacks are given, the row
 * counts only over a repository with the one name at its top and without the other. */
static const struct {
	const char *topic, *has, *lacks, *advice;
} rows[] = {
	{ "go", NULL, NULL, go_advice },
	{ "cargo", NULL, NULL, cargo_advice },
	{ "npm", NULL, NULL, npm_advice },
	{ "modules", "package.json", "node_modules", modules_advice },
};

bool lack_says(const char *text, const char *topic)
{
	const char *row = advice_texts[0].bytes;
	const size_t n = strlen(topic), len = text != NULL ? strlen(text) : 0;
	const char *end;

	for (; (end = strchr(row, '\n')) != NULL; row = end + 1)
		if (strncmp(row, topic, n) == 0 && row[n] == '\t' && len > 0 &&
		    memmem(text, len, row + n + 1,
			   (size_t)(end - row) - n - 1) != NULL)
			return true;
	return false;
}

static bool has_name(int dir_fd, const char *name)
{
	struct stat st;

	return fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* A repository at "/" or "/x" has a path that anything may print. */
#define PATH_LEAST 3

const char *lack_find_path(const char *text, const struct spec *spec)
{
	const char *at = spec->repo_at != NULL ? spec->repo_at : INSIDE_REPO;
	char real[PATH_MAX];

	if (text == NULL || inside_repo_at_is_same(spec) ||
	    realpath(spec->repo != NULL ? spec->repo : ".", real) == NULL ||
	    strcmp(at, real) == 0 || strlen(real) < PATH_LEAST ||
	    strstr(text, real) == NULL)
		return NULL;
	return lack_says(text, "path")
		       ? "files of the repository name it by its path on the "
			 "host, as a build directory does: try --repo-at same, "
			 "or configure and build inside"
		       : NULL;
}

/* Names at the top of a repository that are looked at. */
#define NAMES_MAX 4096

/* Whether the directory, or what lies in it, is not of that user and group. */
static bool has_others(DIR *dir, uid_t uid, gid_t gid)
{
	const struct dirent *e;
	int n = 0;

	while ((e = readdir(dir)) != NULL && n++ < NAMES_MAX) {
		struct stat st;

		/* the directory itself is "."; what is above it does not count */
		if (strcmp(e->d_name, "..") != 0 &&
		    fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) ==
			    0 &&
		    (st.st_uid != uid || st.st_gid != gid))
			return true;
	}
	return false;
}

const char *lack_find_owner(const char *text, const struct spec *spec)
{
	bool is_root = geteuid() == 0, is_found;
	struct stat top;
	DIR *dir;

	if (!lack_says(text, "owner") || spec->repo_mode != REPO_OVERLAY)
		return NULL;
	dir = opendir(spec->repo != NULL ? spec->repo : ".");
	if (dir == NULL)
		return NULL;
	is_found = fstat(dirfd(dir), &top) == 0 &&
		   has_others(dir, is_root ? top.st_uid : geteuid(),
			      is_root ? top.st_gid : getegid());
	(void)closedir(dir);
	if (!is_found)
		return NULL;
	return is_root ? "files of the repository that belong to another user "
			 "or group than its top directory cannot be changed, "
			 "even in the overlay: chown -R --reference=REPO REPO"
		       : "files of the repository that belong to another user "
			 "or group than yours cannot be changed, even in the "
			 "overlay: chown -R \"$(id -u):$(id -g)\" REPO";
}

const char *lack_find(const char *text, const char *repo)
{
	owned_fd int fd = -1;

	if (text == NULL)
		return NULL;
	fd = open(repo != NULL ? repo : ".",
		  O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!lack_says(text, rows[i].topic))
			continue;
		if (rows[i].has == NULL ||
		    (fd >= 0 && has_name(fd, rows[i].has) &&
		     !has_name(fd, rows[i].lacks)))
			return rows[i].advice;
	}
	return NULL;
}
