/* ledger_point.h -- the points at which a test kills the writer of a ledger.
 *
 * They exist only in builds with CUPEL_TEST_HOOKS, which are never installed.
 * In all other builds they are nothing. */
#ifndef CUPEL_JOBS_GATE_LEDGER_POINT_H
#define CUPEL_JOBS_GATE_LEDGER_POINT_H

#include <stdint.h>

/* The steps in which a record is written to disk. */
enum ledger_point {
	LEDGER_POINT_BEFORE,  /* nothing of it is written */
	LEDGER_POINT_WRITTEN, /* not yet synced */
	LEDGER_POINT_SYNCED,  /* HEAD does not name it yet */
	LEDGER_POINT_NAMED
};

#ifdef CUPEL_TEST_HOOKS
#include <signal.h>
#include <stdlib.h>

/* CUPEL_TEST_LEDGER_KILL=N: at record N / 4, point N % 4. */
static inline void ledger_point(uint64_t seq, enum ledger_point at)
{
	const char *kill_at = getenv("CUPEL_TEST_LEDGER_KILL");

	if (kill_at != NULL && strtoull(kill_at, NULL, 10) == seq * 4 + at)
		(void)raise(SIGKILL);
}
#else
#define ledger_point(seq, at) ((void)(seq))
#endif

#endif
