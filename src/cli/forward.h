/* forward.h -- passes the terminal's signals on to a run. */
#ifndef CUPEL_CLI_FORWARD_H
#define CUPEL_CLI_FORWARD_H

#include <stdbool.h>

struct cupel_run;

/* forward_signals -- from now on send SIGTERM, SIGINT, SIGHUP and SIGQUIT to
 * run, except those that the caller ignores (nohup). */
void forward_signals(struct cupel_run *run);

/* forward_no_more -- the run has ended, so stop forwarding.
 *
 * @is_final	the remaining work may wait for somebody, so a signal ends us */
void forward_no_more(bool is_final);

#endif
