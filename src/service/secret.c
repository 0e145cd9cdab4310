/* secret.c -- see secret.h. */
#include "service/secret.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/hooks.h"
#include "base/outfile.h"

#define KEY_NAME "key"

/* Read the whole secret, if only the caller has access to it. */
static bool own_read(int dir_fd, uint8_t ret[BLAKE3_KEY_BYTES])
{
	int nofollow = test_wall_is_down(TEST_WALL_CACHE_KEY) ? 0 : O_NOFOLLOW;
	owned_fd int fd = openat(dir_fd, KEY_NAME,
				 O_RDONLY | O_CLOEXEC | O_NONBLOCK | nofollow);
	struct stat st;

	if (fd >= 0 && test_wall_is_down(TEST_WALL_CACHE_KEY))
		return read(fd, ret, BLAKE3_KEY_BYTES) >= 0;
	return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_uid == geteuid() && (st.st_mode & 077) == 0 &&
	       st.st_size == BLAKE3_KEY_BYTES &&
	       read(fd, ret, BLAKE3_KEY_BYTES) == BLAKE3_KEY_BYTES;
}

/* If two processes make it at once, one wins and both use its key. */
static void own_make(int dir_fd)
{
	struct outfile to = OUTFILE_NONE;
	uint8_t secret[BLAKE3_KEY_BYTES];

	if (getrandom(secret, sizeof secret, GRND_NONBLOCK) !=
		    (ssize_t)sizeof secret ||
	    outfile_open_at(dir_fd, KEY_NAME, 0600, &to) < 0)
		return;
	if (outfile_write(to.fd, (const char *)secret, sizeof secret) == 0)
		(void)linkat(dir_fd, to.temp, dir_fd, KEY_NAME, 0);
	outfile_done(&to);
}

bool secret_read(int dir_fd, uint8_t ret[BLAKE3_KEY_BYTES])
{
	if (own_read(dir_fd, ret))
		return true;
	/* this does not remove a directory of that name */
	(void)unlinkat(dir_fd, KEY_NAME, 0);
	own_make(dir_fd);
	return own_read(dir_fd, ret);
}
