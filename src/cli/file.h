/* file.h -- reads and writes the caller's files, each as a whole. */
#ifndef CUPEL_CLI_FILE_H
#define CUPEL_CLI_FILE_H

#include <stddef.h>
#include <sys/types.h>

struct buf;
struct cupel_error;

/* file_read_all -- append a file's bytes to out.
 *
 * @path	"-" is stdin
 * @cap_bytes	the most bytes to read; a longer file is refused
 *
 * Returns 0 or -errno, *err (cause caller) naming the path. */
int file_read_all(const char *path, size_t cap_bytes, struct buf *out,
		  struct cupel_error *err);

/* file_can_write -- find out now whether file_write would succeed later: the
 * directory exists and can be written, and path is neither a directory nor a
 * symbolic link.  Changes nothing. */
int file_can_write(const char *path, struct cupel_error *err);

/* file_write -- write all n bytes to the file, or leave it as it was.
 * base/outfile.h says what is replaced, what is written to in place, and what
 * is refused.
 *
 * @mode	of a new file, less the umask
 * Returns 0 or -errno, *err naming the path. */
int file_write(const char *path, mode_t mode, const char *bytes, size_t n,
	       struct cupel_error *err);

#endif
