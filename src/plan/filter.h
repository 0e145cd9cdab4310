/* filter.h -- system call policy: OCI JSON in, classic BPF out.
 *
 * Pure.  Shipped profiles are compiled when cupel is built and found by name;
 * other files (OCI linux.seccomp, Docker's superset) are compiled by the same
 * code at run time and cached by the lib room.  The floor (cupel-seccomp(5),
 * "THE FLOOR") is merged into every one, so that one filter is loaded.
 *
 * A compiled filter gives only four answers: ALLOW, ERRNO(n), USER_NOTIF for a
 * violation (the loader turns it into KILL_PROCESS where no listener can be
 * had), and KILL_PROCESS for a foreign architecture (an int $0x80: its numbers
 * mean other calls, and a kernel without that ABI ends the process too).  x32
 * numbers get ENOSYS, as from a kernel without x32.
 *
 * If several entries for one call match, the most severe one counts: violation,
 * then errno, then allow.  All args of an entry must match; where two of them
 * name the same argument, each counts as an entry of its own, as in runc.  One
 * key is our own: "otherwiseErrnoRet" beside "args" is the errno of that call
 * when no entry for it matches (other programs ignore it and use the default).
 */
#ifndef CUPEL_PLAN_FILTER_H
#define CUPEL_PLAN_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

struct cupel_error;
struct sock_filter; /* linux/filter.h */

/* The kernel takes 4096; there must be room for what launch puts in front. */
#define FILTER_INSNS_MAX 4078

struct filter {
	const char *name; /* "default", or the path it was read from */
	const struct sock_filter *insns;
	size_t len;       /* at most FILTER_INSNS_MAX instructions */
	const char *hash; /* "blake3:..." over the policy's canonical form */
	/* lines about what means nothing in a file: names that are no system
	 * call, keys that nobody reads */
	const char *const *warnings;
	size_t warnings_len;
};

/* filter_find -- a shipped filter for the running architecture, or NULL.
 *
 * Names: default, test, python-function, node-function, parser, probe, and
 * "cross": the small filter that is stacked on top when the repository is a
 * plain bind (AF_UNIX socket and connect, DGRAM socketpair, leases, flock:
 * EPERM); "offline", stacked where there is no network namespace (no AF_INET,
 * AF_INET6, AF_NETLINK: EPERM); and "lesser", stacked where there is no mount
 * namespace (no change of modes, owners, times: EPERM). */
const struct filter *filter_find(const char *name);

/* filter_is_half -- whether name is one of those that are only stacked: it has
 * no floor, so no caller may choose it. */
static inline bool filter_is_half(const char *name)
{
	return strcmp(name, "cross") == 0 || strcmp(name, "offline") == 0 ||
	       strcmp(name, "lesser") == 0;
}

/* What to compile, and for what. */
struct filter_source {
	const char *name; /* of the result, and in messages */
	const char *json; /* n bytes */
	size_t n;
	uint32_t arch; /* AUDIT_ARCH_* of linux/audit.h */
	/* for minKernel: LINUX_VERSION_CODE style; 0 = newest */
	uint32_t kernel;
	/* it is stacked on a filter that has the floor, so it has none: an
	 * errno of its own would hide violations that the floor's filter
	 * reports */
	bool is_stacked;
};

/* filter_compile -- compile the text of a policy into a filter.
 *
 * @arena	owns what *ret points to
 *
 * Returns 0; -EINVAL with the culprit named by its JSON path (NOTIFY, TRACE,
 * an unknown action, a value that is not what the OCI runtime specification
 * allows, more code than the kernel takes); -ENOMEM. */
int filter_compile(const struct filter_source *source, struct arena *arena,
		   struct filter *ret, struct cupel_error *err);

/* filter_run -- what the filter answers, found by interpreting it as the kernel
 * does (seccomp_data).  For tests and `cupel plan`; a SECCOMP_RET_* value. */
uint32_t filter_run(const struct filter *f, uint32_t arch, int nr,
		    const uint64_t args[6]);

/* filter_version -- a text that changes whenever the floor changes, or what the
 * compiler makes of the shipped files.  For keys of caches. */
const char *filter_version(void);

/* filter_name -- the system call's name, for violation reports; NULL when arch
 * has no such call, or cupel does not run on it. */
const char *filter_name(int nr, uint32_t arch);

#endif
