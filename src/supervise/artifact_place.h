/* artifact_place.h -- finds what the command calls a path in the dead vessel's
 * tmpfs, and reads its directories. */
#ifndef CUPEL_SUPERVISE_ARTIFACT_PLACE_H
#define CUPEL_SUPERVISE_ARTIFACT_PLACE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

#define PLACE_NAME_BYTES 256

/* place_open_dir -- open a directory, not through a link, for openat(2) only.
 * Returns a descriptor, or -1 with errno. */
int place_open_dir(int dir_fd, const char *name);

/* place_is_known -- whether path lies in a directory of the tmpfs. */
bool place_is_known(const char *path);

/* place_open -- descend to the directory that holds the last component of path,
 * component by component and through no link.
 *
 * @tmpfs_fd	the directory that holds scratch, tmp, shm and upper
 * @path	absolute, as inside
 * @ret_name	the last component, "." when path is one of those directories
 *
 * Returns a descriptor, or -errno: -EXDEV when path lies elsewhere, -ELOOP,
 * -ENOTDIR or -EINVAL when a component is no directory, as openat(2) else. */
int place_open(int tmpfs_fd, const char *path, char ret_name[PLACE_NAME_BYTES]);

/* place_read_names -- the names in a directory, sorted.
 *
 * @ret		in the arena; the array itself is for free(3), also after an
 *		error
 * Returns 0, 1 when there are more than the 65536 in *ret, or -errno. */
int place_read_names(int dir_fd, struct arena *arena, char ***ret,
		     size_t *ret_len);

#endif
