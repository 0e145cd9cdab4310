/* gate.h -- what a gate asks for, what an attempt found, and what came of it.
 *
 * Room: jobs/gate.  A gate runs phases over a work tree, turns what happened
 * into typed signals, and judges by strict AND (docs/gate.md).
 *
 * Must:     judge by what was seen from outside or has crossed the boundary
 *           count what is missing, lost or unreadable as not passed
 * Must not: read a catalogue, a policy, a baseline or a state from the work
 *           tree
 *           parse what a tree or a phase wrote outside of the boundary
 *           ask, score or believe a model
 */
#ifndef CUPEL_JOBS_GATE_GATE_H
#define CUPEL_JOBS_GATE_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/blake3.h"
#include "boundary/json.h"
#include "jobs/gate/judged.h"

#define GATE_NAME_BYTES   64U /* of a gate, a phase or a kind */
#define GATE_PHASES_MAX   16U
#define GATE_SIGNALS_MAX  24U
#define GATE_ATTEMPTS_MAX 32U /* that a catalogue or an operator may ask for */
#define GATE_TIME_BYTES   32U /* "2026-11-23T06:40:00.123Z" */

/* --- what is asked ---------------------------------------------------------- */

/* The class of a backend.  A run of a lesser class than the gate's fails the
 * attempt. */
enum gate_isolation {
	GATE_SHARED_KERNEL,
	GATE_USER_KERNEL,
	GATE_MICROVM,
	GATE_ISOLATION_MAX_
};

/* Spec keys that replace those of the phase on one attempt. */
struct gate_change {
	unsigned attempt; /* from 1 */
	const struct json_value *spec;
};

struct gate_phase {
	const char *name;
	const struct json_value *spec; /* keys of cupel-spec(5) */
	const struct gate_change *changes;
	size_t changes_len;
	bool goes_on; /* if it is not OK, the attempt goes on */
};

struct gate_kind;    /* a row of kinds/kind.h, or made of a manifest */
struct gate_outside; /* that manifest, outside.h */
struct gate_answer;  /* what its program said, outside.h */

struct gate_ask {
	const char *name; /* the kind's */
	const struct gate_kind *kind;
	const struct json_value *params; /* object */
	const struct json_value *rules;  /* of policy: schema gate-rules */
	const char *rules_hash;
	const struct gate_outside *outside; /* NULL: a built-in kind */
	bool required, retryable;
};

/* One gate of a catalogue, which owns all that it points to. */
struct gate {
	const char *name;
	const char *catalogue; /* "shipped", "loose" or the given file's name */
	char hash[BLAKE3_TEXT_BYTES]; /* of everything that the gate says */
	struct gate_phase *phases;
	size_t phases_len;
	const struct json_value
		*vessel;       /* keys that all phases share, or NULL */
	struct gate_ask *asks; /* each kind once */
	size_t asks_len;
	unsigned max_attempts;
	enum gate_isolation isolation;
	bool is_loose; /* every verdict says so */
};

/* --- what happened ---------------------------------------------------------- */

/* Bytes that a record may name by path and digest: the result of a phase, a
 * report, the context.  They are hostile if they came from inside. */
struct gate_file {
	const char *path; /* "runs/0-install.json": [a-z0-9._/-] only */
	char hash[BLAKE3_TEXT_BYTES];
	const char *bytes;
	size_t len;
};

/* One phase that ran.  Borrowed from the attempt. */
struct gate_run {
	const char *phase;
	const char *run_id; /* the run's trace id */
	const char *spec_hash;
	const struct json_value *result; /* cupel-result(5), read strictly */
	const struct gate_file *file;    /* the same, as evidence */
};

struct gate_signal {
	const char *kind;
	bool passed;
	bool is_final; /* no other attempt, whatever the gate says: a memory
			* limit, a forbidden call, a timeout (unless its kind's
			* retry_timeout is set), anything new in a trace */
	/* Its phase did not run, so it failed and has nothing to say itself.
	 * Whether there is another attempt depends on what ended this one. */
	bool is_unreached;
	const struct json_value *details; /* closed, schema gate-signals */
	const char **run_ids;
	size_t run_ids_len;
	const char *spec_hash; /* of the phase's run, or NULL: none ran */
	const struct gate_file *const *files; /* what it was made of */
	size_t files_len;
	char at[GATE_TIME_BYTES];
};

/* One attempt.  Zero is valid: nothing happened. */
struct gate_attempt {
	struct arena arena; /* owns all that is pointed to */
	unsigned number;    /* from 1 */
	struct gate_run *runs;
	size_t runs_len;
	struct gate_file **files;
	size_t files_len;
	const struct json_value *context; /* gathered, or NULL: not asked for */
	const struct json_value *vulns;   /* attempt_vulns.h's, or NULL: no
					   * kind is about them */
	struct gate_answer
		*answers; /* one for each kind of the gate, or NULL */
	struct gate_signal *signals; /* at most one for each kind */
	size_t signals_len;
	enum gate_isolation isolation; /* the least of its runs */
	struct judged tree;  /* as it was at the end, if it was read */
	const char *changed; /* where it changed meanwhile, by base/name.h */
	bool lost;           /* nothing can be said: a host failure or a stop */
	const char *why;     /* a sentence if it was lost, or NULL */
};

/* --- what came of it -------------------------------------------------------- */

struct gate_verdict {
	bool passed;
	bool retryable;   /* another attempt could end differently */
	bool lost;        /* the attempt counts, but judges nothing */
	bool is_too_weak; /* a run was of a lesser class than the gate's */
	bool is_changed;  /* nobody can say which tree was judged */
	/* Kinds, in the order of the gate; the catalogue's. */
	const char *failing[GATE_SIGNALS_MAX + 1];
	size_t failing_len;
};

#endif
