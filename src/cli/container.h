/* container.h -- a container engine's system call policy, with what it takes to
 * run cupel in that container. */
#ifndef CUPEL_CLI_CONTAINER_H
#define CUPEL_CLI_CONTAINER_H

#include <stddef.h>

struct buf;
struct cupel_error;

/* The container's architecture and kernel, for entries of the policy that hold
 * for some only. */
struct container_host {
	const char *go_arch;   /* "amd64": as Docker writes it */
	const char *scmp_arch; /* "SCMP_ARCH_X86_64" */
	unsigned kernel;       /* major << 8 | minor */
};

/* container_host_here -- this machine's. */
struct container_host container_host_here(void);

/* container_write -- the policy in json, for a container without capabilities,
 * in the form of the OCI runtime specification that every engine reads (Docker's
 * includes, excludes and archMap are evaluated), with the calls that make a
 * vessel allowed.  Pure.
 *
 * @name	named in messages
 * @out		one JSON object and a newline, on success only
 *
 * Returns 0, -EINVAL for what is no such policy (cause caller), -ENOMEM.
 * Source: OCI runtime specification, linux.seccomp; Docker's seccomp profiles,
 * "Seccomp security profiles for Docker". */
int container_write(const char *name, const char *json, size_t n,
		    const struct container_host *host, struct buf *out,
		    struct cupel_error *err);

#endif
