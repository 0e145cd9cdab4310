/* replay.h -- finds out from the records of a ledger where a gate is. */
#ifndef CUPEL_JOBS_GATE_REPLAY_H
#define CUPEL_JOBS_GATE_REPLAY_H

#include <stddef.h>

#include "jobs/gate/attempts.h"

struct cupel_error;
struct ledger_book;

/* replay_find -- the index of the last gate.begun without a gate.ended after
 * it, or -1 if there is none. */
long replay_find(const struct ledger_book *b);

/* replay_read -- step a through the records after gate.begun at index begun.
 *
 * @a		the caller has set a->max to what the gate was allowed
 * Returns 0, or LEDGER_BROKEN with *err: a record that cannot come there. */
int replay_read(const struct ledger_book *b, size_t begun, struct attempts *a,
		struct cupel_error *err);

/* replay_is_lost -- whether a record attempt.ended says that the attempt was
 * lost. */
bool replay_is_lost(const struct json_value *record);

#endif
