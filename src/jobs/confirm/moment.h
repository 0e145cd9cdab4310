/* moment.h -- moments as records and logs write them. */
#ifndef CUPEL_JOBS_CONFIRM_MOMENT_H
#define CUPEL_JOBS_CONFIRM_MOMENT_H

#include "base/jsonw.h"

/* moment_write -- write ms of CLOCK_REALTIME as "2026-01-02T03:04:05.678Z". */
void moment_write(struct jsonw *w, const char *key, int64_t ms);

#endif
