/* egress.h -- what attacks on scoped egress share. */
#ifndef CUPEL_ADVERSARIAL_EGRESS_H
#define CUPEL_ADVERSARIAL_EGRESS_H

#include <stddef.h>

/* host_connect -- a stream to a host, by an address in any form or by a name
 * that the name server at 127.0.0.1 knows; in ten seconds at most.
 * Returns the socket, which does not block, or -1 with errno: ENOENT or ENODATA
 * for a name. */
int host_connect(const char *host, unsigned port);

/* echo_read -- send n bytes, and wait until something comes back.
 * Returns 0, or -1 with errno; ECONNRESET if it was closed without an answer. */
int echo_read(int fd, const void *text, size_t n);

#endif
