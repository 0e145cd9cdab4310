/* status.h -- turns what happened into a status.
 *
 * Room: result.
 *
 * Must:     judge by the outcome alone, the same way every time
 *           let only valid UTF-8 and checked values into the JSON
 * Must not: read clocks, files or the machine; wait; print
 * */
#ifndef CUPEL_RESULT_STATUS_H
#define CUPEL_RESULT_STATUS_H

#include <stdbool.h>

#include "base/error.h"
#include "plan/wall.h"
#include "spec/reason.h"
#include "supervise/outcome.h"

struct plan;

#define VERDICT_MESSAGE_BYTES (CUPEL_ERROR_WHAT + 128)

struct verdict {
	enum cupel_status status;
	int rc; /* 0..255 */
	enum reason reason;
	int signal; /* that ended the command, 0 = none or unknown */
	bool partial;
	bool started;
	enum cupel_stage stage; /* INTERNAL_ERROR only */
	enum cupel_cause cause;
	char message[VERDICT_MESSAGE_BYTES]; /* "" = null; one line, UTF-8 */
};

/* verdict_build -- the whole table of cupel-run(1), "EXIT STATUS".
 *
 * Each run has one status: our own failure before the start; else the reason
 * for which we killed; else what the wait status says.
 *
 * @error_rc	the exit status of INTERNAL_ERROR; 0 = the documented 1 */
void verdict_build(const struct plan *plan, const struct outcome *o,
		   unsigned error_rc, struct verdict *ret);

/* verdict_of_error -- the verdict on a run that was never launched. */
void verdict_of_error(const struct cupel_error *err, unsigned error_rc,
		      struct verdict *ret);

/* verdict_say -- replace the message: the command's name, and what is wrong with
 * it, as the rest of a sentence. */
void verdict_say(struct verdict *v, const char *command, const char *why);

/* cupel_status_name is in the public header and lives in status.c. */

#endif
