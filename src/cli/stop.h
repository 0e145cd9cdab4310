/* stop.h -- turns the signals that end a long job into a descriptor. */
#ifndef CUPEL_CLI_STOP_H
#define CUPEL_CLI_STOP_H

/* stop_unblock -- unblock the signals that end a command.  Whoever started us may
 * have blocked them (a launcher that waits with sigwait), and could end us by
 * SIGKILL alone. */
void stop_unblock(void);

/* stop_open -- block SIGINT, SIGTERM and SIGHUP, and make a descriptor that
 * they make readable.  Signals that the caller ignores (nohup) stay ignored.
 * Returns the descriptor, owned by the caller, or -1. */
int stop_open(void);

/* stop_signal -- the signal that arrived; the exit status is 128 + its
 * number. */
int stop_signal(int stop_fd);

#endif
