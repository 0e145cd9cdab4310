/* events.h -- writes what --events reports, one JSON line for each event. */
#ifndef CUPEL_JOBS_GATHER_EVENTS_H
#define CUPEL_JOBS_GATHER_EVENTS_H

#include "jobs/gather/model.h"

struct cupel_error;

/* Where they go. */
struct event_log {
	int fd;      /* by log_open() of jobs/common/log.h; -1: nowhere */
	int stop_fd; /* readable: no lock is waited for; -1: never */
};

/* event_write -- append one line, by one write(2).
 *
 *	{"event":"cache.put","ts":"2026-11-21T14:40:55.123Z","probe":"ci",...}
 *
 * @probe	its name, or NULL: about the whole gather
 * @d		NULL: no details
 * Safe from several threads at once.  Returns 0 or -errno. */
int event_write(const struct event_log *log, enum gather_event event,
		const char *probe, const struct event_details *d,
		struct cupel_error *err);

#endif
