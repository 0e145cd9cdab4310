/* find.c -- finds the file of the command.
 *
 * Only with calls that the front of the policy lets pass, because the policy
 * may be loaded already. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "launch/native/init/init.h"

#define PATH_BYTES 4096
#define DIR_TAIL   "/."
static_assert(FIND_BYTES >= PATH_BYTES + sizeof DIR_TAIL,
	      "room for what executable_check() asks");

/* Check that path is executable and no directory, by one rare call that the
 * policy's front lets pass.  exec finds out the rest.  path has room for
 * DIR_TAIL. */
static long executable_check(struct init *in, char *path)
{
	size_t n = strlen(path);
	long r = sys3(&in->k, SYS_faccessat, AT_FDCWD, path, 1 /* X_OK */);

	if (r < 0)
		return r;
	memcpy(path + n, DIR_TAIL, sizeof DIR_TAIL);
	r = sys3(&in->k, SYS_faccessat, AT_FDCWD, path, 0 /* F_OK */);
	path[n] = '\0';
	return r == 0 ? -EACCES : 0;
}

/* Write dir/name to out; -ENAMETOOLONG when it does not fit. */
static int path_join(char *out, const char *dir, size_t dir_len,
		     const char *name)
{
	size_t n = strlen(name);

	if (dir_len + n + 2 > PATH_BYTES)
		return -ENAMETOOLONG;
	memcpy(out, dir, dir_len);
	out[dir_len] = '/';
	memcpy(out + dir_len + 1, name, n + 1);
	return 0;
}

long program_find(struct init *in, const char *name, char out[FIND_BYTES])
{
	const char *dir = image_text(in, in->im->path);
	long best = -ENOENT;

	if (strlen(name) >= PATH_BYTES)
		return -ENAMETOOLONG;
	if (name[0] == '\0')
		return -ENOENT;
	for (const char *c = name; *c != '\0'; c++) {
		if (*c != '/')
			continue;
		memcpy(out, name, strlen(name) + 1);
		return executable_check(in, out);
	}
	while (dir != NULL && *dir != '\0') {
		size_t n = 0;
		long r;

		while (dir[n] != '\0' && dir[n] != ':')
			n++;
		r = path_join(out, dir, n, name);
		if (r == 0)
			r = executable_check(in, out);
		if (r == 0)
			return 0;
		if (r == -EACCES)
			best = r;
		dir += n + (dir[n] == ':');
	}
	return best;
}
