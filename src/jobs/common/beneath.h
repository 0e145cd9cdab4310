/* beneath.h -- opening what a repository names, without leaving it.
 *
 * Room: jobs/common.  A job turns a request into runs and their results into
 * records; here is what jobs of all kinds share.
 *
 * Must:     treat every byte of a repository and of a vessel as hostile
 *           start vessels through service/vessel.h only
 * Must not: parse what a repository holds (a parser inside does); know of a
 *           probe, a gather or a flag
 *           touch launch or supervise; print; exit
 */
#ifndef CUPEL_JOBS_COMMON_BENEATH_H
#define CUPEL_JOBS_COMMON_BENEATH_H

#include <sys/types.h>

/* Why a name was passed over; beneath_name() has the words of the records. */
enum beneath {
	BENEATH_OK,
	BENEATH_SYMLINK,
	BENEATH_OTHER_FS,
	BENEATH_FIFO,
	BENEATH_SOCKET,
	BENEATH_DEVICE,
	BENEATH_DIRECTORY,
	BENEATH_UNREADABLE,
	BENEATH_VANISHED,
	BENEATH_FAILED,
	BENEATH_MAX_
};

/* beneath_open_root -- the directory itself, which the caller named: links in
 * its own path are followed.  O_PATH.  Returns the descriptor or -errno. */
int beneath_open_root(const char *path);

/* beneath_open_dir -- a directory below root ("" is root), for reading.
 * Returns BENEATH_OK with *ret_fd owned by the caller, or why not. */
enum beneath beneath_open_dir(int root_fd, const char *path, int *ret_fd);

/* beneath_open_file -- a regular file below root, for reading.  It is looked
 * at before it is opened, so that no device and no fifo is; one that is put in
 * its place in between is opened without waiting, found out and closed again.
 *
 * No symbolic link, no magic link, no other mount on the way, nothing above
 * root.  System calls: openat2, or where that is not available one openat for
 * each segment; fstat. */
enum beneath beneath_open_file(int root_fd, const char *path, int *ret_fd,
			       off_t *ret_size);

/* beneath_name -- "symlink", "fifo", ... */
const char *beneath_name(enum beneath b);

#endif
