/* file.h -- reads the caller's files, once and up to a cap. */
#ifndef CUPEL_SERVICE_FILE_H
#define CUPEL_SERVICE_FILE_H

#include <stddef.h>

#include "cupel.h"

struct buf;
struct cupel_error;

/* file_open -- open path for reading.  It may be a regular file, a character
 * device or, by the names /dev/stdin, /dev/fd/N and /proc/self/fd/N, whatever
 * that descriptor is.  A fifo with a name of its own is refused, because
 * somebody may have put it there to make us wait.  Never waits, but reading
 * may.  Returns a descriptor or -errno. */
int file_open(const char *path);

/* file_open_regular -- open a regular file by a name of its own.  No name leads
 * to a descriptor of this process or to a file of /proc.  For names that
 * somebody other than the caller may have written.  Neither this call nor
 * reading waits.  Returns a descriptor or -errno; -ENOSYS if openat2(2) is
 * missing. */
int file_open_regular(const char *path);

/* file_cause -- whose fault -errno from file_open() is: the caller's, who named
 * the file, unless the host had no room for one more descriptor. */
enum cupel_cause file_cause(int sys);

/* file_why -- the meaning of -errno from file_open(), in words. */
const char *file_why(int sys);

/* file_read -- append the contents of path to out; see file_open().
 *
 * @option	named in messages ("--result-schema"); NULL: the caller names it
 * @cap		most bytes
 * Returns 0, -EFBIG, -ENOMEM or the errno of opening or reading; cause caller
 * except for -ENOMEM. */
int file_read(const char *option, const char *path, size_t cap, struct buf *out,
	      struct cupel_error *err);

/* file_read_regular -- the same with file_open_regular(). */
int file_read_regular(const char *option, const char *path, size_t cap,
		      struct buf *out, struct cupel_error *err);

/* file_read_fd -- the same from an open descriptor; path is for messages. */
int file_read_fd(const char *option, const char *path, int fd, size_t cap,
		 struct buf *out, struct cupel_error *err);

#endif
