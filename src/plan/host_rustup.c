/* host_rustup.c -- see host_rustup.h.
 *
 * rustup is one program under many names.  As cargo or rustc it runs the program of
 * that name in the toolchain that is chosen for the directory, and installs what is
 * missing.  We read the files that choose, as rustup does, and run nothing.  They are
 * read line by line, and only in the form in which rustup writes them and its manual
 * shows them.  A file that chooses in another form ends the run: without that, the
 * default toolchain would be taken silently. */
#include "plan/host_rustup.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "plan/host.h"
#include "plan/host_choice.h"
#include "plan/host_runtime.h"

#define FILE_BYTES     4096  /* of a file that chooses for a directory */
#define SETTINGS_BYTES 16384 /* of the caller's settings.toml */

#if defined(__aarch64__)
#define TRIPLE "-aarch64-unknown-linux-"
#else
#define TRIPLE "-x86_64-unknown-linux-"
#endif

enum found {
	FOUND_NONE,
	FOUND_WORD,
	FOUND_DEFAULT, /* a file that chooses nothing, so the default */
	FOUND_UNCLEAR, /* it chooses in a form that is not read here */
};

struct choice {
	const char *by; /* the file or variable, for messages */
	char word[CHOICE_WORD];
};

bool host_rustup_is(const char *dir, const char *name)
{
	static const char *const names[] = {
		"cargo",      "cargo-clippy",  "cargo-fmt",
		"cargo-miri", "clippy-driver", "rust-analyzer",
		"rustc",      "rustdoc",       "rustfmt",
	};
	char path[PATH_MAX];
	struct stat own;
	struct stat st;
	size_t i = 0;

	while (i < sizeof names / sizeof *names && strcmp(names[i], name) != 0)
		i++;
	if (i == sizeof names / sizeof *names ||
	    (size_t)snprintf(path, sizeof path, "%s/%s", dir, name) >=
		    sizeof path ||
	    stat(path, &st) < 0)
		return false;
	return (size_t)snprintf(path, sizeof path, "%s/rustup", dir) <
		       sizeof path &&
	       stat(path, &own) == 0 && own.st_dev == st.st_dev &&
	       own.st_ino == st.st_ino;
}

/* --- what a file says ----------------------------------------------------- */

static const char *blanks_skip(const char *p)
{
	return p + strspn(p, " \t");
}

/* Take text from *p, if it is next. */
static bool take(const char **p, const char *text)
{
	size_t n = strlen(text);

	if (strncmp(*p, text, n) != 0)
		return false;
	*p += n;
	return true;
}

/* Take the key, in quotes or without, from *p. */
static bool key_take(const char **p, const char *key)
{
	char quote[2] = { **p, '\0' };

	if (quote[0] != '"' && quote[0] != '\'')
		return take(p, key);
	return take(p, quote) && take(p, key) && take(p, quote);
}

/* Read "= 'word'". */
static enum found value_read(const char *p, char ret[CHOICE_WORD])
{
	size_t n;

	p = blanks_skip(p + 1);
	if (*p != '"' && *p != '\'')
		return FOUND_UNCLEAR;
	n = strcspn(p + 1, *p == '"' ? "\"\n" : "'\n");
	if (p[1 + n] != *p || n >= CHOICE_WORD)
		return FOUND_UNCLEAR;
	(void)snprintf(ret, CHOICE_WORD, "%.*s", (int)n, p + 1);
	return choice_is_word(ret) ? FOUND_WORD : FOUND_UNCLEAR;
}

/* Find the first value of key in a table of TOML; "": before the first table. */
static enum found word_find(const char *text, const char *table,
			    const char *key, char ret[CHOICE_WORD])
{
	bool is_in = table[0] == '\0';

	for (const char *line = text; *line != '\0';) {
		const char *p = blanks_skip(line);

		if (take(&p, "[")) {
			p = blanks_skip(p);
			is_in = table[0] != '\0' && key_take(&p, table) &&
				*blanks_skip(p) == ']';
		} else if (is_in && key_take(&p, key) &&
			   *blanks_skip(p) == '=') {
			return value_read(blanks_skip(p), ret);
		}
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return FOUND_NONE;
}

/* rust-toolchain may have one word instead of tables. */
static enum found file_read(const char *dir, const char *name,
			    struct choice *ret)
{
	char text[FILE_BYTES];
	enum found r;
	char *word;

	if (!choice_read(dir, name, text, sizeof text))
		return FOUND_NONE;
	ret->by = name;
	if (strpbrk(text, "[=") == NULL) {
		word = text + strspn(text, " \t\r\n");
		word[strcspn(word, " \t\r\n")] = '\0';
		if (!choice_is_word(word))
			return FOUND_UNCLEAR;
		(void)snprintf(ret->word, sizeof ret->word, "%s", word);
		return FOUND_WORD;
	}
	r = word_find(text, "toolchain", "channel", ret->word);
	if (r != FOUND_NONE)
		return r;
	if (strstr(text, "channel") != NULL || strstr(text, "path") != NULL ||
	    strlen(text) == sizeof text - 1)
		return FOUND_UNCLEAR;
	return FOUND_DEFAULT;
}

/* --- the choice ----------------------------------------------------------- */

/* For one directory: the caller's own word for it comes first. */
static enum found directory_read(const char *dir, const char *settings,
				 struct choice *ret)
{
	enum found r;

	ret->by = "an override in settings.toml";
	r = word_find(settings, "overrides", dir[0] != '\0' ? dir : "/",
		      ret->word);
	if (r == FOUND_NONE)
		r = file_read(dir, "rust-toolchain", ret);
	if (r == FOUND_NONE)
		r = file_read(dir, "rust-toolchain.toml", ret);
	return r;
}

static enum found variable_read(struct choice *ret)
{
	const char *said = getenv("RUSTUP_TOOLCHAIN");

	if (said == NULL || said[0] == '\0')
		return FOUND_NONE;
	ret->by = "RUSTUP_TOOLCHAIN";
	if (!choice_is_word(said))
		return FOUND_UNCLEAR;
	(void)snprintf(ret->word, sizeof ret->word, "%s", said);
	return FOUND_WORD;
}

static enum found choose(const struct host *h, const char *root,
			 struct choice *ret)
{
	char settings[SETTINGS_BYTES];
	char dir[PATH_MAX];
	enum found r = variable_read(ret);

	if (r != FOUND_NONE)
		return r;
	if (!choice_read(root, "settings.toml", settings, sizeof settings))
		settings[0] = '\0';
	ret->by = "settings.toml";
	if (strlen(settings) == sizeof settings - 1)
		return FOUND_UNCLEAR;
	(void)snprintf(dir, sizeof dir, "%s", h->has_repo ? h->repo.path : "");
	while (h->has_repo && r == FOUND_NONE) {
		char *slash = strrchr(dir, '/');

		r = directory_read(dir, settings, ret);
		if (slash == NULL)
			break;
		*slash = '\0';
	}
	if (r == FOUND_WORD || r == FOUND_UNCLEAR)
		return r;
	ret->by = "settings.toml";
	return word_find(settings, "", "default_toolchain", ret->word);
}

/* --- from a toolchain to a program ---------------------------------------- */

static bool root_find(const struct host *h, char ret[PATH_MAX])
{
	const char *said = getenv("RUSTUP_HOME");
	const char *home = getenv("HOME");
	char path[PATH_MAX];

	if (said != NULL && said[0] != '\0')
		(void)snprintf(path, sizeof path, "%s", said);
	else if (home == NULL ||
		 (size_t)snprintf(path, sizeof path, "%s/.rustup", home) >=
			 sizeof path)
		return false;
	return path[0] == '/' && realpath(path, ret) != NULL &&
	       host_is_trusted_dir(h, ret);
}

/* "stable" is called "stable-x86_64-unknown-linux-gnu" there. */
static bool program_find(const char *root, const char *word, const char *name,
			 char *ret, size_t room)
{
	static const char *const ends[] = { "", TRIPLE "gnu", TRIPLE "musl" };

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if ((size_t)snprintf(ret, room, "%s/toolchains/%s%s/bin/%s",
				     root, word, ends[i], name) < room &&
		    access(ret, X_OK) == 0)
			return true;
	return false;
}

int host_rustup_follow(const struct host *h, const char *name, char *ret,
		       size_t room, struct cupel_error *err)
{
	struct choice choice = { .by = "" };
	char path[PATH_MAX];
	char root[PATH_MAX];
	enum found r;

	if (!root_find(h, root))
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  ENOENT,
				  "'%s' is rustup, whose toolchains are not "
				  "found (RUSTUP_HOME, ~/.rustup); name one "
				  "with --runtime DIR",
				  name);
	r = choose(h, root, &choice);
	if (r == FOUND_WORD &&
	    program_find(root, choice.word, name, path, sizeof path) &&
	    (size_t)snprintf(ret, room, "%s", path) < room)
		return 0;
	if (r == FOUND_WORD)
		return cupel_fail(
			err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, ENOENT,
			"'%s' is rustup, and the toolchain '%s' (%s) "
			"is not installed or has no such program; add "
			"--runtime %s/toolchains/NAME",
			name, choice.word, choice.by, root);
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, ENOENT,
			  "'%s' is rustup, and %s %s; add --runtime "
			  "%s/toolchains/NAME",
			  name, choice.by,
			  r == FOUND_NONE
				  ? "names no default toolchain"
				  : "chooses the toolchain in a form that "
				    "cupel does not read",
			  root);
}
