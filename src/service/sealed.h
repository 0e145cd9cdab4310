/* sealed.h -- makes memory files that go into a vessel and cannot change any
 * more. */
#ifndef CUPEL_SERVICE_SEALED_H
#define CUPEL_SERVICE_SEALED_H

#include <stdbool.h>
#include <stddef.h>

struct cupel_error;

/* sealed_new -- an empty memory file.
 *
 * @can_exec	it will be executed (if vm.memfd_noexec demands it, the file is
 *		marked so)
 * Returns the descriptor, owned by the caller, or -errno. */
int sealed_new(bool can_exec, struct cupel_error *err);

/* sealed_add -- append bytes[0..n-1].  Returns 0 or -errno. */
int sealed_add(int fd, const void *bytes, size_t n, struct cupel_error *err);

/* sealed_close_writes -- seal against every change and rewind.  The descriptor
 * stays open.  Returns 0 or -errno. */
int sealed_close_writes(int fd, struct cupel_error *err);

/* sealed_of -- the three calls in one.  Returns the descriptor or -errno. */
int sealed_of(const void *bytes, size_t n, bool can_exec,
	      struct cupel_error *err);

#endif
