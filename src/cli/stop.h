/* stop.h -- the signals that end a long job, as a descriptor. */
#ifndef CUPEL_CLI_STOP_H
#define CUPEL_CLI_STOP_H

/* stop_open -- SIGINT, SIGTERM and SIGHUP are blocked, and make the descriptor
 * readable; those that the caller has ignored (nohup) stay so.
 * Returns it, owned by the caller, or -1. */
int stop_open(void);

/* stop_signal -- the signal that came; 128 + its number is the exit status. */
int stop_signal(int stop_fd);

#endif
