/* outfile.h -- the one way in which a file is opened for writing.
 *
 * Somebody else may have prepared the place where we write: the current
 * directory is often the repository whose code was run, and a shared directory
 * has other users.  So, for every file that a caller names or that we name
 * ourselves:
 *
 * - No symbolic link is followed, neither at the end of a path nor on the way
 *   to it.  The way begins at the current directory, or at / for an absolute
 *   path.  Only links of the system itself are followed: those that root
 *   owns and that are in / or in /var, where nobody unpacks anything (/tmp to
 *   /private/tmp, /var/run to /run).
 * - A file that is there already is never opened for writing: a regular file
 *   is replaced by a new one, whole, by rename(2).  So a hard link's other names,
 *   and whoever has the old file open, keep the old bytes.
 * - A fifo or a character device is written to as it is, but a fifo only when
 *   it is the caller's or root's: anybody else's is a trap.
 * - /dev/stdout, /dev/stderr, /dev/fd/N and /proc/self/fd/N are the descriptor
 *   itself, not opened again.
 * - Only a log, which grows for years, is appended to in place.
 *
 * tests/lint/calls holds that no other file opens one for writing. */
#ifndef CUPEL_BASE_OUTFILE_H
#define CUPEL_BASE_OUTFILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct cupel_error;

/* The name of a file that is not complete: this, and 16 hexadecimal digits. */
#define OUTFILE_TEMP       ".cupel-"
#define OUTFILE_TEMP_BYTES 40

/* A file being written.  Initialise with OUTFILE_NONE. */
struct outfile {
	int fd;                        /* write here; -1: none */
	int dir_fd;                    /* holds the name of a new file, or -1 */
	char name[NAME_MAX + 1];       /* the name it will have */
	char temp[OUTFILE_TEMP_BYTES]; /* the one it has; "" = none to put */
};

#define OUTFILE_NONE                                                           \
	(struct outfile)                                                       \
	{                                                                      \
		.fd = -1, .dir_fd = -1                                         \
	}

/* outfile_open_dir -- the directory that path lies in, and path's last name.
 *
 * @make	mode of directories that are missing, which are made; 0: none
 *
 * Slashes at the end of path do not count.  Returns an O_PATH descriptor,
 * owned by the caller, or -errno with *err naming the part of the path. */
int outfile_open_dir(const char *path, mode_t make, char ret_name[NAME_MAX + 1],
		     struct cupel_error *err);

/* outfile_open_folder -- the directory name below dir_fd, for reading; no link.
 *
 * @make	its mode when it is missing and then made; 0: it is not made
 * Returns a descriptor or -errno; -ELOOP: a link. */
int outfile_open_folder(int dir_fd, const char *name, mode_t make);

/* outfile_open -- a new file under a name of its own beside path, or what is at
 * path when that is written to as it is.
 *
 * @mode	of a new file, less the umask; one that replaces a file of the
 *		caller's own keeps that file's mode, as far as mode allows
 * @ret		outfile_done() ends it
 *
 * Never waits: a fifo that nobody reads is refused.  Returns 0, or -errno with
 * *err naming the path. */
int outfile_open(const char *path, mode_t mode, struct outfile *ret,
		 struct cupel_error *err);

/* outfile_open_at -- the same for a new file that will be name below dir_fd,
 * without a look at what has that name now.  Returns 0 or -errno. */
int outfile_open_at(int dir_fd, const char *name, mode_t mode,
		    struct outfile *ret);

/* outfile_can_open -- find out now whether outfile_open() would succeed later:
 * 0, or -errno with *err.  Changes nothing. */
int outfile_can_open(const char *path, struct cupel_error *err);

/* outfile_put -- give the file its name, replacing what has it.  The descriptor
 * stays open.  Returns 0 or -errno. */
int outfile_put(struct outfile *o);

/* outfile_done -- close it; without outfile_put() nothing is left of it. */
void outfile_done(struct outfile *o);

/* outfile_make -- a new file that nobody else has, name below dir_fd, for
 * writing.  For a directory of our own; elsewhere outfile_open().
 * Returns a descriptor or -errno (-EEXIST: the name is taken). */
int outfile_make(int dir_fd, const char *name, mode_t mode);

/* outfile_open_log -- name below dir_fd for reading and appending, made (0600)
 * when it is missing.  A regular file with no second name, that is the caller's
 * or belongs to whom the directory belongs to.
 *
 * @shown	the path for *err
 * Returns a descriptor or -errno with *err. */
int outfile_open_log(int dir_fd, const char *name, const char *shown,
		     struct cupel_error *err);

/* outfile_is_temp -- whether name has the form that an outfile's has before it is
 * put.  A run that was killed leaves such a file. */
bool outfile_is_temp(const char *name);

/* outfile_write -- all n bytes; waits where fd makes it.  0 or -errno. */
int outfile_write(int fd, const char *bytes, size_t n);

/* outfile_find_descriptor -- the descriptor that path is another name of
 * (/dev/stdin, /dev/stdout, /dev/stderr, /dev/fd/N, /proc/self/fd/N), or -1. */
int outfile_find_descriptor(const char *path);

#endif
