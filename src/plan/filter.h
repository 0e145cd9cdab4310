/* filter.h -- system call policy: OCI JSON in, classic BPF out.
 *
 * Pure.  Shipped profiles are compiled when cupel is built and found by name;
 * other files (OCI linux.seccomp, Docker's superset) are compiled by the same
 * code at run time and cached by the lib room.  Under every one lies the floor
 * (CONTRACT 1.3), merged in, so that one filter is loaded.
 *
 * A compiled filter answers with four actions only: ALLOW, ERRNO(n),
 * USER_NOTIF for a violation (the loader turns it into KILL_PROCESS where no
 * listener can be had), and KILL_PROCESS for a foreign ABI.
 */
#ifndef CUPEL_PLAN_FILTER_H
#define CUPEL_PLAN_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct cupel_error;
struct sock_filter; /* linux/filter.h */

struct filter {
	const char *name; /* "default", or the path it was read from */
	const struct sock_filter *insns;
	size_t len; /* instructions; at most BPF_MAXINSNS (4096) */
	const char *hash; /* "blake3:..." over the policy's canonical form */
};

/* filter_find -- a shipped filter for the running architecture, or NULL.
 *
 * Names: default, test, python-function, node-function, parser, probe, and
 * "cross": the small filter that is stacked on top when the repository is a
 * plain bind (AF_UNIX socket and connect, DGRAM socketpair, leases, flock:
 * EPERM). */
const struct filter *filter_find(const char *name);

/* filter_compile -- a policy text into a filter for arch.
 *
 * @arch	AUDIT_ARCH_* of linux/audit.h
 * @kernel	LINUX_VERSION_CODE-style number for minKernel; 0 = newest
 * @arena	owns what *ret points to
 *
 * Returns 0, or -EINVAL with the culprit named (NOTIFY, TRACE, an unknown
 * action, a value that is not what the OCI runtime spec allows). */
int filter_compile(const char *name, const char *json, size_t n, uint32_t arch,
		   uint32_t kernel, struct arena *arena, struct filter *ret,
		   struct cupel_error *err);

/* filter_run -- what the filter answers, by interpreting it as the kernel
 * does (seccomp_data).  For tests and `cupel plan`; SECCOMP_RET_* value. */
uint32_t filter_run(const struct filter *f, uint32_t arch, int nr,
		    const uint64_t args[6]);

#endif
