/* host.h -- what a plan needs to know about this machine and this caller.
 *
 * host*.c are the only files of the plan room that look at the machine; the
 * plan itself is a pure function of struct spec and struct host.
 */
#ifndef CUPEL_PLAN_HOST_H
#define CUPEL_PLAN_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/arena.h"
#include "plan/cgroup.h"
#include "plan/host_egress.h"
#include "plan/program.h"

struct cupel_error;
struct spec;

enum host_kind { HOST_ABSENT, HOST_DIR, HOST_FILE, HOST_LINK, HOST_DEVICE };

/* A directory or file that will be visible inside. */
struct host_source {
	const char *path; /* real, absolute */
	const char *dst;  /* inside, absolute; NULL where plan decides */
	enum host_kind kind;
	uid_t uid;
	gid_t gid;
	mode_t mode;
	uint64_t dev, ino;
	/* For a single file: only this name of the directory path is shown (dev
	 * and ino are the directory's); NULL otherwise. */
	const char *leaf;
	uint64_t leaf_dev, leaf_ino;
};

/* One name on the host, looked at without following a link at the end. */
struct host_entry {
	const char *name; /* "lib64", "ssl/certs": below / or below /etc */
	enum host_kind kind;
	const char *target;        /* of a HOST_LINK */
	struct host_source source; /* of a HOST_DIR or HOST_FILE */
};

/* The directory of --cache (plan/cache.h), open as long as the struct lives. */
struct host_cache {
	const char *dir; /* real, absolute; NULL: none was asked for */
	int dir_fd;      /* valid with dir */
	bool has_tree;   /* an earlier run left something */
	int tree_fd; /* valid with has_tree; locked, so that nobody removes it */
	struct host_source tree;
};

#define HOST_ROOT_ENTRIES_MAX 16
#define HOST_ETC_ENTRIES_MAX  64
#define HOST_SCRATCH_DIGITS   32 /* random ones, at the end of its name */

struct host {
	uid_t uid; /* effective */
	gid_t gid;
	bool is_root;       /* uid 0 with CAP_SETUID, SETGID, SYS_ADMIN, where
			      * the ids up to 65534 exist too: it can become
			      * another */
	bool is_host_root;  /* its uid 0 is the machine's */
	unsigned groups;    /* supplementary groups, without the own gid */
	uint32_t kernel;    /* as LINUX_VERSION_CODE: 6.18.0 = 0x061200 */
	uint32_t arch;      /* AUDIT_ARCH_* */
	int landlock_abi;   /* 0 = none */
	bool has_core_pipe; /* core_pattern starts with '|' */
	struct host_cgroup cgroup;
	struct rlimit rlimits[RLIM_NLIMITS]; /* the caller's own */

	struct host_entry root[HOST_ROOT_ENTRIES_MAX]; /* usr bin sbin lib... */
	size_t root_len;
	struct host_entry etc[HOST_ETC_ENTRIES_MAX];
	size_t etc_len;
	bool has_repo;
	struct host_source repo;
	struct host_source *ro; /* one for each spec.ro, dst filled */
	size_t ro_len;
	struct host_source *runtime; /* prefixes outside /usr, dst = path */
	size_t runtime_len;
	struct program programs[PROGRAMS_MAX]; /* the command's, then of each
						* its interpreter */
	size_t programs_len;
	struct host_cache cache;
	const char *path;      /* PATH inside; NULL: the usual one */
	const char **pass_env; /* "K=V" of spec.pass_env that are set */
	size_t pass_env_len;
	/* Where a run without a mount namespace gets its scratch: a name that
	 * does not exist yet; NULL when the run cannot become one. */
	const char *scratch;
	struct host_egress egress; /* looked at with --network scoped */
	bool is_bounded;     /* the capability bounding set is empty: looked at
			      * where such a run is in reach */
	bool has_own_cgroup; /* the user may kill or freeze all that is in our
			      * cgroup, by its files: likewise */
	struct arena arena;
};

/* host_read -- look at the machine, change nothing.
 *
 * @spec	which sources to look at
 * @ret		zeroed by the caller; host_done() frees it, on failure too
 * Returns 0, or -errno with the path or option named. */
int host_read(const struct spec *spec, struct host *ret,
	      struct cupel_error *err);

/* host_cgroup_read -- find out only which cgroup could be had; host_read does
 * that unless it was done before.  Without cgroup v2 it costs one system call.
 * Returns 0 or -ENOMEM. */
int host_cgroup_read(struct host *h);

/* host_bus_read -- find the socket of the bus at which this user (for root: the
 * system's bus) can ask systemd for a scope: where there is cgroup v2 and
 * systemd runs.
 *
 * @ret		room bytes; the path
 * Returns whether there is one. */
bool host_bus_read(char *ret, size_t room);

void host_done(struct host *h);

#endif
