/* scratch.c -- without a mount namespace the scratch is a directory of the
 * host, made for this run alone and removed at its end. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "launch/native/init/init.h"

#define ENTRIES_BYTES 4096
#define DIR_FLAGS     (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define REPLACE_NOT   1U /* RENAME_NOREPLACE */

struct entry { /* getdents64(2) */
	uint64_t ino;
	int64_t off;
	uint16_t len;
	uint8_t type;
	char name[];
};

int scratch_make(struct init *in)
{
	const char *path = image_text(in, in->im->scratch);
	long r;

	if (path == NULL)
		return 0;
	r = sys3(&in->k, SYS_mkdirat, AT_FDCWD, path, 0700);
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_MOUNT, (int)-r,
				 "making a scratch directory", path);
	in->has_scratch = true;
	return 0;
}

static bool is_dots(const char *name)
{
	return name[0] == '.' &&
	       (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

/* The command may have made a directory that nobody can enter.  Its mode is
 * changed by the descriptor: by name, a link put in its place could lead to a
 * file of the user's that the command may not touch. */
static int dir_open(int dir, const char *name)
{
	char path[FD_PATH_BYTES];
	owned_sys_fd int at = (int)sys_raw(
		SYS_openat, dir, sys_arg(name),
		O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0, 0, 0);

	if (at < 0)
		return at;
	fd_path(path, at, NULL);
	(void)sys_raw(SYS_fchmodat, AT_FDCWD, sys_arg(path), 0700, 0, 0, 0);
	return (int)sys_raw(SYS_openat, at, sys_arg("."), DIR_FLAGS, 0, 0, 0);
}

/* Move directory name of dir into top under a fresh name, so that we never go
 * as deep as the command did. */
static bool dir_raise(int dir, const char *name, int top, uint32_t *serial)
{
	for (int tries = 0; tries < 64; tries++) {
		char fresh[16] = "cupel-";
		uint32_t n = (*serial)++;
		long r;

		for (int i = 0; i < 8; i++)
			fresh[6 + i] = "0123456789abcdef"[n >> 4 * i & 15];
		r = sys_raw(SYS_renameat2, dir, sys_arg(name), top,
			    sys_arg(fresh), REPLACE_NOT, 0);
		if (r != -EEXIST)
			return r == 0;
	}
	return false;
}

/* One pass over dir: files are removed, directories too if they are empty;
 * others move into top.  Returns whether anything was done. */
static bool dir_pass(int dir, int top, uint32_t *serial)
{
	_Alignas(8) char entries[ENTRIES_BYTES];
	bool done = false;
	long n;

	(void)sys_raw(SYS_lseek, dir, 0, 0 /* SEEK_SET */, 0, 0, 0);
	while ((n = sys_raw(SYS_getdents64, dir, sys_arg(entries),
			    sizeof entries, 0, 0, 0)) > 0) {
		for (long at = 0; at < n;) {
			struct entry *e = (struct entry *)(entries + at);

			at += e->len;
			if (is_dots(e->name))
				continue;
			done |= sys_raw(SYS_unlinkat, dir, sys_arg(e->name), 0,
					0, 0, 0) == 0 ||
				sys_raw(SYS_unlinkat, dir, sys_arg(e->name),
					AT_REMOVEDIR, 0, 0, 0) == 0;
			if (dir != top) {
				sys_close(dir_open(dir, e->name));
				done |= dir_raise(dir, e->name, top, serial);
				continue;
			}
			owned_sys_fd int below = dir_open(dir, e->name);
			if (below >= 0)
				done |= dir_pass(below, top, serial);
		}
	}
	return done;
}

/* No process of the command lives any more.  A failure here leaves files, and
 * there is nobody to tell: the supervisor looks whether the name is gone. */
void scratch_remove(struct init *in)
{
	owned_sys_fd int top = -1;
	uint32_t serial = 0;
	const char *path;

	if (!in->has_scratch)
		return;
	path = image_text(in, in->im->scratch);
	top = dir_open(AT_FDCWD, path);
	while (top >= 0 && dir_pass(top, top, &serial))
		;
	(void)sys_raw(SYS_unlinkat, AT_FDCWD, sys_arg(path), AT_REMOVEDIR, 0, 0,
		      0);
}
