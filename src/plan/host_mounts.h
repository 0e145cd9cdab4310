/* host_mounts.h -- finds what is mounted inside a directory of the host. */
#ifndef CUPEL_PLAN_HOST_MOUNTS_H
#define CUPEL_PLAN_HOST_MOUNTS_H

#include <limits.h>
#include <stdbool.h>

/* host_mounts_find -- find a mount below dir, a real path; the mount of dir itself
 * is none.
 *
 * @list	"/proc/self/mountinfo", or a file of the same form
 * @ret		its path, PATH_MAX bytes
 *
 * Returns whether there is one.  A list that cannot be read has none.  Source:
 * proc_pid_mountinfo(5). */
bool host_mounts_find(const char *list, const char *dir, char ret[PATH_MAX]);

#endif
