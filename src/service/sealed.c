/* sealed.c -- see sealed.h. */
#include "service/sealed.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U /* Linux 6.3 */
#endif
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

static int fail(struct cupel_error *err, const char *what)
{
	int sys = errno;

	return cupel_fail(err, CUPEL_STAGE_JOB, cupel_cause_of(sys), sys,
			  "a memory file for the vessel: %s: errno %d", what,
			  sys);
}

/* A caller may have closed its own 0, 1 or 2, but what a vessel is given must
 * not have such a number. */
static int number_raise(int fd, struct cupel_error *err)
{
	owned_fd int low = fd;
	int high;

	if (fd > 2)
		return take_fd(&low);
	high = fcntl(low, F_DUPFD_CLOEXEC, 3);
	return high < 0 ? fail(err, "F_DUPFD_CLOEXEC") : high;
}

int sealed_new(bool can_exec, struct cupel_error *err)
{
	unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
	int fd = memfd_create("cupel",
			      flags | (can_exec ? MFD_EXEC : MFD_NOEXEC_SEAL));

	if (fd < 0 && errno == EINVAL) /* before Linux 6.3 */
		fd = memfd_create("cupel", flags);
	if (fd < 0 && can_exec && errno == EACCES)
		return fail(err, "this system forbids programs in memory files "
				 "(vm.memfd_noexec is 2); to allow them: sudo "
				 "sysctl vm.memfd_noexec=1");
	return fd < 0 ? fail(err, "memfd_create") : number_raise(fd, err);
}

int sealed_add(int fd, const void *bytes, size_t n, struct cupel_error *err)
{
	const char *at = bytes;

	while (n > 0) {
		ssize_t done = write(fd, at, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return fail(err, "write");
		at += done;
		n -= (size_t)done;
	}
	return 0;
}

int sealed_close_writes(int fd, struct cupel_error *err)
{
	if (fcntl(fd, F_ADD_SEALS,
		  F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) < 0)
		return fail(err, "F_ADD_SEALS");
	if (lseek(fd, 0, SEEK_SET) < 0)
		return fail(err, "lseek");
	return 0;
}

int sealed_of(const void *bytes, size_t n, bool can_exec,
	      struct cupel_error *err)
{
	owned_fd int fd = sealed_new(can_exec, err);
	int e;

	if (fd < 0)
		return take_fd(&fd);
	e = sealed_add(fd, bytes, n, err);
	if (e == 0)
		e = sealed_close_writes(fd, err);
	return e < 0 ? e : take_fd(&fd);
}
