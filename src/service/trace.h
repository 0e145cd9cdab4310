/* trace.h -- the run's trace id. */
#ifndef CUPEL_SERVICE_TRACE_H
#define CUPEL_SERVICE_TRACE_H

#define TRACE_ID_BYTES 33 /* 32 hexadecimal digits, NUL */

/* trace_id_make -- the id that the request gives, else the one in the caller's
 * TRACEPARENT, else a random one.
 *
 * @given	already checked; NULL = not given */
void trace_id_make(const char *given, char ret[TRACE_ID_BYTES]);

#endif
