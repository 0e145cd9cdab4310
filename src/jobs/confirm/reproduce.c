/* reproduce.c -- see reproduce.h. */
#include "jobs/confirm/reproduce.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/blake3.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/outfile.h"
#include "jobs/confirm/literal.h"
#include "spec/data.h"

#define NAME_PART 40 /* bytes of the function in the name */
#define NAME_HASH 6  /* bytes of the hash */

static const struct language_row {
	const char *suffix;
	const char *template; /* profiles/reproduce */
	const struct script_fill *fills;
	const struct literal *literal;
} languages[LANGUAGE_MAX_] = {
	[LANGUAGE_PYTHON] = { "py", "python", python_fills, &python_literal },
	[LANGUAGE_JAVASCRIPT] = { "mjs", "javascript", node_fills,
				  &node_literal },
};

static const char *function_of(const struct reproduce_facts *f)
{
	const struct json_value *v = json_find(f->synthesis, "function");

	return v != NULL && v->type == JSON_STRING ? v->u.string.bytes : "";
}

void reproduce_name(const struct reproduce_facts *f, char ret[REPRODUCE_NAME])
{
	const char *function = function_of(f);
	char part[NAME_PART + 1], line[24];
	uint8_t digest[NAME_HASH];
	struct blake3 hash;
	size_t n = 0;
	int len;

	for (; function[n] != '\0' && n < NAME_PART; n++) {
		char c = function[n];

		part[n] = script_is_name(&c, 1) || (c >= '0' && c <= '9') ? c
									  : '_';
	}
	part[n] = '\0';
	(void)snprintf(line, sizeof line, "%ju", (uintmax_t)f->flag->line);
	blake3_init(&hash);
	blake3_update(&hash, f->file, strlen(f->file) + 1);
	blake3_update(&hash, function, strlen(function) + 1);
	blake3_update(&hash, f->flag->flag_class,
		      strlen(f->flag->flag_class) + 1);
	blake3_update(&hash, line, strlen(line));
	blake3_final(&hash, digest, sizeof digest);
	len = snprintf(ret, REPRODUCE_NAME, "%.30s-%s-", f->flag->flag_class,
		       part);
	for (size_t i = 0; i < sizeof digest; i++)
		len += snprintf(ret + len, REPRODUCE_NAME - (size_t)len, "%02x",
				digest[i]);
	(void)snprintf(ret + len, REPRODUCE_NAME - (size_t)len, ".%s",
		       languages[f->language].suffix);
}

static const struct data_text *template_find(const char *name)
{
	for (size_t i = 0; i < script_texts_len; i++)
		if (strcmp(script_texts[i].name, name) == 0)
			return &script_texts[i];
	return NULL;
}

/* The length of the word between @ and @ at text; 0 if there is none. */
static size_t word_len(const char *text)
{
	size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

	return n > 0 && text[n] == '@' ? n : 0;
}

static void word_fill(struct script *s, const struct reproduce_facts *f,
		      const char *word, size_t n)
{
	const struct script_fill *fill = languages[f->language].fills;
	char name[REPRODUCE_NAME];

	if (n == 4 && memcmp(word, "NAME", n) == 0) {
		reproduce_name(f, name);
		buf_text(s->out, name);
		return;
	}
	if (n == 4 && memcmp(word, "REPO", n) == 0) {
		script_text(s, f->repo, strlen(f->repo));
		return;
	}
	if (n == 4 && memcmp(word, "FILE", n) == 0) {
		script_text(s, f->file, strlen(f->file));
		return;
	}
	for (; fill->word != NULL; fill++)
		if (strlen(fill->word) == n &&
		    memcmp(fill->word, word, n) == 0) {
			fill->write(s, f);
			return;
		}
	script_fail(s, "the template has an unknown @word");
}

int reproduce_build(const struct reproduce_facts *f, struct buf *out,
		    const char **ret_why)
{
	const struct data_text *t =
		template_find(languages[f->language].template);
	const struct json_value *arguments = json_find(f->witness, "arguments");
	struct script s = { .out = out,
			    .language = f->language,
			    .literal = languages[f->language].literal };
	const char *at = t != NULL ? t->bytes : "";

	if (function_of(f)[0] == '\0' || arguments == NULL ||
	    arguments->type != JSON_ARRAY)
		script_fail(
			&s,
			"the function has no name, or no list of arguments");
	while (s.why == NULL && *at != '\0') {
		size_t n = strcspn(at, "@");
		size_t word = at[n] == '@' ? word_len(at + n + 1) : 0;

		buf_add(out, at, n);
		if (word > 0)
			word_fill(&s, f, at + n + 1, word);
		else
			buf_add(out, at + n, at[n] == '@');
		at += n + (word > 0 ? word + 2 : at[n] == '@');
	}
	if (s.why != NULL) {
		*ret_why = s.why;
		return -EOPNOTSUPP;
	}
	return buf_has_failed(out) ? -ENOMEM : 0;
}

static int fail(const char *what, const char *name, int sys,
		struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, sys,
			  "--reproducer: %s: %s: %s", name, what,
			  strerror(sys));
}

int reproduce_open(const char *path, struct cupel_error *err)
{
	struct cupel_error why = { 0 };
	char name[NAME_MAX + 1];
	owned_fd int parent = outfile_open_dir(path, 0, name, &why);
	int fd;

	if (parent < 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, why.cause, why.sys,
				  "--reproducer: %s", why.what);
	fd = outfile_open_folder(parent, name, 0700);
	return fd < 0 ? fail("cannot be opened as a directory", path, -fd, err)
		      : fd;
}

/* Whether name is a regular file with exactly these bytes: 0, 1 or -errno
 * (-EEXIST if it is not a regular file). */
static int is_there(int dir_fd, const char *name, const char *text, size_t n)
{
	owned_fd int fd = -1;
	owned_mem char *had = NULL;
	struct stat st;

	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISREG(st.st_mode))
		return -EEXIST;
	if (st.st_size != (off_t)n)
		return 0;
	fd = openat(dir_fd, name,
		    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	had = malloc(n + 1);
	if (fd < 0 || had == NULL)
		return fd < 0 ? -errno : -ENOMEM;
	return read(fd, had, n) == (ssize_t)n && memcmp(had, text, n) == 0;
}

int reproduce_put(int dir_fd, const char *name, const char *text, size_t n,
		  struct cupel_error *err)
{
	char fresh[REPRODUCE_NAME + 8];
	owned_fd int fd = -1;
	int e = is_there(dir_fd, name, text, n);

	if (e < 0)
		return fail("cannot be replaced", name, -e, err);
	if (e > 0)
		return 0;
	/* One name for all runs, so that nothing is left for ever. */
	(void)snprintf(fresh, sizeof fresh, ".new-%s", name);
	if (unlinkat(dir_fd, fresh, 0) < 0 && errno != ENOENT)
		return fail("cannot be removed", fresh, errno, err);
	fd = outfile_make(dir_fd, fresh, 0600);
	if (fd < 0)
		return fail("cannot be made", fresh, -fd, err);
	e = outfile_write(fd, text, n);
	if (e == 0 && renameat(dir_fd, fresh, dir_fd, name) < 0)
		e = -errno;
	if (e < 0) {
		(void)unlinkat(dir_fd, fresh, 0);
		return fail("cannot be written", name, -e, err);
	}
	return 0;
}
