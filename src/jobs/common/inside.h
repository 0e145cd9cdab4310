/* inside.h -- whether a directory lies in a tree, by identity and not by name. */
#ifndef CUPEL_JOBS_COMMON_INSIDE_H
#define CUPEL_JOBS_COMMON_INSIDE_H

#include <stdbool.h>

/* inside_is_below -- whether the directory dir_fd is root_fd, or is below it.
 *
 * Walks up from dir_fd by ".." and compares device and inode, so that neither
 * links nor other names of the same directory matter.  Returns true when it
 * cannot find out, because callers want to stay outside.  System calls: fstat,
 * openat. */
bool inside_is_below(int dir_fd, int root_fd);

#endif
