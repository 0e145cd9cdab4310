/* gather_chain.h -- a chain of run records in a directory of its own, for the
 * tests of it. */
#ifndef CUPEL_TESTS_GATHER_CHAIN_H
#define CUPEL_TESTS_GATHER_CHAIN_H

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "jobs/gather/audit.h"
#include "json_at.h"

static char dir[32];
static int fd;
static struct cupel_error err;
static struct buf lines;
static size_t records;

static inline void enter(void)
{
	strcpy(dir, "/tmp/cupel-audit.XXXXXX");
	ok(mkdtemp(dir) != NULL);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ok(fd >= 0);
}

static inline void leave(void)
{
	char cmd[128];

	close(fd);
	buf_done(&lines);
	(void)snprintf(cmd, sizeof cmd, "chmod -R u+rwX '%s'; rm -rf '%s'", dir,
		       dir);
	ok_int(system(cmd), 0);
}

static const struct probe ci = { .name = "ci",
				 .version = "1.0",
				 .schema_version = "1.0" };
static const struct gather_input inputs[] = {
	{ .name = "a\nb.yml",
	  .hash = "blake3:"
		  "00000000000000000000000000000000"
		  "00000000000000000000000000000001",
	  .size = 7 },
	{ .name = "**/*",
	  .hash = "blake3:"
		  "00000000000000000000000000000000"
		  "00000000000000000000000000000002",
	  .size = 9,
	  .is_names = true,
	  .names = 3 },
};

static inline void append(struct audit_note *note)
{
	struct gather_probe p = { .probe = &ci,
				  .status = "OK",
				  .wall_ms = 3,
				  .inputs = inputs,
				  .inputs_len = 2 };
	struct gather_run run = { .repo = "/r\xff",
				  .probes = &p,
				  .probes_len = 1,
				  .started_ms = 1,
				  .context_name = "repo-context.yaml" };

	*note = (struct audit_note){ 0 };
	ok_int(audit_append(fd, &run, note, &err), 0);
	if (tap_bad)
		fprintf(stderr, "# %s\n", err.what);
}

static char name[9][CHAIN_NAME_BYTES]; /* from 1 */

static inline void chain_make(int n)
{
	struct audit_note note;

	enter();
	for (int i = 1; i <= n; i++) {
		append(&note);
		strcpy(name[i], note.name);
		ok(note.broken[0] == '\0');
	}
}

/* Verifies; the first line, if any. */
static inline const char *verify(int want)
{
	static char first[400];

	buf_done(&lines);
	ok_int(chain_verify(fd, &lines, &records, &err), want);
	(void)snprintf(first, sizeof first, "%s",
		       lines.bytes ? lines.bytes : "");
	return first;
}

static inline size_t lines_count(void)
{
	size_t n = 0;

	for (size_t i = 0; i < lines.len; i++)
		n += lines.bytes[i] == '\n';
	return n;
}

/* The record of that name is the first thing wrong, and the only one. */
static inline void blames(const char *culprit, const char *part)
{
	const char *first = verify(1);

	ok(strncmp(first, culprit, strlen(culprit)) == 0);
	ok_has(first, part);
	ok_int((intmax_t)lines_count(), 1);
	if (tap_bad)
		fprintf(stderr, "# wanted %s; got %s", culprit, lines.bytes);
}

static inline void put(const char *file, const char *text)
{
	int to = openat(fd, file, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ok(to >= 0);
	ok_int((intmax_t)write(to, text, strlen(text)), (intmax_t)strlen(text));
	close(to);
}

static inline void flip(const char *file, off_t at)
{
	int to = openat(fd, file, O_RDWR);
	char c;

	ok_int(pread(to, &c, 1, at), 1);
	c ^= 1;
	ok_int(pwrite(to, &c, 1, at), 1);
	close(to);
}

static inline off_t size_of(const char *file)
{
	struct stat st = { 0 };

	ok_int(fstatat(fd, file, &st, AT_SYMLINK_NOFOLLOW), 0);
	return st.st_size;
}

#endif
