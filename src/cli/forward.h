/* forward.h -- the terminal's signals, passed on to a run. */
#ifndef CUPEL_CLI_FORWARD_H
#define CUPEL_CLI_FORWARD_H

#include <stdbool.h>

struct cupel_run;

/* forward_signals -- from now on SIGTERM, SIGINT, SIGHUP and SIGQUIT go to run,
 * those apart that the caller has ignored (nohup). */
void forward_signals(struct cupel_run *run);

/* forward_no_more -- the run has ended.
 *
 * @is_final	what is left to do may wait for somebody: a signal ends us */
void forward_no_more(bool is_final);

#endif
