/* trial.h -- all runs of one flag: the synthesis, a vessel for each witness,
 * the repeat, and smaller witnesses.
 *
 * After the first witness, the others are explored: all of them are tried in
 * one vessel, and only a witness that shows something there gets a vessel of
 * its own (docs/confirm.md).  A record tells of nothing but such vessels.
 *
 * A trial has at most one run at a time, so one poll loop drives many trials.
 * While a run goes on, the vessel of the next call is prepared, if possible. */
#ifndef CUPEL_JOBS_CONFIRM_TRIAL_H
#define CUPEL_JOBS_CONFIRM_TRIAL_H

#include "base/blake3.h"
#include "jobs/confirm/caps.h"
#include "jobs/confirm/harness.h"
#include "jobs/confirm/record.h"

struct schema_set;

/* Shared by all trials of one job; read only once it is filled. */
struct trial_bench {
	const char *repo;
	int repo_fd;
	const struct caps *caps; /* NULL = the runners' own */
	struct schema_set *synthesis_schema, *call_schema, *explore_schema;
	unsigned flag_time_s; /* of one flag, all its runs together */
	const struct vessel_option *views; /* NULL = none */
	bool is_cold; /* no copies, and nothing is explored */
};

enum trial_phase {
	TRIAL_SYNTHESIS,
	TRIAL_CALL,
	TRIAL_EXPLORE, /* of the witnesses that are left */
	TRIAL_REPEAT,  /* of the witness that confirmed */
	TRIAL_CONTROL, /* of one that differs in the flag's argument alone */
	TRIAL_SHRINK,  /* of smaller ones, while they still confirm */
	TRIAL_SETTLE,  /* the smallest once more */
	TRIAL_DONE,
};

#define TRIAL_SLOW_MAX    3  /* witnesses that ran into a cap or the alarm */
#define TRIAL_SHRINK_RUNS 32 /* smaller witnesses that are tried */
#define TRIAL_EXPLORE_MAX 4  /* vessels that explore */
#define TRIAL_WHY_BYTES   256
/* Other values of an argument that get a call, for one witness: the synthesis puts
 * CONTROLS_MAX (choose.py) beside each, the ones first that seem to pass, and two more
 * may stand elsewhere in its list.  Why this many: docs/confirm.md. */
#define TRIAL_CONTROL_MAX 6
/* Confirmations of other arguments after which no more witnesses are tried.  With all
 * their controls they cost a flag at most 48 calls, less than its 64 witnesses. */
#define TRIAL_OTHER_MAX 8

/* What the last vessel that explored has said. */
struct trial_explored {
	struct payload payload;           /* owns the answers */
	const struct json_value *answers; /* array; NULL = there are none */
	size_t from;                      /* witness of the first answer */
	unsigned vessels;
	size_t passed;     /* witnesses that got no vessel of their own */
	bool has_promised; /* the current run's witness raised there */
	bool is_off;       /* no more of it for this flag */
	char failed[TRIAL_WHY_BYTES]; /* why it failed by itself; "" = not */
};

/* Which argument has to fail: a confirmation counts if the function returns
 * when that argument alone has another value. */
struct trial_control {
	const char *argument; /* the flag's, if it is a parameter; or NULL */
	const struct json_value *held; /* with which it returned; or NULL */
	const struct json_value *of;   /* the witness that they differ from */
	size_t next;                   /* the witness that is examined next */
	unsigned runs;                 /* for that witness */
	/* A call for that witness that was ended before it said anything: its
	 * status and reason.  Reason NULL: there is none. */
	enum confirm_status ended;
	const char *ended_reason;
	/* Witnesses of other arguments.  Those that differ from one of them in
	 * the argument alone are not tried. */
	const struct json_value *other[TRIAL_OTHER_MAX];
	unsigned others;
};

struct trial {
	const struct trial_bench *bench;
	struct warm *warms; /* WARM_KINDS, of the place where it runs */
	const struct flag *flag;
	const struct runner *runner; /* NULL: none for that file */
	enum trial_phase phase;
	int64_t deadline_ms; /* CLOCK_MONOTONIC, when the flag's time is over */
	char *file;          /* the flag's, normalised; malloc'd */
	struct buf source;
	char file_blake3[BLAKE3_TEXT_BYTES]; /* "" = was not read */
	struct payload synthesis;            /* owns witnesses and ranges */
	const struct json_value *witnesses;  /* array */
	size_t next, tried;
	unsigned slow;
	struct trial_explored explored;
	struct trial_control control;
	struct harness run;               /* the current run, or none */
	const struct json_value *witness; /* of the current run */
	struct verdict current;           /* of the current run */
	struct verdict best;              /* of the flag so far */
	const struct json_value *best_witness;
	size_t best_at; /* its place in the list, or that of its origin */
	/* A smaller witness that confirmed; NULL = none did. */
	const struct json_value *small;
	size_t shrink_at;     /* candidate that is tried next */
	unsigned shrink_runs; /* tried so far */
};

/* trial_start -- begin the trial of flag.  It may be done at once.  Whatever
 * goes wrong, here or later, becomes the status of its record.
 *
 * @t	zeroed by the caller; trial_done() frees it */
void trial_start(struct trial *t, const struct trial_bench *bench,
		 struct warm *warms, const struct flag *flag);

/* trial_synthesis_find -- the answer of the synthesis; NULL: nothing valid. */
const struct json_value *trial_synthesis_find(const struct trial *t);

/* trial_fd -- readable when trial_step() has work; -1 when it is done. */
int trial_fd(const struct trial *t);

/* trial_left_ms -- how long poll(2) may wait: then trial_step() has work even
 * if trial_fd() is not readable; -1: for ever. */
int trial_left_ms(const struct trial *t);

/* trial_step -- do what can be done; never blocks.  When the flag's time is
 * over, the current run is ended, and what was found by then goes into the
 * record. */
void trial_step(struct trial *t);

/* trial_record -- append the record's line, newline included.  The phase must
 * be TRIAL_DONE. */
void trial_record(const struct trial *t, int64_t ts_ms, struct buf *out);

/* trial_cancel -- tell its vessel to end; never blocks.  Call trial_done()
 * next. */
void trial_cancel(struct trial *t);

/* trial_done -- free it; fine if it is zeroed. */
void trial_done(struct trial *t);

#endif
