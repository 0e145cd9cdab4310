/* file.c -- read and replace whole files. */
#include "cli/file.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/outfile.h"
#include "service/file.h"

static int fail(struct cupel_error *err, const char *path, int sys)
{
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, sys,
			  "%.300s: %s", path, strerror(sys));
}

int file_read_all(const char *path, size_t cap_bytes, struct buf *out,
		  struct cupel_error *err)
{
	if (strcmp(path, "-") != 0)
		return file_read(NULL, path, cap_bytes, out, err);
	return file_read_fd(NULL, path, STDIN_FILENO, cap_bytes, out, err);
}

int file_can_write(const char *path, struct cupel_error *err)
{
	return outfile_can_open(path, err);
}

int file_write(const char *path, mode_t mode, const char *bytes, size_t n,
	       struct cupel_error *err)
{
	struct outfile to;
	int e = outfile_open(path, mode, &to, err);

	if (e < 0)
		return e;
	e = outfile_write(to.fd, bytes, n);
	if (e == 0)
		e = outfile_put(&to);
	outfile_done(&to);
	return e < 0 ? fail(err, path, -e) : 0;
}
