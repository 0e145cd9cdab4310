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

#define SPEC_UNLIMITED UINT64_MAX /* of any limit: do not set it */

enum spec_repo_mode { REPO_RO, REPO_OVERLAY, REPO_NONE, REPO_MODE_MAX_ };
enum spec_network { NETWORK_NONE, NETWORK_LOOPBACK, NETWORK_MAX_ };
enum spec_output_mode { OUTPUT_TRUNCATE, OUTPUT_KILL, OUTPUT_MODE_MAX_ };
enum spec_result_from { RESULT_FROM_FD, RESULT_FROM_STDOUT, RESULT_FROM_MAX_ };
enum spec_backend {
	BACKEND_AUTO,
	BACKEND_NAMESPACES,
	BACKEND_LANDLOCK,
	BACKEND_RLIMITS,
	BACKEND_MAX_
};
/* Profile only: how much of /proc there is (CONTRACT 1.1). */
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

struct spec_list {
	const char **items;
	size_t len;
};

/* Strings live in the arena.  Sizes are bytes, times milliseconds. */
struct spec {
	struct arena arena;
	const char *profile; /* "default"; never NULL after spec_init */

	/* what it sees */
	const char *repo; /* host directory; NULL = the caller's own */
	enum spec_repo_mode repo_mode;
	struct spec_list ro;	  /* "SRC" or "SRC:DST" */
	struct spec_list runtime; /* interpreter prefixes, --runtime */
	struct spec_list etc;	  /* profile only: more names below /etc */
	enum spec_proc proc;
	const char *chdir; /* inside; NULL = the default */
	struct spec_list env;	   /* "K=V" */
	struct spec_list pass_env; /* "K" */
	enum spec_network network;
	const char *seccomp; /* name of a shipped filter, or a path */

	/* limits; SPEC_UNLIMITED where there is none */
	uint64_t wall_ms, cpu_ms, kill_after_ms;
	uint64_t mem_bytes;    /* of the whole tree */
	uint64_t as_bytes, data_bytes, fsize_bytes, nofile, nproc, pids_max;
	uint64_t rlimits[SPEC_RLIMIT_MAX_]; /* --rlimit; UNLIMITED = not named */
	bool rlimit_is_set[SPEC_RLIMIT_MAX_];
	bool cpu_hard; /* profile only: soft = hard, no SIGXCPU first */
	uint64_t output_bytes;
	enum spec_output_mode output_mode;
	uint64_t scratch_bytes, scratch_inodes; /* 0 = no scratch */

	/* streams and results */
	const char *stdin_path, *stdout_path, *stderr_path; /* NULL = default */
	const char *result_schema;
	struct spec_list refs; /* "URI=FILE" */
	enum spec_result_from result_from;
	uint64_t result_bytes;
	struct spec_list artifacts; /* "PATH" or "PATH:DST" */

	/* how */
	bool allow_partial;
	enum spec_backend backend;
	const char *trace_id; /* 32 hex digits, or NULL */
	uint64_t error_rc;    /* 0 = the documented ones */
	const char *json;     /* "" = stdout, else a file; NULL = no JSON */
	bool raw, quiet, verbose;

	/* COMMAND and its arguments, NULL-terminated; argc may be 0 */
	const char **argv;
	size_t argc;
};

#endif
