/* spec.h -- what the caller asks for, before anything looks at the host.
 *
 * Room: spec.
 *
 * Must:     read options, spec JSON and profiles through the one table
 *           (spec/field.c) and name the culprit and the range when refusing
 * Must not: look at the host: no file is opened, no variable is read here;
 *           texts are handed in by the caller
 */
#ifndef CUPEL_SPEC_SPEC_H
#define CUPEL_SPEC_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define SPEC_UNLIMITED UINT64_MAX /* of any limit: it is not set */

enum spec_repo_mode { REPO_RO, REPO_OVERLAY, REPO_NONE, REPO_MODE_MAX_ };
enum spec_network {
	NETWORK_NONE,
	NETWORK_LOOPBACK,
	NETWORK_SCOPED,
	NETWORK_MAX_
};
/* A bit for each kind of event. */
enum spec_trace {
	TRACE_NONE,
	TRACE_EXEC,
	TRACE_CONNECT,
	TRACE_EXEC_CONNECT,
	TRACE_MAX_
};
enum spec_output_mode { OUTPUT_TRUNCATE, OUTPUT_KILL, OUTPUT_MODE_MAX_ };
enum spec_result_from { RESULT_FROM_FD, RESULT_FROM_STDOUT, RESULT_FROM_MAX_ };
enum spec_backend {
	BACKEND_AUTO,
	BACKEND_NAMESPACES,
	BACKEND_LANDLOCK,
	BACKEND_RLIMITS,
	BACKEND_MAX_
};
/* Profile only: how much of /proc there is (cupel-spec(5), "PROFILES"). */
enum spec_proc { PROC_FULL, PROC_SUBSET_PID, PROC_NONE, PROC_MAX_ };

/* The limits that --rlimit NAME=N can set besides the six named ones. */
enum spec_rlimit {
	SPEC_RLIMIT_CPU,
	SPEC_RLIMIT_AS,
	SPEC_RLIMIT_DATA,
	SPEC_RLIMIT_NOFILE,
	SPEC_RLIMIT_FSIZE,
	SPEC_RLIMIT_NPROC,
	SPEC_RLIMIT_CORE,
	SPEC_RLIMIT_STACK,
	SPEC_RLIMIT_MEMLOCK,
	SPEC_RLIMIT_MSGQUEUE,
	SPEC_RLIMIT_SIGPENDING,
	SPEC_RLIMIT_RTPRIO,
	SPEC_RLIMIT_NICE,
	SPEC_RLIMIT_RSS,
	SPEC_RLIMIT_LOCKS,
	SPEC_RLIMIT_RTTIME,
	SPEC_RLIMIT_MAX_
};

/* Who set a value.  A lower rank never overwrites a higher one, so the layers
 * can be read in any order. */
enum spec_rank { RANK_PROFILE, RANK_SPEC, RANK_PHASE, RANK_OPTION };

/* Items of a lower rank come before those of a higher one.  Within a rank they
 * keep the order in which they were given. */
struct spec_list {
	const char **items;
	size_t len;
	size_t lowest; /* how many came from a profile */
	size_t low;    /* how many are below RANK_OPTION, for the reader only */
};

/* The id that the kernel sees when root launches a vessel over a repository of
 * root's, or over none: one that no account and no service has.  systemd gives
 * out none of 65520 to 65533 (its UIDS-GIDS document), Debian reserves 65000 to
 * 65533 (policy 9.2.2), and below 65536 it exists in a container, too.  It is
 * not 65534, and not 65532, which many images use.  See docs/files.md. */
#define SPEC_OWN_ID 65525

/* What --cache keeps unless --cache-bytes says another number: a registry's
 * packages for one large project, with room. */
#define SPEC_CACHE_BYTES (UINT64_C(4) << 30)

#define SPEC_FIELDS_MAX     64   /* rows of the table, see spec/field.c */
#define SPEC_ETC_MAX        48   /* names of "etc"; each is a mount of a run */
#define SPEC_PHASES_MAX     16   /* of a request; each is a run */
#define SPEC_LIST_MAX       4096 /* items of one list: far beyond honest use */
#define SPEC_ARENA_BYTES    ((size_t)64 << 20) /* argv is 2 MiB in Linux */
#define SPEC_DOCUMENT_BYTES ((size_t)1 << 20)  /* of a spec or profile file */

struct buf;
struct cupel_error;

/* Gets the bytes of a file that --spec or --profile names ("-" is the caller's
 * stdin), and appends them to out.  Returns 0 or -errno with *err filled. */
typedef int spec_load_fn(void *ctx, const char *path, struct buf *out,
			 struct cupel_error *err);

/* One of a request's phases, as the caller wrote it. */
struct spec_phase {
	const char *name;
	const char *place; /* "job.json: phases[1]", for messages */
	const char *text;  /* the object, JSON */
	size_t text_len;
	bool goes_on; /* the next phase runs even when this one fails */
};

/* Strings live in the arena.  Sizes are in bytes, times in milliseconds. */
struct spec {
	struct arena arena;
	spec_load_fn *load; /* NULL: --spec and profile files are refused */
	void *load_ctx;
	/* a line of many: the files that it names must be regular files, and
	 * none of them may stand for an open descriptor */
	bool is_of_many;
	unsigned char ranks[SPEC_FIELDS_MAX]; /* enum spec_rank of each row */
	unsigned char rlimit_ranks[SPEC_RLIMIT_MAX_];
	unsigned char argv_rank;

	const char *profile; /* "default"; never NULL after spec_init */

	/* what the command sees */
	const char *repo;    /* host directory; NULL = the caller's own */
	const char *repo_at; /* inside, or "same"; NULL = /repo */
	enum spec_repo_mode repo_mode;
	struct spec_list ro;      /* "SRC" or "SRC:DST" */
	struct spec_list runtime; /* interpreter prefixes, --runtime */
	struct spec_list etc;     /* profile only: more names below /etc */
	enum spec_proc proc;
	/* profile only: an empty root, for a program handed in by descriptor */
	bool bare;
	const char *cache;          /* host directory; NULL = none */
	uint64_t cache_bytes;       /* the most that is kept in it */
	const char *chdir;          /* inside; NULL = the default */
	struct spec_list env;       /* "K=V" */
	struct spec_list pass_env;  /* "K" */
	struct spec_list env_dummy; /* "K", which becomes "K=dummy" */
	enum spec_network network;
	struct spec_list egress; /* rules; spec/egress.h reads them */
	bool egress_audit;
	const char *seccomp; /* name of a shipped filter, or a path */

	/* limits; SPEC_UNLIMITED where there is none */
	uint64_t wall_ms, cpu_ms, kill_after_ms;
	uint64_t mem_bytes; /* of the whole tree */
	uint64_t cpu_milli; /* of a processor, for the whole tree */
	uint64_t as_bytes, data_bytes, fsize_bytes, nofile;
	/* RLIMIT_NPROC is the smaller of the two: a profile that leaves nproc
	 * unlimited gets pids_max for it (cupel-profile(1)). */
	uint64_t nproc, pids_max;
	/* From --rlimit, only the limits without an option of their own.  CPU,
	 * AS, DATA, NOFILE, FSIZE and NPROC are stored in the values above.  A
	 * limit can be set to SPEC_UNLIMITED: then the caller asked for no
	 * limit. */
	uint64_t rlimits[SPEC_RLIMIT_MAX_];
	bool rlimit_is_set[SPEC_RLIMIT_MAX_];
	bool cpu_hard; /* profile only: soft = hard, no SIGXCPU first */
	/* profile only: a harness inside takes wall_ms as its alarm, and
	 * whoever runs the vessel adds the parent's backstop of 5 s */
	bool wall_alarm;
	uint64_t output_bytes;
	enum spec_output_mode output_mode;
	uint64_t scratch_bytes, scratch_inodes; /* 0 = no scratch */

	/* streams and results */
	const char *stdin_path, *stdout_path, *stderr_path; /* NULL = default */
	const char *result_schema;
	struct spec_list refs; /* "URI=FILE" */
	enum spec_result_from result_from;
	uint64_t result_bytes;
	const char *report;         /* spec/report.h reads it; NULL = none */
	bool report_names;          /* the payload names every test */
	struct spec_list artifacts; /* "PATH" or "PATH:DST" */

	/* how */
	bool allow_partial;
	enum spec_backend backend;
	enum spec_trace trace;
	bool core_scheduling; /* the vessel gets its own cookie, prctl(2) */
	const char *host_uid; /* "UID" or "UID:GID"; NULL = the default */
	const char *trace_id; /* 32 hex digits, or NULL */
	uint64_t error_rc;    /* 0 = the documented ones */
	const char *json;     /* "" = stdout, else a file; NULL = no JSON */
	bool raw, quiet, verbose;
	/* Not an option; `cupel shell` asks for it.  stdin, stdout and stderr
	 * are a terminal made for the run. */
	bool terminal;

	/* COMMAND and its arguments, NULL-terminated; argc may be 0 */
	const char **argv;
	size_t argc;

	/* From a spec document: several runs over the same files.  The rest of
	 * this struct is the default of each (spec_phases_build).  Usually
	 * there are none. */
	struct spec_phase *phases;
	size_t phases_len;
};

/* spec_init -- the request of `cupel run` without options: the default profile.
 * Returns 0 or -ENOMEM; spec_done may be called either way. */
int spec_init(struct spec *s, struct cupel_error *err);
void spec_done(struct spec *s);

/* spec_set -- set one option by its name, without "--", with RANK_OPTION.
 *
 * @text	the value as on the command line; NULL for an option that needs
 *		none
 *
 * Returns 0, -EINVAL (unknown, or not of the option's type) or -ERANGE; *err
 * names the option, the value and what is allowed.  The value is copied. */
int spec_set(struct spec *s, const char *name, const char *text,
	     struct cupel_error *err);

#define SPEC_WANTS_HELP 1

/* spec_read_args -- read options from argv[1..] up to "--" or the first word.
 *
 * @ret_rest	index of the first word of the command; argc if there is none
 *
 * Accepts --name VALUE, --name=VALUE, and --name alone for switches; no
 * abbreviations.  Returns 0, SPEC_WANTS_HELP at --help (nothing after it is
 * read), or -EINVAL/-ERANGE; *s may be half-filled on failure. */
int spec_read_args(int argc, char *const argv[], struct spec *s, int *ret_rest,
		   struct cupel_error *err);

/* spec_set_command -- set COMMAND and its arguments, copied.  With argc 0 the
 * command of a spec document stays. */
int spec_set_command(struct spec *s, const char *const argv[], size_t argc,
		     struct cupel_error *err);

/* spec_read_json -- read a --spec document: the names of options with '_' for
 * '-', and "command", an array of strings.  An unknown key, a wrong type and a
 * duplicate name are refused.
 *
 * @origin	names the document in messages: "job.json" */
int spec_read_json(struct spec *s, const char *bytes, size_t n,
		   const char *origin, struct cupel_error *err);

/* spec_apply_profile -- apply a shipped profile: everything that a profile may
 * say and that no higher rank has said. */
int spec_apply_profile(struct spec *s, const char *name,
		       struct cupel_error *err);

/* spec_read_profile -- the same with a profile file; what it does not name is
 * as in the shipped profile that it extends, or else as in the default profile. */
int spec_read_profile(struct spec *s, const char *bytes, size_t n,
		      const char *origin, struct cupel_error *err);

/* spec_check -- check the rules that concern more than one field, the forms of
 * paths, and the names that may not be passed in.  Call it once, last. */
int spec_check(const struct spec *s, struct cupel_error *err);

/* spec_check_variables -- the part of spec_check that concerns the environment:
 * no other field can correct what is wrong there. */
int spec_check_variables(const struct spec *s, struct cupel_error *err);

/* spec_phases_build -- the request of each phase: what whole says, overridden
 * by what the phase says.  All phases see the same files: the largest scratch
 * and all names below /etc that one of their profiles has.
 *
 * @ret		whole->phases_len of them; each needs spec_done(), on failure
 *		too, and lives no longer than whole
 * Returns 0 or -errno; *err names the phase and the key. */
int spec_phases_build(const struct spec *whole, struct spec ret[],
		      struct cupel_error *err);

/* spec_cwd -- the directory in which the command starts: chdir, else /repo if
 * it exists, else /scratch if it exists, else "/". */
const char *spec_cwd(const struct spec *s);

/* spec_read_ids -- read "UID" or "UID:GID" of --host-uid; without GID it is the
 * same number.  Returns 0, -EINVAL (not of this form) or -ERANGE (0, 65534, or
 * not an id). */
int spec_read_ids(const char *text, uint32_t *ret_uid, uint32_t *ret_gid,
		  struct cupel_error *err);

/* spec_is_file -- whether a NAME|FILE value is a file: it contains a '/' or
 * ends in ".json". */
bool spec_is_file(const char *text);

/* spec_ro_target -- split an --ro item at its last ":/".
 *
 * @ret_len	length of SRC within item
 *
 * Returns DST, or NULL when the item names none (then DST is SRC). */
const char *spec_ro_target(const char *item, size_t *ret_len);

/* spec_artifact_target -- the same for --artifact, at its first ':'.  PATH is
 * inside, relative to spec_cwd unless absolute.  DST is a path of the caller,
 * NULL when the item names none. */
const char *spec_artifact_target(const char *item, size_t *ret_len);

/* spec_read_traceparent -- the trace id of a W3C traceparent header.
 * Source: W3C Trace Context, 3.2.  Returns 0 or -EINVAL. */
int spec_read_traceparent(const char *text, char ret_id[33]);

#endif
