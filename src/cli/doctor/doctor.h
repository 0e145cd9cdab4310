/* doctor.h -- finds out what this host can do, by doing it.
 *
 * Must:     try each thing in a process of its own, with the calls that a run
 *           makes; judge by what happened, explain by what the host reports
 *           leave nothing: no process, mount, file
 * Must not: conclude from a sysctl or a version that something works */
#ifndef CUPEL_CLI_DOCTOR_DOCTOR_H
#define CUPEL_CLI_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct buf;
struct spec;

/* The subject of a row.  A trap explains the rows of its topics. */
enum topic {
	TOPIC_HOST = 1 << 0,
	TOPIC_LAUNCHER = 1 << 1,
	TOPIC_CALL = 1 << 2,       /* a system call that needs no privilege */
	TOPIC_USERNS = 1 << 3,     /* making a user namespace */
	TOPIC_MAP = 1 << 4,        /* writing its maps */
	TOPIC_NAMESPACE = 1 << 5,  /* the other namespaces, within it */
	TOPIC_CAPABILITY = 1 << 6, /* using what was gained inside */
	TOPIC_MOUNT = 1 << 7,
	TOPIC_OVERLAY = 1 << 8,
	TOPIC_PROC = 1 << 9,
	TOPIC_DEVICE = 1 << 10,
	TOPIC_IDMAP = 1 << 11,
	TOPIC_MEMFD = 1 << 12,
	TOPIC_SECCOMP = 1 << 13,
	TOPIC_NOTIFY = 1 << 14,
	TOPIC_LANDLOCK = 1 << 15,
	TOPIC_LIMIT = 1 << 16,
	TOPIC_CGROUP = 1 << 17,
	TOPIC_EXEC = 1 << 18,
	TOPIC_VESSEL = 1 << 19,
	TOPIC_TRACE = 1 << 20,
};
/* Everything that begins with a user namespace of our own. */
#define TOPIC_INSIDE                                                           \
	(TOPIC_USERNS | TOPIC_MAP | TOPIC_NAMESPACE | TOPIC_CAPABILITY |       \
	 TOPIC_MOUNT | TOPIC_OVERLAY | TOPIC_PROC | TOPIC_DEVICE)

/* What a probe found.  It is sent through a pipe, so it has no pointers. */
struct finding {
	bool ok;
	int sys;          /* errno of the call that failed, 0 if none did */
	unsigned reached; /* enum topic: the step that failed, 0 = the row's */
	char value[280];  /* what was found; "" when ok says everything */
	char step[48];    /* the call that failed: "mount proc" */
};

#define BOX_PATH 96

/* What kind of container this process is in. */
enum box {
	BOX_NONE,
	BOX_DOCKER,
	BOX_PODMAN,
	BOX_KUBERNETES,
	BOX_OTHER, /* a container, according to its init */
	BOX_MAX_
};

/* What the host says about itself.  It is used only to explain a failure and to
 * complete a remedy.  -1 means that there is no such file. */
struct evidence {
	unsigned kernel; /* major << 8 | minor */
	char release[80];
	bool is_root;
	bool has_sys_admin, has_setid; /* in the effective set */
	enum box box;
	bool is_github, is_wsl1, is_wsl, is_gvisor, is_unit;
	int seccomp_mode; /* of this process */
	bool no_new_privs;
	bool has_full_map; /* every id of the initial namespace */
	int apparmor_restrict;
	char apparmor_label[96];
	int userns_clone;
	long max_userns;
	int memfd_noexec;
	bool has_selinux;
	bool proc_is_hidden;        /* hidepid= on the host's /proc */
	char proc_masked[BOX_PATH]; /* first mount below /proc, "" = none */
	bool has_root_mount;        /* mountinfo has a line for "/" */
	bool has_core_pipe;
	bool has_cgroup1_memory; /* at its usual place, mounted */
	char self[256];          /* real path of this program */
};

/* evidence_read -- read what the host says about itself.
 *
 * @root	"" for this machine; tests give a directory that looks like one
 *
 * Never fails: what cannot be read counts as absent. */
void evidence_read(const char *root, struct evidence *ret);

/* One way to mend what is missing. */
struct remedy {
	const char *kind;    /* sysctl apparmor container-flag package kernel */
	const char *command; /* "@self@" is the path of this program */
};
#define REMEDIES_MAX 3

/* The reason why a row says no. */
struct trap {
	const char *code; /* "USERNS_APPARMOR": stable */
	unsigned topics;
	bool (*matches)(const struct evidence *e, const struct finding *f);
	const char *words;
	struct remedy fixes[REMEDIES_MAX]; /* ends with a NULL kind */
};

/* trap_find -- the first trap of the table that explains f, a failure of a row
 * with that topic.  Never NULL: the last trap explains everything. */
const struct trap *trap_find(const struct evidence *e, unsigned topic,
			     const struct finding *f);
extern const struct trap traps[];
extern const size_t traps_len;

/* Where a probe runs. */
enum where {
	WHERE_SELF,   /* this process itself: who else is here matters */
	WHERE_HERE,   /* a forked process, otherwise the same */
	WHERE_INSIDE, /* a child in the new namespaces of row.clone_flags */
};

struct row {
	const char *id;   /* stable */
	const char *what; /* words: "the checked thing works" */
	unsigned topic;
	enum where where;
	uint64_t clone_flags;
	/* fills *f in the child; sets only what is true */
	void (*probe)(const struct spec *spec, struct finding *f);
	/* whether a run of this request needs it; NULL: none does */
	bool (*is_needed)(const struct spec *spec);
};
extern const struct row rows[];
extern const size_t rows_len;

/* row_run -- run one row's probe; *ret is always filled. */
void row_run(const struct row *row, const struct spec *spec,
	     struct finding *ret);

/* For probes: note a failure (errno and the call), or what was found. */
void finding_fail(struct finding *f, const char *step);
void finding_value(struct finding *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* How long a forked probe may take to answer before it is killed. */
#define PROBE_MS 5000

/* The probes. */
typedef void probe_fn(const struct spec *spec, struct finding *f);
probe_fn probe_kernel, probe_launcher, probe_cgroup, probe_core, probe_exec;
probe_fn probe_clone3, probe_openat2, probe_close_range, probe_pidfd;
probe_fn probe_memfd, probe_keyring;
probe_fn probe_nothing, probe_capability, probe_userns_off, probe_loopback;
probe_fn probe_tmpfs, probe_fsopen, probe_bind, probe_runtime, probe_overlay,
	probe_overlay_writable, probe_overlay_dirs;
probe_fn probe_pivot, probe_proc, probe_proc_subset, probe_devices;
probe_fn probe_idmap, probe_seccomp, probe_notify, probe_landlock;
probe_fn probe_rlimits, probe_vessel;
probe_fn probe_egress, probe_trace;

/* probe_notify_killable -- a part of probe_trace. */
void probe_notify_killable(struct finding *f);

/* apparmor_write -- the AppArmor profile for a program at path, to out. */
void apparmor_write(const char *path, struct buf *out);

#endif
