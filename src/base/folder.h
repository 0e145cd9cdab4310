/* folder.h -- whether a directory is empty, and its removal with all that is in
 * it.
 *
 * What is in it may be hostile: everything is reached by descriptors, and no
 * link is followed. */
#ifndef CUPEL_BASE_FOLDER_H
#define CUPEL_BASE_FOLDER_H

#include <stdbool.h>

/* How deep directories may be nested to be removed: deeper than any tree of ours.
 * Each has a descriptor open meanwhile. */
#define FOLDER_DEPTH_MAX 128

/* folder_has_names -- 1 when there is something in the directory, 0 when not,
 * or -errno. */
int folder_has_names(int fd);

/* folder_end -- remove the directory name below dir_fd and everything in it.
 *
 * @is_over	asked before each name: whether to stop; NULL: never
 * Returns 0, -ECANCELED when it was to stop, or -errno; then a part may be
 * left. */
int folder_end(int dir_fd, const char *name, bool (*is_over)(const void *data),
	       const void *data);

#endif
