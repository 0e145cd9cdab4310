/* replay.h -- where the records of a ledger say that a gate is. */
#ifndef CUPEL_JOBS_GATE_REPLAY_H
#define CUPEL_JOBS_GATE_REPLAY_H

#include <stddef.h>

#include "jobs/gate/attempts.h"

struct cupel_error;
struct ledger_book;

/* replay_find -- the index of the last gate.begun that no gate.ended follows, or
 * -1 when there is none. */
long replay_find(const struct ledger_book *b);

/* replay_read -- step a through the records behind gate.begun at index begun.
 *
 * @a		a->max is set by the caller, to what the gate was allowed
 * Returns 0, or LEDGER_BROKEN with *err: a record that cannot come there. */
int replay_read(const struct ledger_book *b, size_t begun, struct attempts *a,
		struct cupel_error *err);

/* replay_is_lost -- whether a record attempt.ended says that it was. */
bool replay_is_lost(const struct json_value *record);

#endif
