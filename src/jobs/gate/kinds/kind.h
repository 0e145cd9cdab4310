/* kind.h -- a kind of signal is a row: its name, how to find it, and whether it
 * is tried again. */
#ifndef CUPEL_JOBS_GATE_KINDS_KIND_H
#define CUPEL_JOBS_GATE_KINDS_KIND_H

#include "jobs/gate/gate.h"

struct baseline;

/* What a kind is made from.  All of it is borrowed, and nothing of it is
 * changed. */
struct kind_source {
	const struct gate *gate;
	const struct gate_ask *ask;
	const struct gate_attempt *attempt;
	const struct baseline *baseline;  /* or NULL */
	const struct json_value *context; /* attempt_context.h's, or NULL */
	struct arena *arena;              /* for what is made */
};

struct gate_kind {
	const char *name;
	const char
		*phase; /* that it is about where the gate does not say, which
			    * then has to exist; or NULL */
	bool is_retryable; /* if the gate does not say */
	bool has_base;    /* it compares with the baseline, and fails without */
	bool has_context; /* it is about the gathered facts of the tree */
	bool has_rules;   /* its parameters name a file of rules */
	bool is_final;    /* never tried again, whatever the gate says */
	/* Fill passed, is_final and details, and list the runs and files that
	 * they are made from.  Pure.  Returns 0 or -ENOMEM. */
	int (*build)(const struct kind_source *s, struct gate_signal *ret);
};

/* kind_find -- the built-in row of that name, or NULL. */
const struct gate_kind *kind_find(const char *name);

/* The rows' functions. */
int ran_build(const struct kind_source *s, struct gate_signal *ret);
int tests_build(const struct kind_source *s, struct gate_signal *ret);
int trace_build(const struct kind_source *s, struct gate_signal *ret);
int policy_build(const struct kind_source *s, struct gate_signal *ret);
int cve_delta_build(const struct kind_source *s, struct gate_signal *ret);
int outside_build(const struct kind_source *s, struct gate_signal *ret);

#endif
