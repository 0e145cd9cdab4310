/* fd.h -- descriptors that the parent makes: pipes, memory files. */
#ifndef CUPEL_LAUNCH_FD_H
#define CUPEL_LAUNCH_FD_H

#include <stddef.h>

#include "launch/native/sys.h"

/* All return 0 or a descriptor, or -errno.  Every descriptor is CLOEXEC and at
 * least 3, so that none can be mistaken for a standard stream by init. */

/* fd_pipe -- ret[0] reads, ret[1] writes; 256 KiB where the user's quota
 * allows it.  parent_end (0 or 1) is made non-blocking. */
int fd_pipe(struct sys *k, int ret[2], int parent_end);

/* fd_raise -- move *fd to 3 or above; it is closed under its old number. */
int fd_raise(struct sys *k, int *fd);

/* fd_pair -- a SEQPACKET socket pair. */
int fd_pair(struct sys *k, int ret[2]);

/* fd_memory -- a memory file with bytes[0..n-1], positioned at 0.  An
 * executable one is asked for with a flag where vm.memfd_noexec needs that. */
int fd_memory(struct sys *k, const char *name, const void *bytes, size_t n,
	      int executable);

/* fd_fill -- write bytes[0..n-1] to the start of a file.  Returns 0 or
 * -errno. */
int fd_fill(struct sys *k, int fd, const void *bytes, size_t n);

#endif
