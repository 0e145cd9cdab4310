/* golden.c -- see golden.h. */
#include "golden/golden.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "boundary/json.h"
#include "golden/json_diff.h"

static struct buf asked; /* a line for each file */

static FILE *golden_open(const char *name, const char *mode)
{
	const char *src = getenv("SRC");
	char path[4096];
	FILE *f;

	(void)snprintf(path, sizeof path, "%s/tests/golden/%s",
		       src != NULL ? src : ".", name);
	f = fopen(path, mode);
	if (f == NULL)
		fprintf(stderr, "# %s: %s\n", path, strerror(errno));
	return f;
}

bool golden_read(const char *name, struct buf *out)
{
	char bytes[4096];
	size_t n;
	FILE *f = golden_open(name, "re");

	if (f == NULL)
		return false;
	while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
		buf_add(out, bytes, n);
	(void)fclose(f);
	return true;
}

static bool golden_write(const char *name, const struct buf *got)
{
	FILE *f = golden_open(name, "we");
	bool is_written =
		f != NULL && fwrite(got->bytes, 1, got->len, f) == got->len;

	return f != NULL && fclose(f) == 0 && is_written;
}

static void difference_show(const char *name, const struct buf *want,
			    const struct buf *got)
{
	struct buf lines = { 0 };

	lines_diff_write(want->len > 0 ? want->bytes : "", got->bytes, &lines);
	fprintf(stderr, "# %s has -, but now it is +:\n%s", name,
		lines.len > 0 ? lines.bytes : "# (what follows the lines)\n");
	buf_done(&lines);
}

bool golden_is(const char *name, const struct buf *got)
{
	struct buf want = { 0 };
	bool is_same;

	buf_format(&asked, "\n%s\n", name);
	if (got->len == 0) {
		fprintf(stderr, "# nothing was made for %s\n", name);
		return false;
	}
	if (getenv("UPDATE_GOLDEN") != NULL && !golden_write(name, got))
		return false;
	if (!golden_read(name, &want))
		return false;
	is_same = want.len == got->len &&
		  memcmp(want.bytes, got->bytes, got->len) == 0;
	if (!is_same)
		difference_show(name, &want, got);
	buf_done(&want);
	return is_same;
}

static bool value_read(struct arena *arena, const struct buf *text,
		       struct json_value *ret)
{
	struct json_error err;

	if (text->len > 0 &&
	    json_parse(text->bytes, text->len, NULL, arena, ret, &err) == 0)
		return true;
	fprintf(stderr, "# not JSON: %.200s\n", text->len ? text->bytes : "");
	return false;
}

bool golden_is_diff(const char *name, const struct buf *base,
		    const struct buf *got)
{
	struct arena arena = { 0 };
	struct json_value from, to;
	struct buf diff = { 0 };
	bool is_same = false;

	if (value_read(&arena, base, &from) && value_read(&arena, got, &to)) {
		json_diff_write(&from, &to, &diff);
		if (diff.len == 0)
			fprintf(stderr, "# %s: does not differ from the base\n",
				name);
		is_same = golden_is(name, &diff);
	}
	buf_done(&diff);
	arena_done(&arena);
	return is_same;
}

static bool is_asked(const char *folder, const char *name)
{
	char line[4096];

	(void)snprintf(line, sizeof line, "\n%s/%s\n", folder, name);
	return asked.len > 0 && strstr(asked.bytes, line) != NULL;
}

bool golden_is_all(const char *folder)
{
	const char *src = getenv("SRC");
	const struct dirent *e;
	char path[4096];
	bool is_all = true;
	DIR *dir;

	(void)snprintf(path, sizeof path, "%s/tests/golden/%s",
		       src != NULL ? src : ".", folder);
	dir = opendir(path);
	while (dir != NULL && (e = readdir(dir)) != NULL) {
		if (e->d_name[0] == '.' || is_asked(folder, e->d_name))
			continue;
		fprintf(stderr, "# %s/%s: nothing is held to it\n", folder,
			e->d_name);
		is_all = false;
	}
	if (dir != NULL)
		(void)closedir(dir);
	return dir != NULL && is_all;
}
