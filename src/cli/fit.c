/* fit.c -- see fit.h. */
#include "cli/fit.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "boundary/json.h"
#include "spec/profile.h"

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

/* Whether something of a list, which a profile gives, is there. */
typedef bool fit_test(const void *of, const char *text);

static bool is_in_command(const void *of, const char *text)
{
	return has_word(of, text);
}

/* Whether the directory has a regular file of this name. */
static bool is_in_directory(const void *of, const char *name)
{
	struct stat st;

	return fstatat(*(const int *)of, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(st.st_mode);
}

/* The first text of what the profile fits, "programs" or "files", that passes. */
static bool profile_fits(const struct data_text *profile, const char *list,
			 fit_test *test, const void *of, char ret[FIT_TEXT_MAX])
{
	struct arena arena = { 0 };
	struct json_value v;
	struct json_error err;
	const struct json_value *texts = NULL;
	bool fits = false;

	if (json_parse(profile->bytes, profile->len, NULL, &arena, &v, &err) ==
	    0)
		texts = json_find(json_find(&v, "fits"), list);
	for (size_t i = 0; texts != NULL && !fits && i < texts->u.array.len;
	     i++) {
		const char *text = texts->u.array.items[i].u.string.bytes;

		fits = test(of, text);
		if (fits)
			(void)snprintf(ret, FIT_TEXT_MAX, "%s", text);
	}
	arena_done(&arena);
	return fits;
}

/* The first profile that fits is taken.  npm-test reads the output of every
 * JavaScript runner, so nobody has to read a package.json. */
static bool fit_first(const char *list, fit_test *test, const void *of,
		      struct fit *ret, char text[FIT_TEXT_MAX])
{
	for (size_t i = 0; profile_at(i) != NULL; i++)
		if (profile_fits(profile_at(i), list, test, of, text)) {
			ret->profile = profile_at(i)->name;
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
	*ret = (struct fit){ .profile = "test" };
	if (command == NULL ||
	    !fit_first("programs", is_in_command, command, ret, ret->word))
		(void)fit_first("files", is_in_directory, &dir_fd, ret,
				ret->file);
	return 0;
}
