/* refused_tree.h -- small repositories, and reports, as files that cupel-parse is
 * given: those of tests/data/memory. */
#ifndef CUPEL_TESTS_REFUSED_TREE_H
#define CUPEL_TESTS_REFUSED_TREE_H

#include <dirent.h>

#include "base/buf.h"
#include "refused.h"

#define TREE_BYTES ((size_t)1 << 20)
#define FILES_MAX  64U

/* All bytes of a file, in place of what was in ret. */
static void whole_read(int fd, struct buf *ret)
{
	ssize_t n = 1;

	ret->len = 0;
	ok(lseek(fd, 0, SEEK_SET) == 0);
	while (n > 0) {
		char *at = buf_reserve(ret, 65536);

		n = at != NULL ? read(fd, at, 65536) : -1;
		if (n > 0)
			ret->len += (size_t)n;
	}
	ok(n == 0);
	if (ret->bytes != NULL)
		ret->bytes[ret->len] = '\0';
}

struct tree_file {
	const char *name, *bytes;
	size_t name_len, len;
	bool is_name_only;
};

static int file_order(const void *x, const void *y)
{
	const struct tree_file *a = x, *b = y;
	size_t n = a->name_len < b->name_len ? a->name_len : b->name_len;
	int c = memcmp(a->name, b->name, n);

	return c != 0 ? c
		      : (a->name_len > b->name_len) -
				(a->name_len < b->name_len);
}

static bool is_head(const char *at)
{
	return strncmp(at, "== ", 3) == 0 || strncmp(at, "=- ", 3) == 0;
}

/* A line "== NAME" begins a file, "=- NAME" is one declared by its name. */
static size_t tree_read(const char *text, struct tree_file *files)
{
	size_t len = 0;

	while (is_head(text) && len < FILES_MAX) {
		struct tree_file *f = &files[len++];
		const char *eol = strchrnul(text, '\n');

		*f = (struct tree_file){ .name = text + 3,
					 .name_len = (size_t)(eol - text) - 3,
					 .is_name_only = text[1] == '-' };
		text = f->bytes = eol + (*eol != '\0');
		while (*text != '\0' && !is_head(text)) {
			text = strchrnul(text, '\n');
			text += *text != '\0';
		}
		f->len = (size_t)(text - f->bytes);
	}
	ok(*text == '\0' && len > 0);
	return len;
}

/* A file in memory of these bytes, whose descriptor is above 4. */
static int memory_file(const struct buf *b)
{
	int fd = memfd_create("refused", MFD_CLOEXEC);
	int high = fcntl(fd, F_DUPFD_CLOEXEC, 10);

	ok(high >= 10);
	ok(b->len == 0 || write(high, b->bytes, b->len) == (ssize_t)b->len);
	(void)close(fd);
	return high;
}

/* The files as the program is given them.  Reports stay in their order. */
static void run_open(const char *probe, const char *text,
		     struct refused_run *ret)
{
	const struct buf none = { 0 };
	struct tree_file files[FILES_MAX];
	size_t len = tree_read(text, files);
	struct buf list = { 0 }, bytes = { 0 };

	if (strcmp(probe, "test_report") != 0)
		qsort(files, len, sizeof *files, file_order);
	for (size_t i = 0; i < len; i++) {
		buf_add(&list, files[i].name, files[i].name_len);
		buf_char(&list, '\0');
		if (files[i].is_name_only)
			buf_char(&list, '-');
		else
			buf_uint(&list, files[i].len);
		buf_char(&list, '\0');
		if (!files[i].is_name_only)
			buf_add(&bytes, files[i].bytes, files[i].len);
	}
	*ret = (struct refused_run){
		.argv = { (char *)"cupel-parse", (char *)probe, NULL },
		.list_fd = memory_file(&list),
		.bytes_fd = memory_file(&bytes),
		.out_fd = memory_file(&none),
		.errs_fd = memory_file(&none),
	};
	buf_done(&list);
	buf_done(&bytes);
}

static void run_close(const struct refused_run *run)
{
	(void)close(run->list_fd);
	(void)close(run->bytes_fd);
	(void)close(run->out_fd);
	(void)close(run->errs_fd);
}

static int is_tree(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

typedef void tree_fn(const char *tree, const struct refused_run *run);

/* Do it with each tree of the probe, tests/data/memory/PROBE/. */
static void trees_each(const char *probe, bool is_not_held, tree_fn *fn)
{
	const char *src = getenv("SRC");
	struct dirent **trees = NULL;
	char dir[4096], path[8192];
	int n;

	(void)snprintf(dir, sizeof dir, "%s/tests/data/memory/%s",
		       src != NULL ? src : ".", probe);
	n = scandir(dir, &trees, is_tree, alphasort);
	ok(n > 0);
	for (int i = 0; i < n; i++) {
		struct buf text = { .cap_bytes = TREE_BYTES };
		struct refused_run run;
		int fd;

		(void)snprintf(path, sizeof path, "%s/%s", dir,
			       trees[i]->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		whole_read(fd, &text);
		(void)close(fd);
		run_open(probe, text.bytes, &run);
		run.is_not_held = is_not_held;
		fn(path, &run);
		run_close(&run);
		buf_done(&text);
		free(trees[i]);
	}
	free(trees);
}

#endif
