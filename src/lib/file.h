/* file.h -- the caller's files, read once and bounded. */
#ifndef CUPEL_LIB_FILE_H
#define CUPEL_LIB_FILE_H

#include <stddef.h>

struct buf;
struct cupel_error;

/* file_read -- append what path holds to out.  A fifo that nobody has open for
 * writing is empty; else its end is waited for.
 *
 * @option	named in messages ("--result-schema"); NULL: the caller does
 * @cap		most bytes
 * Returns 0, -EFBIG, -ENOMEM or the errno of opening or reading; cause caller
 * but for -ENOMEM. */
int file_read(const char *option, const char *path, size_t cap, struct buf *out,
	      struct cupel_error *err);

/* file_read_fd -- the same from an open descriptor; path is for messages. */
int file_read_fd(const char *option, const char *path, int fd, size_t cap,
		 struct buf *out, struct cupel_error *err);

#endif
