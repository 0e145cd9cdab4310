/* verdict.h -- turns what a vessel said into the status of a record.  Pure. */
#ifndef CUPEL_JOBS_CONFIRM_VERDICT_H
#define CUPEL_JOBS_CONFIRM_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "jobs/confirm/class.h"
#include "jobs/confirm/flag.h"
#include "service/vessel_result.h"

/* From the lowest rank to the highest: when the witnesses of a flag end
 * differently, the highest counts. */
enum confirm_status {
	CONFIRM_SYNTH_FAILED,
	CONFIRM_NO_BUG,
	CONFIRM_SANDBOX_ERROR,
	CONFIRM_TIMEOUT,
	CONFIRM_UNSUPPORTED,
	CONFIRM_CONFIRMED,
	CONFIRM_STATUS_MAX_
};

/* confirm_status_name -- "confirmed-bug", ... (cupel-confirm(1), "The log"). */
const char *confirm_status_name(enum confirm_status s);

#define VERDICT_TRACEBACK_CHARS 1000 /* traceback_head */

struct verdict {
	enum confirm_status status;
	const char *reason;     /* static code, or NULL */
	const char *flag_class; /* confirmed: the flag's, or narrower */
	char detail[240];       /* more words, hostile but printable */
	int exit_code;          /* -1 = it did not run */
	int signal;             /* 0 = none */
	char error_class[220];
	char traceback[VERDICT_TRACEBACK_CHARS * 4 + 1];
	uint64_t duration_ms;
	char backend[32];
	bool is_warm; /* the run was a copy (warm.h) */
	bool at_load; /* confirmed: nothing was called, loading it failed */
};

/* What a confirmation must match. */
struct verdict_rule {
	enum language language;
	const char *flag_class;
	const char *nonce;
	uint64_t alarm_ms;
	/* Of processor time.  0: there is none, so the cap on it says what an
	 * alarm would say. */
	uint64_t cpu_alarm_ms;
	bool has_line;                   /* then a frame must lie in ranges */
	const struct json_value *ranges; /* [{from, to}], of the synthesis */
};

/* verdict_of_vessel -- what the end of the vessel says by itself.
 * Returns true when that decides; false: look at the payload. */
bool verdict_of_vessel(const struct vessel_result *r, struct verdict *ret);

/* verdict_of_call -- the verdict of one witness.
 *
 * @answer	what the call handed over, through the boundary with its schema
 * @ret		zeroed by the caller */
void verdict_of_call(const struct vessel_result *r,
		     const struct payload *answer,
		     const struct verdict_rule *rule, struct verdict *ret);

/* verdict_of_explored -- what a witness seems to show that was tried in a copy
 * of a process, judged as the answer of a call would be.  That is not a verdict:
 * a timeout here means only that the copy gave no answer.
 *
 * @answer	one of those that the vessel handed over, of the schema
 *		confirm-explore
 * @rule	without nonce and alarms
 * @ret		zeroed by the caller */
void verdict_of_explored(const struct json_value *answer,
			 const struct verdict_rule *rule, struct verdict *ret);

/* verdict_unrepeated -- what a confirmation is that a second vessel did not repeat.
 * If a limit or an alarm ended the second one, that is its verdict: nobody knows
 * whether it would have failed.  Otherwise the function is "unstable".
 *
 * @best	the confirmation; is changed
 * @second	of the same witness, and not confirmed */
void verdict_unrepeated(struct verdict *best, const struct verdict *second);

/* verdict_set_detail -- set the detail to text, made printable and cut. */
void verdict_set_detail(struct verdict *v, const char *text);

#endif
