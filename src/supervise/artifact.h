/* artifact.h -- copies files out of the vessel, after everything in it is dead.
 *
 * Only regular files of the one tmpfs leave it: never through a link, never a
 * device or fifo, never more than the caps.  A file that the command made is
 * hostile bytes; so is its name. */
#ifndef CUPEL_SUPERVISE_ARTIFACT_H
#define CUPEL_SUPERVISE_ARTIFACT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/blake3.h"

struct old_files;
struct plan;

#define ARTIFACT_BYTES_MAX (64ULL << 20) /* of all artifacts of a run */
#define ARTIFACT_FILES_MAX 1000
#define ARTIFACT_DEPTH_MAX 32

struct artifact {
	const char
		*path;   /* inside, absolute; hostile bytes below a directory */
	const char *dst; /* on the host; NULL when skipped */
	const char *skipped; /* why not, as a word; NULL when it was copied */
	uint64_t bytes;
	char blake3[BLAKE3_TEXT_BYTES]; /* "blake3:..." */
	dev_t dev;                      /* of the file on the host */
	ino_t ino;
};

struct artifact_list {
	struct artifact *items;
	size_t len, room;
	uint64_t bytes; /* copied so far */
	struct arena arena;
};

/* artifact_copy_all -- copy what plan->artifacts names out of the tmpfs.
 *
 * @tmpfs_fd	directory that holds scratch, tmp, shm and upper; -1: all are
 *		skipped ("no_scratch")
 * @old		files that an earlier phase left, which are skipped
 *		("earlier_phase"); may be NULL
 *
 * A PATH that is a directory stands for the regular files below it.  DST is the
 * target of the file; without one it is the base name in the current directory.
 * For a directory, the files go to DST (or the base name) and below, with the
 * same paths as in the directory.  A DST that exists as a regular file is
 * replaced atomically; one that is a link is replaced itself and not followed.
 * What this call has written is not replaced ("same_target").
 * Returns 0, or -ENOMEM; what goes wrong with a file is in its `skipped`. */
int artifact_copy_all(const struct plan *plan, int tmpfs_fd,
		      const struct old_files *old, struct artifact_list *ret);

/* artifact_open -- open one file of the tmpfs by its path inside.
 *
 * @cap		larger files are refused ("too_large")
 * @ret_why	on failure the word that `skipped` would be
 *
 * Returns a descriptor of a regular file, open for reading, or -1. */
int artifact_open(int tmpfs_fd, const char *path, uint64_t cap,
		  const char **ret_why);

/* artifact_names -- list the files below a directory of the tmpfs, which is
 * path inside: items of *ret with only their paths, sorted.  If path is not a
 * directory there, the list is empty.  Returns 0, -EACCES when it may not be
 * read, or -ENOMEM; artifact_list_done() frees it. */
int artifact_names(int tmpfs_fd, const char *path, struct artifact_list *ret);

void artifact_list_done(struct artifact_list *list);

#endif
