/* host_path.h -- the parts of host_read that look at paths and ids. */
#ifndef CUPEL_PLAN_HOST_PATH_H
#define CUPEL_PLAN_HOST_PATH_H

#include <sys/stat.h>
#include <sys/types.h>

#include "plan/host.h"

struct cupel_error;
struct spec;

/* host_kind_of -- what a file of that mode is to a plan; fifos and sockets are
 * absent. */
enum host_kind host_kind_of(mode_t mode);

/* host_source_fill -- fill *ret from a real path and its stat. */
int host_source_fill(struct host *h, const char *real, const struct stat *st,
		     struct host_source *ret);

/* host_link_resolve -- resolve a link below dir: its target becomes the real
 * path.  When that is not below /usr, the entry becomes the file or directory
 * itself (entry->target keeps the path).  Returns 0 or -ENOMEM. */
int host_link_resolve(struct host *h, const char *dir, struct host_entry *e);

/* host_source_read -- read path as a source: its real path, which is looked at
 * and not followed again.
 *
 * @option	names the option in messages */
int host_source_read(struct host *h, const char *option, const char *path,
		     struct host_source *ret, struct cupel_error *err);

/* host_ids_read -- fill is_root and is_host_root.  --host-uid must name ids
 * that root can take here. */
int host_ids_read(struct host *h, const struct spec *spec,
		  struct cupel_error *err);

/* host_repo_read, host_ro_read, host_runtime_read -- fill repo, ro, runtime.
 * An interpreter's prefix is found from the caller's PATH or --runtime, never
 * from the repository (cupel-run(1), "THE RUNTIME"). */
int host_repo_read(struct host *h, const struct spec *spec,
		   struct cupel_error *err);
int host_ro_read(struct host *h, const struct spec *spec,
		 struct cupel_error *err);
int host_runtime_read(struct host *h, const struct spec *spec,
		      struct cupel_error *err);

/* host_cache_read -- open the directory of --cache, check that it is one, and
 * hold the tree in it that is shown.  Call it after host_repo_read.
 * host_cache_close -- let go of both. */
int host_cache_read(struct host *h, const struct spec *spec,
		    struct cupel_error *err);
void host_cache_close(struct host *h);

#endif
