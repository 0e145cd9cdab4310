/* place.h -- a directory for one request. */
#ifndef CUPEL_WORKER_PLACE_H
#define CUPEL_WORKER_PLACE_H

struct cupel_error;

/* worker_place_make -- make the directory name below dir_fd, new and empty.
 * What has that name already is removed first.  Returns a descriptor or
 * -errno. */
int worker_place_make(int dir_fd, const char *name);

#endif
