/* terminal.c -- a terminal of the vessel's own, for `cupel shell`.
 *
 * The devpts instance is new, so nothing in it is known outside.  Only the end
 * that the supervisor gets connects it to the world. */
#include <asm/ioctls.h>
#include <fcntl.h>

#include "launch/native/init/init.h"

#define HOW (O_RDWR | O_NOCTTY | O_CLOEXEC)

/* Open a pair.  The command's end takes the place of its stdin, stdout and
 * stderr.  The former ones are closed with everything else of init's. */
static int pair_open(struct init *in, int tree)
{
	int locked = 0;
	long r = sys4(&in->k, SYS_openat, tree, "ptmx", HOW, 0);

	if (r < 0)
		return (int)r;
	in->terminal_fd = (int)r;
	r = sys3(&in->k, SYS_ioctl, in->terminal_fd, TIOCSPTLCK, &locked);
	if (r == 0)
		r = sys3(&in->k, SYS_ioctl, in->terminal_fd, TIOCGPTPEER, HOW);
	if (r < 0)
		return (int)r;
	for (int i = 0; i < 3; i++)
		in->im->stdio[i] = (int32_t)r;
	return 0;
}

int terminal_run(struct init *in, const struct image_step *s)
{
	owned_sys_fd int fs = fs_open(in, "devpts");
	owned_sys_fd int tree = -1;
	int r = fs;

	if (r >= 0)
		r = fs_text(in, fs, "ptmxmode", "0666");
	if (r >= 0)
		r = fs_text(in, fs, "mode", "0600");
	if (r >= 0)
		r = tree = fs_mount(in, fs, s->attr);
	if (r >= 0)
		r = mount_move(in, tree, image_text(in, s->target));
	return r >= 0 ? pair_open(in, tree) : r;
}

int terminal_take(struct init *in)
{
	long r = 0;

	if (in->im->terminal)
		r = sys3(&in->k, SYS_ioctl, 0, TIOCSCTTY, 0);
	return r < 0 ? init_fail(in, CUPEL_STAGE_EXEC, (int)-r,
				 "taking the terminal", NULL)
		     : 0;
}
