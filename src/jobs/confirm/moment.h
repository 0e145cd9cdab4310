/* moment.h -- a moment as records and logs tell it. */
#ifndef CUPEL_JOBS_CONFIRM_MOMENT_H
#define CUPEL_JOBS_CONFIRM_MOMENT_H

#include "base/jsonw.h"

/* moment_write -- "2026-01-02T03:04:05.678Z", of CLOCK_REALTIME. */
void moment_write(struct jsonw *w, const char *key, int64_t ms);

#endif
