/* scratch.h -- the directory of this process, and those that others left. */
#ifndef CUPEL_WORKER_SCRATCH_H
#define CUPEL_WORKER_SCRATCH_H

struct cupel_error;

#define WORKER_SCRATCH_BYTES 4096

/* worker_scratch_make -- make a directory for this process alone below dir,
 * which is locked as long as it is open.  The directories that killed workers
 * left there are removed.
 *
 * @ret_path	absolute
 * Returns a descriptor or -errno with *err. */
int worker_scratch_make(const char *dir, char ret_path[WORKER_SCRATCH_BYTES],
			struct cupel_error *err);

/* worker_scratch_remove -- remove it with all that is in it; dir as given
 * before. */
void worker_scratch_remove(const char *dir, const char *path);

#endif
