/* tracer_stop.h -- seizes processes and handles their stops. */
#ifndef CUPEL_TRACER_TRACER_STOP_H
#define CUPEL_TRACER_TRACER_STOP_H

#include "tracer/tracer.h"

/* command_seize -- trace that process and all that it starts; they die with us.
 * Returns 0 or -errno. */
int command_seize(pid_t pid);

/* stops_take -- handle some of what has stopped or ended.  Waits for it while
 * there is nothing else to do; the end of the supervisor then comes as a signal.
 * Returns 0 if that was all for now, 1 if there may be more, -ECHILD if no
 * process is traced. */
int stops_take(struct tracer *t);

#endif
