/* place.c -- makes the directory of one request. */
#include "worker/place.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"

int worker_place_make(int dir_fd, const char *name)
{
	int r = folder_end(dir_fd, name, NULL, NULL);
	int fd;

	if (r < 0 && r != -ENOENT)
		return r;
	if (mkdirat(dir_fd, name, 0700) < 0)
		return -errno;
	fd = openat(dir_fd, name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}
