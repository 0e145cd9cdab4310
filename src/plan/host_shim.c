/* host_shim.c -- pyenv and managers like it: a directory "shims" beside
 * "versions".
 *
 * A shim is a script that asks the manager which version to use here.  The
 * managers of this family take the answer from a variable, from a file in the
 * directory or one above it, and from a file of their own.  So do we, without
 * running anything.  The file in the repository was written by its author, so
 * it may only be a name of letters, and chooses among the versions that the
 * caller has. */
#include "plan/host_shim.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "plan/host.h"
#include "plan/host_choice.h"
#include "plan/host_runtime.h"

#define CHOICE_BYTES 256  /* of a file of versions, or of the variable */
#define VERSIONS_MAX 1024 /* names that are compared to find the latest */

struct manager {
	const char *name;
	const char *root;     /* the variable that says where it lies */
	const char *variable; /* the variable that says the version */
	const char *file;     /* the file that says it, in a directory */
};

static const struct manager managers[] = {
	{ "pyenv", "PYENV_ROOT", "PYENV_VERSION", ".python-version" },
	{ "rbenv", "RBENV_ROOT", "RBENV_VERSION", ".ruby-version" },
	{ "nodenv", "NODENV_ROOT", "NODENV_VERSION", ".node-version" },
	{ "goenv", "GOENV_ROOT", "GOENV_VERSION", ".go-version" },
	{ "plenv", "PLENV_ROOT", "PLENV_VERSION", ".perl-version" },
};

bool host_shim_is(const char *dir)
{
	size_t n = strlen(dir);

	while (n > 1 && dir[n - 1] == '/')
		n--;
	return n > 6 && strncmp(dir + n - 6, "/shims", 6) == 0;
}

/* From "/x/.pyenv/shims" find "/x/.pyenv", as a real path. */
static bool root_find(const char *dir, char ret[PATH_MAX])
{
	char *slash;

	if (!host_shim_is(dir) || realpath(dir, ret) == NULL)
		return false;
	slash = strrchr(ret, '/');
	if (slash == NULL || slash == ret)
		return false;
	*slash = '\0';
	return true;
}

static const struct manager *manager_find(const char *root)
{
	const char *base = strrchr(root, '/');
	char real[PATH_MAX];

	for (size_t i = 0; i < sizeof managers / sizeof *managers; i++) {
		const struct manager *m = &managers[i];
		const char *said = getenv(m->root);

		if (said != NULL && realpath(said, real) != NULL &&
		    strcmp(real, root) == 0)
			return m;
		if (base != NULL &&
		    strcmp(base + 1 + (base[1] == '.'), m->name) == 0)
			return m;
	}
	return NULL;
}

bool host_shim_owns(const struct host *h, const char *dir, const char *prefix)
{
	char versions[PATH_MAX];
	char root[PATH_MAX];

	return root_find(dir, root) && host_is_trusted_dir(h, root) &&
	       (size_t)snprintf(versions, sizeof versions, "%s/versions",
				root) < sizeof versions &&
	       host_is_below(versions, prefix) && strcmp(versions, prefix) != 0;
}

/* --- the choice ----------------------------------------------------------- */

/* Look in the directory and all above it. */
static bool choice_find(const char *from, const char *name,
			char ret[CHOICE_BYTES])
{
	char dir[PATH_MAX];
	char *slash;

	(void)snprintf(dir, sizeof dir, "%s", from);
	while (!choice_read(dir, name, ret, CHOICE_BYTES)) {
		slash = strrchr(dir, '/');
		if (slash == NULL)
			return false;
		*slash = '\0';
	}
	return true;
}

static void choose(const struct host *h, const struct manager *m,
		   const char *root, char ret[CHOICE_BYTES])
{
	const char *said = getenv(m->variable);

	if (said != NULL && said[0] != '\0')
		(void)snprintf(ret, CHOICE_BYTES, "%s", said);
	else if (!(h->has_repo && choice_find(h->repo.path, m->file, ret)) &&
		 !choice_read(root, "version", ret, CHOICE_BYTES))
		(void)snprintf(ret, CHOICE_BYTES, "system");
}

/* --- from a version to a program ------------------------------------------ */

/* Replace "3.12" by the latest "3.12.N" that exists. */
static void latest_find(const char *versions, char word[CHOICE_WORD])
{
	size_t n = strlen(word);
	DIR *d = opendir(versions);
	const struct dirent *e;
	long best = -1;

	for (int i = 0; d != NULL && i < VERSIONS_MAX && (e = readdir(d));
	     i++) {
		char *end = NULL;
		long number;

		if (strncmp(e->d_name, word, n) != 0 || e->d_name[n] != '.' ||
		    !isdigit((unsigned char)e->d_name[n + 1]))
			continue;
		number = strtol(e->d_name + n + 1, &end, 10);
		if (*end == '\0' && number > best && number < INT_MAX)
			best = number;
	}
	if (d != NULL)
		(void)closedir(d);
	if (best >= 0 && n + 12 < CHOICE_WORD)
		(void)snprintf(word + n, CHOICE_WORD - n, ".%ld", best);
}

static bool has_program(const char *root, const char *version, const char *name,
			char *ret, size_t room)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof path, "%s/versions/%s/bin/%s", root,
			     version, name) >= sizeof path ||
	    strlen(path) >= room || access(path, X_OK) < 0)
		return false;
	(void)snprintf(ret, room, "%s", path);
	return true;
}

/* Find the first of the versions in choice that has the program. */
static int choice_follow(const char *root, char *choice, const char *name,
			 char *ret, size_t room)
{
	char versions[PATH_MAX + 16];
	char word[CHOICE_WORD];
	char *save = NULL;

	(void)snprintf(versions, sizeof versions, "%s/versions", root);
	for (const char *w = strtok_r(choice, ": \t\r\n", &save); w != NULL;
	     w = strtok_r(NULL, ": \t\r\n", &save)) {
		if (strcmp(w, "system") == 0)
			return SHIM_IS_SYSTEM;
		if (strncmp(w, "python-", 7) == 0)
			w += 7;
		if (!choice_is_word(w))
			continue;
		(void)snprintf(word, sizeof word, "%s", w);
		if (has_program(root, word, name, ret, room))
			return 0;
		latest_find(versions, word);
		if (has_program(root, word, name, ret, room))
			return 0;
	}
	return -ENOENT;
}

int host_shim_follow(const struct host *h, const char *dir, const char *name,
		     char *ret, size_t room, struct cupel_error *err)
{
	const struct manager *m = NULL;
	char choice[CHOICE_BYTES];
	char root[PATH_MAX];
	int r = -ENOENT;

	if (root_find(dir, root))
		m = manager_find(root);
	if (m == NULL || !host_is_trusted_dir(h, root))
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  ENOENT,
				  "'%s' is a shim (%s/%s); name the prefix of "
				  "the program itself with --runtime DIR",
				  name, dir, name);
	choose(h, m, root, choice);
	r = choice_follow(root, choice, name, ret, room);
	if (r >= 0)
		return r;
	return cupel_fail(
		err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, ENOENT,
		"'%s' is a %s shim, and no version that is chosen here has "
		"that program; add --runtime %s/versions/VERSION",
		name, m->name, root);
}
