/* file.h -- the caller's own files: read whole, written whole. */
#ifndef CUPEL_CLI_FILE_H
#define CUPEL_CLI_FILE_H

#include <stddef.h>
#include <sys/types.h>

struct buf;
struct cupel_error;

/* file_read_all -- append a file's bytes to out.
 *
 * @path	"-" is stdin
 * @cap_bytes	most bytes to take; a longer file is refused
 *
 * Returns 0 or -errno, *err (cause caller) naming the path. */
int file_read_all(const char *path, size_t cap_bytes, struct buf *out,
		  struct cupel_error *err);

/* file_can_write -- find out now what file_write would say later: the
 * directory exists and can be written, path is no directory and no symbolic
 * link.  Changes nothing. */
int file_can_write(const char *path, struct cupel_error *err);

/* file_write -- the file holds all n bytes or what it held before; base/outfile.h
 * says what is replaced, what is written to as it is, and what is refused.
 *
 * @mode	of a new file, less the umask
 * Returns 0 or -errno, *err naming the path. */
int file_write(const char *path, mode_t mode, const char *bytes, size_t n,
	       struct cupel_error *err);

#endif
