/* file.h -- the caller's files, read once and bounded. */
#ifndef CUPEL_SERVICE_FILE_H
#define CUPEL_SERVICE_FILE_H

#include <stddef.h>

struct buf;
struct cupel_error;

/* file_open -- path for reading: a regular file, a character device, or, by
 * the names /dev/stdin, /dev/fd/N and /proc/self/fd/N, whatever that descriptor
 * is.  A fifo by a name of its own is refused: somebody may have put it there
 * to be waited for.  Never waits; reading may.  Returns a descriptor or
 * -errno. */
int file_open(const char *path);

/* file_open_regular -- a regular file, by a name of its own: no descriptor of this
 * process is found by any name, nor a file of /proc.  For names that somebody else
 * than the caller may have written.  Neither this nor reading it waits.  Returns a
 * descriptor or -errno; -ENOSYS where openat2(2) is missing. */
int file_open_regular(const char *path);

/* file_why -- what -errno of file_open() means, in words. */
const char *file_why(int sys);

/* file_read -- append what path holds to out; see file_open().
 *
 * @option	named in messages ("--result-schema"); NULL: the caller does
 * @cap		most bytes
 * Returns 0, -EFBIG, -ENOMEM or the errno of opening or reading; cause caller
 * but for -ENOMEM. */
int file_read(const char *option, const char *path, size_t cap, struct buf *out,
	      struct cupel_error *err);

/* file_read_regular -- the same by file_open_regular(). */
int file_read_regular(const char *option, const char *path, size_t cap,
		      struct buf *out, struct cupel_error *err);

/* file_read_fd -- the same from an open descriptor; path is for messages. */
int file_read_fd(const char *option, const char *path, int fd, size_t cap,
		 struct buf *out, struct cupel_error *err);

#endif
