/* idmap.h -- user namespaces: maps for init, and ones for idmapped mounts. */
#ifndef CUPEL_LAUNCH_IDMAP_H
#define CUPEL_LAUNCH_IDMAP_H

#include <sys/types.h>

#include "launch/native/sys.h"

struct idmap {
	uid_t from_uid, to_uid;
	gid_t from_gid, to_gid;
};

/* idmap_write -- give the user namespace of process pid the maps "from is to",
 * one id each, and make the process the first that the host's OOM killer takes.
 *
 * @deny_groups	write "deny" to setgroups, as an ordinary user must
 * Returns 0 or -errno. */
int idmap_write(struct sys *k, pid_t pid, const struct idmap *map,
		int deny_groups);

/* idmap_open -- a user namespace with that map, for MOUNT_ATTR_IDMAP: ids
 * `from` on the file system show as `to`.  Returns 0 with *ret_fd owned by the
 * caller, or -errno; in both cases no process is left. */
int idmap_open(struct sys *k, const struct idmap *map, int *ret_fd);

#endif
