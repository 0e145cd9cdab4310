/* workspace.c -- see workspace.h. */
#include "cli/workspace.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#define LEVELS_MAX 32
#define READ_MAX   ((size_t)1 << 20)

/* A file that the top of a workspace has; word is what it has to contain. */
static const struct {
	const char *name, *word;
} marks[] = {
	{ "pnpm-workspace.yaml", NULL },
	{ "lerna.json", NULL },
	{ "package.json", "\"workspaces\"" },
	{ "Cargo.toml", "[workspace" },
	{ "go.work", NULL },
};

static bool has_word(int fd, const char *word)
{
	owned_mem char *text = malloc(READ_MAX);
	size_t len = 0;
	ssize_t n = 1;

	while (text != NULL && len < READ_MAX && n > 0) {
		n = read(fd, text + len, READ_MAX - len);
		len += n > 0 ? (size_t)n : 0;
	}
	return text != NULL && memmem(text, len, word, strlen(word)) != NULL;
}

/* The mark that the directory has as a regular file; NULL for none. */
static const char *mark_find(int dir_fd)
{
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		owned_fd int fd = openat(dir_fd, marks[i].name,
					 O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
						 O_NOCTTY | O_CLOEXEC);
		struct stat st;

		if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
			continue;
		if (marks[i].word == NULL || has_word(fd, marks[i].word))
			return marks[i].name;
	}
	return NULL;
}

static bool has_git(int dir_fd)
{
	struct stat st;

	return fstatat(dir_fd, ".git", &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode));
}

/* Cut the last part off path; false when only "/" would be left. */
static bool path_shorten(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash == NULL || slash == path)
		return false;
	*slash = '\0';
	return true;
}

static int dir_open(const char *path, struct stat *ret)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && fstat(fd, ret) < 0) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

static void take(struct workspace *ret, const char *top, const char *real,
		 const char *mark)
{
	(void)snprintf(ret->top, sizeof ret->top, "%s", top);
	(void)snprintf(ret->below, sizeof ret->below, "%s",
		       real + strlen(top) + 1);
	ret->mark = mark;
}

bool workspace_find(const char *repo, struct workspace *ret)
{
	char real[PATH_MAX], at[PATH_MAX];
	struct stat first, st;
	owned_fd int fd = -1;

	*ret = (struct workspace){ .mark = NULL };
	if (realpath(repo != NULL ? repo : ".", real) == NULL)
		return false;
	fd = dir_open(real, &first);
	if (fd < 0 || has_git(fd) || mark_find(fd) != NULL)
		return false;
	memcpy(at, real, sizeof at);
	for (int i = 0; i < LEVELS_MAX && path_shorten(at); i++) {
		const char *mark;

		cleanup_fd(&fd);
		fd = dir_open(at, &st);
		if (fd < 0 || st.st_uid != first.st_uid ||
		    st.st_dev != first.st_dev)
			break;
		mark = mark_find(fd);
		if (mark == NULL && has_git(fd))
			mark = ".git"; /* a repository ends there */
		if (mark == NULL)
			continue;
		take(ret, at, real, mark);
		return true;
	}
	return false;
}
