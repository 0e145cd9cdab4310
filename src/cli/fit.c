/* fit.c -- see fit.h. */
#include "cli/fit.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/error.h"

#define WORDS 9
#define FILES 7

/* The first row that fits is taken.  npm-test reads the output of every
 * JavaScript runner, so nobody has to read a package.json. */
static const struct row {
	const char *profile;
	const char *words[WORDS]; /* programs, and modules for python -m */
	const char *files[FILES];
} rows[] = {
	{ "pytest",
	  { "pytest", "py.test" },
	  { "pytest.ini", "conftest.py", "tox.ini", "pyproject.toml",
	    "setup.cfg", "setup.py" } },
	{ "unittest", { "unittest" }, { NULL } },
	{ "npm-test",
	  { "npm", "npx", "yarn", "pnpm", "node", "jest", "vitest", "mocha" },
	  { "package.json" } },
	{ "go-test", { "go" }, { "go.mod" } },
	{ "cargo-test", { "cargo" }, { "Cargo.toml" } },
	{ "ctest", { "ctest" }, { "CMakeLists.txt" } },
	{ "prove", { "prove" }, { "Makefile.PL", "cpanfile" } },
	{ "automake", { NULL }, { "configure.ac", "Makefile.am" } },
};
#define ROWS (sizeof rows / sizeof *rows)

static bool is_in_word(char c)
{
	return isalnum((unsigned char)c) || (c != '\0' && strchr("._+/-", c));
}

/* Whether text contains word where a program's name can be: alone, or at the
 * end of a path. */
static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = strstr(text, word); p != NULL;
	     p = strstr(p + 1, word))
		if ((p == text || p[-1] == '/' || !is_in_word(p[-1])) &&
		    !is_in_word(p[n]))
			return true;
	return false;
}

static bool is_of_words(const char *command, struct fit *ret)
{
	for (size_t i = 0; i < ROWS; i++)
		for (size_t k = 0; k < WORDS && rows[i].words[k] != NULL; k++)
			if (has_word(command, rows[i].words[k])) {
				*ret = (struct fit){ rows[i].profile,
						     rows[i].words[k], NULL };
				return true;
			}
	return false;
}

static bool is_regular(int dir_fd, const char *name)
{
	struct stat st;

	return fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(st.st_mode);
}

static bool is_of_files(int dir_fd, struct fit *ret)
{
	for (size_t i = 0; i < ROWS; i++)
		for (size_t k = 0; k < FILES && rows[i].files[k] != NULL; k++)
			if (is_regular(dir_fd, rows[i].files[k])) {
				*ret = (struct fit){ rows[i].profile, NULL,
						     rows[i].files[k] };
				return true;
			}
	return false;
}

int fit_find(const char *repo, const char *command, struct fit *ret,
	     struct cupel_error *err)
{
	owned_fd int dir_fd = open(repo, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (dir_fd < 0)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  errno, "%.200s: %s", repo, strerror(errno));
	if ((command == NULL || !is_of_words(command, ret)) &&
	    !is_of_files(dir_fd, ret))
		*ret = (struct fit){ .profile = "test" };
	return 0;
}
