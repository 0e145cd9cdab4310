/* plan.h -- everything that a run will do, as decided, in plain data.
 *
 * Room: plan.
 *
 * Must:     decide everything here: every mount, id, limit, filter, variable
 *           give the same plan for the same spec and host
 * Must not: change anything on the machine; look at it outside host.c
 */
#ifndef CUPEL_PLAN_PLAN_H
#define CUPEL_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/hooks.h"
#include "plan/cgroup.h"
#include "plan/egress.h"
#include "plan/filter.h"
#include "plan/program.h"
#include "plan/trace.h"
#include "plan/wall.h"
#include "spec/report.h"
#include "spec/spec.h"

struct cupel_error;
struct host;
struct buf;

/* All namespaces that a vessel has of its own.  Needs linux/sched.h. */
#define PLAN_NAMESPACES                                                        \
	(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET |           \
	 CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)
#define PLAN_UID_INSIDE 1000
#define PLAN_GID_INSIDE 1000
#define PLAN_RESULT_FD  3 /* CUPEL_RESULT_FD */
#define PLAN_INPUT_FD   4 /* first of the sealed inputs of a job */

/* What init does to build the root, in order.  Targets are relative to the new
 * root, which lies in a tmpfs of ours; no ".." and no link on the way. */
enum step_kind {
	STEP_DIR,     /* mkdir target, mode */
	STEP_FILE,    /* create target with content */
	STEP_LINK,    /* symlink: target -> text */
	STEP_BIND,    /* sources[source] at target, attr set recursively */
	STEP_OVERLAY, /* sources[source] through an overlay at target */
	STEP_EXPOSE,  /* directory text of the one tmpfs at target */
	STEP_DEVICE,  /* host device text (checked: major, minor) at target */
	STEP_PROC,    /* a proc of the new PID namespace at target */
	STEP_COVER,   /* an empty file or directory over target, if it exists */
	STEP_TERMINAL, /* a devpts of its own at target, one terminal open */
	STEP_MAX_
};

struct plan_step {
	enum step_kind kind;
	const char *target;
	const char *text;    /* LINK, EXPOSE, DEVICE; OVERLAY: the directory of
			      * the tmpfs that takes the writes, if it is not
			      * "upper"; else NULL */
	const char *content; /* FILE; NULL: it is only there to be mounted on */
	size_t content_len;
	unsigned source;               /* BIND, OVERLAY: index into sources */
	uint32_t mode;                 /* DIR, FILE */
	uint64_t attr;                 /* MOUNT_ATTR_* to set */
	uint32_t dev_major, dev_minor; /* DEVICE */
	bool writable;   /* OVERLAY: with upper and work in the tmpfs */
	bool is_dir;     /* BIND, COVER: the target is a directory */
	bool subset_pid; /* PROC */
	enum wall wall;  /* that this step raises, or WALL_MAX_ */
};

/* A host path that launch opens before the namespaces exist. */
struct plan_source {
	const char *path;  /* real, absolute */
	uint64_t dev, ino; /* as host.c saw it: must still be the same */
	bool is_dir;
	bool is_runtime;  /* the host's own: only root can put another there */
	bool needs_idmap; /* root only: the owner is not the vessel's kuid */
	/* A single file of that directory: the rest of it stays hidden. */
	const char *leaf;
	uint64_t leaf_dev, leaf_ino;
	uid_t uid; /* its owner, mapped to ids.host_uid */
	gid_t gid;
};

struct plan_ids {
	uid_t host_uid; /* what the kernel sees; never 0 */
	gid_t host_gid;
	bool by_root;         /* the launcher writes the maps with privilege */
	unsigned kept_groups; /* supplementary groups that stay */
};

struct plan_limit {
	int resource; /* RLIMIT_* */
	uint64_t soft, hard;
	enum wall wall; /* or WALL_MAX_ */
};

struct plan_rule {         /* Landlock: access to path and all below */
	const char *path;  /* inside, absolute */
	uint64_t access;   /* LANDLOCK_ACCESS_FS_* */
	uint64_t dev, ino; /* as host.c saw it; 0 = not a source */
};

struct plan_landlock {
	bool wanted;
	uint64_t handled_fs, handled_net, scoped;
	struct plan_rule *rules;
	size_t rules_len;
};

struct plan_watch { /* what the supervisor enforces */
	uint64_t wall_ms, cpu_ms, kill_after_ms; /* SPEC_UNLIMITED = none */
	uint64_t mem_bytes;                      /* tree; SPEC_UNLIMITED */
	uint64_t interval_ms;                    /* of the memory watchdog */
	uint64_t output_bytes;                   /* a stream */
	enum spec_output_mode output_mode;
	uint64_t result_bytes;
	bool result_on_stdout;
	bool cpu_hard;
};

struct plan_cache {
	const char *dir;  /* on the host; NULL: none */
	const char *tree; /* what is shown of it, a path; NULL: nothing yet */
	uint64_t bytes;   /* the most that may be kept */
};

#define PLAN_NO_SOURCE  UINT32_MAX  /* an OVERLAY over nothing */
#define PLAN_CACHE_DIR  "cache"     /* of the one tmpfs: its writes */
#define PLAN_CACHE_WORK "cachework" /* of the one tmpfs: overlayfs's own */

struct plan_artifact {
	const char *path; /* inside, absolute */
	const char *dst;  /* on the host */
};

struct plan {
	enum spec_backend backend; /* never BACKEND_AUTO */
	uint64_t clone_flags;      /* CLONE_NEW*, those of the row */
	struct plan_ids ids;
	const char *hostname;
	bool loopback; /* bring lo up; also with egress */
	bool inotify;  /* the policy may let the command have an instance */
	struct egress_plan egress;
	struct trace_plan trace;
	struct trace_plan trace_asked; /* more where the backend has none */
	bool core_scheduling;          /* no others run on the command's core */
	bool terminal; /* stdin, stdout and stderr are STEP_TERMINAL's */
	uint64_t tmpfs_bytes, tmpfs_inodes;     /* of the one tmpfs */
	uint64_t scratch_bytes, scratch_inodes; /* asked for; in those */
	/* Without a mount namespace: a directory of the host that init makes
	 * and removes; NULL otherwise. */
	const char *scratch;

	struct plan_source *sources;
	size_t sources_len;
	struct plan_step *steps;
	size_t steps_len;
	struct plan_limit *limits;
	size_t limits_len;
	struct filter filter;
	struct filter cross;   /* stacked when an overlay fell back to a bind */
	struct filter offline; /* stacked without a network namespace; may be
				* empty */
	struct filter lesser;  /* stacked without a mount namespace */
	struct plan_landlock landlock;

	const char **argv, **envp; /* NULL-terminated */
	size_t argc, envc;
	const char *cwd;  /* inside */
	const char *path; /* PATH that COMMAND is looked up in */

	struct plan_watch watch;
	struct plan_cgroup cgroup;
	struct report_source report; /* of a test runner; path: inside */
	struct plan_artifact *artifacts;
	size_t artifacts_len;
	struct plan_cache cache;
	bool keeps_files; /* the files it wrote are looked at afterwards */

	wall_set requested; /* by the spec and the profile */
	wall_set missing;   /* known beforehand to be impossible here */
	/* Without a PID namespace: walls that end with init, so that they stand
	 * only where landlock_scope keeps the command from ending init. */
	wall_set on_init;
	bool allow_partial;
	const char *missing_why;         /* a sentence with a remedy, or NULL */
	const char *policy_hash;         /* NULL: plan_hash() not called yet */
	const char **visible_host_paths; /* bound interpreter prefixes */
	size_t visible_len;
	struct program programs[PROGRAMS_MAX]; /* what was taken for them */
	size_t programs_len;
#ifdef CUPEL_TEST_HOOKS
	struct test_hooks hooks;
#endif
	struct arena arena;
};

/* plan_build -- decide everything that the run will do.
 *
 * @filter	the compiled policy (lib loads outside files)
 * @ret		zeroed by the caller; plan_done() frees it, on failure too
 * Returns 0, or -errno with cause caller (the spec cannot be planned) or host
 * (strict, and a wall that was asked for cannot be had). */
int plan_build(const struct spec *spec, const struct host *host,
	       const struct filter *filter, struct plan *ret,
	       struct cupel_error *err);
void plan_done(struct plan *p);

/* plan_hash -- make policy_hash, of the filters, mounts and limits, unless it is
 * made.  Only the result shows it, so a start does not wait for it.
 *
 * Returns 0 or -ENOMEM. */
int plan_hash(struct plan *p);

/* plan_write_json -- write what `cupel plan` prints: every decision, and
 * nothing that differs between two plans of one spec on one host. */
void plan_write_json(const struct plan *p, struct buf *out);
/* plan_write_json_phase -- the same for a phase, which is never a copy. */
void plan_write_json_phase(const struct plan *p, struct buf *out);

#endif
