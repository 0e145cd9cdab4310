/* moment.h -- the time of day as records write it. */
#ifndef CUPEL_JOBS_GATE_LEDGER_MOMENT_H
#define CUPEL_JOBS_GATE_LEDGER_MOMENT_H

#include <stdint.h>

#define MOMENT_BYTES 32 /* "2026-11-23T06:40:00.123Z", with its NUL */

/* moment_now -- the time now, in UTC, to the millisecond. */
void moment_now(char ret[MOMENT_BYTES]);

/* moment_read -- such a text as seconds since 1970, or -1. */
int64_t moment_read(const char *text);

#endif
