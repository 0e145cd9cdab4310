/* signal_write.h -- writes a signal as JSON. */
#ifndef CUPEL_JOBS_GATE_KINDS_SIGNAL_WRITE_H
#define CUPEL_JOBS_GATE_KINDS_SIGNAL_WRITE_H

#include "jobs/gate/gate.h"

struct jsonw;

/* signal_write -- write {kind, passed, details, provenance, at} (schema
 * gate-signals) as an item (key NULL) or a member. */
void signal_write(const struct gate_signal *s, const char *key,
		  struct jsonw *w);

#endif
