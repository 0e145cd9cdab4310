/* fake_host.h -- a machine that is written down: plans for it are the same
 * wherever they are built. */
#ifndef CUPEL_TESTS_GOLDEN_FAKE_HOST_H
#define CUPEL_TESTS_GOLDEN_FAKE_HOST_H

#include "plan/host.h"

struct spec;

#define FAKE_REPO  "/home/ann/project"
#define FAKE_OWNER 1234

/* fake_host -- an ordinary user's machine: merged /usr, a kernel that has it
 * all, the caller's repository.  ret->ro is filled from spec: a source that
 * ends in "-file" is a file, every other a directory.  host_done() frees. */
void fake_host(const struct spec *spec, struct host *ret);

/* What a case changes. */
void fake_root(struct host *h);         /* launched by root */
void fake_repo_of_root(struct host *h); /* root, and the repository is root's */
void fake_split_usr(struct host *h);    /* /bin and /lib are directories */
void fake_runtime(struct host *h);      /* an interpreter outside /usr */
void fake_low_limits(struct host *h);   /* hard limits below what is asked */
void fake_resolver(struct host *h);     /* name servers and /etc/hosts */
void fake_cgroup(struct host *h);       /* a delegated subtree */
void fake_cache(struct host *h);        /* an empty directory for --cache */
void fake_cache_used(struct host *h);   /* one that a run has used */
void fake_scratch(struct host *h);      /* of a run without namespaces */

#endif
