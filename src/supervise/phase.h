/* phase.h -- what the supervisor does about each event, as one table.
 *
 * Pure: no descriptors, no clock, no signals.  loop.c turns what epoll reports
 * into events and actions into system calls; this file only decides, so that
 * every cell is a unit test.
 */
#ifndef CUPEL_SUPERVISE_PHASE_H
#define CUPEL_SUPERVISE_PHASE_H

enum phase {
	PHASE_STARTING, /* init builds; the command does not run yet */
	PHASE_RUNNING,  /* the command was exec'd */
	PHASE_KILLING,  /* init was told to kill the command and report */
	PHASE_STOPPING, /* init got SIGKILL; its end is awaited */
	PHASE_DRAINING, /* nothing but init lives; what the pipes hold is read */
	PHASE_DONE,
	PHASE_MAX_
};

enum event {
	EVENT_STARTED,      /* RECORD_STARTED, the command runs */
	EVENT_NOT_STARTED,  /* RECORD_STARTED, but exec itself failed */
	EVENT_SETUP_FAILED, /* RECORD_FAILED */
	EVENT_EXITED,       /* RECORD_EXITED: the command was reaped */
	EVENT_LIMIT,        /* one of the limits that we hold was passed */
	EVENT_SIGNAL,       /* the caller asks to forward a signal */
	EVENT_KILL,         /* the caller asks for an immediate end */
	EVENT_LATE,         /* the time limit of this phase has run out */
	EVENT_GONE,         /* init ended, and with it every process */
	EVENT_HUNG_UP,      /* init without a PID namespace: all else is dead */
	EVENT_DRAINED,      /* every pipe is at its end */
	EVENT_BROKEN,       /* our own failure, or a malformed record */
	EVENT_MAX_
};

enum action {
	DO_NOTHING,
	DO_WATCH,   /* start the watchdog */
	DO_FORWARD, /* order init to signal the command; patience: kill-after */
	DO_ASK,     /* order init to kill the command; patience: short */
	DO_KILL,    /* SIGKILL through the pidfd; patience: until gone */
	DO_BLAME,   /* as DO_KILL, and note that init broke the protocol */
	DO_DRAIN, /* init killed the rest: SIGKILL for it; patience: the drain */
	DO_REAP,  /* reap init; patience: the drain */
	DO_FINISH,  /* close all, complete the outcome */
	DO_GIVE_UP, /* as DO_FINISH, with a process that did not die */
	ACTION_MAX_
};

struct step {
	enum phase next;
	enum action action;
};

/* phase_step -- the one transition function.
 *
 * Every pair of phase and event has a row.  A phase never goes back. */
struct step phase_step(enum phase now, enum event what);

#endif
