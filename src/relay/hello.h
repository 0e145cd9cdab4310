/* hello.h -- the name that a ClientHello asks for.  Pure. */
#ifndef CUPEL_RELAY_HELLO_H
#define CUPEL_RELAY_HELLO_H

#include <stddef.h>
#include <stdint.h>

#include "relay/protocol.h"

/* Largest ClientHello with its record heads.  With the largest keys in use it
 * has 2 KiB, with a session ticket up to 11 KiB. */
#define HELLO_BYTES_MAX 32768

/* hello_read -- the server's name in the first message of TLS, in lower case:
 * RFC 8446, section 4.1.2, and RFC 6066, section 3.
 *
 * Returns 0; -EAGAIN while it is incomplete; -ENOENT when it carries no name,
 * or one that no host can have; -EBADMSG when it is no ClientHello or longer
 * than HELLO_BYTES_MAX. */
int hello_read(const uint8_t *bytes, size_t len,
	       char ret_name[RELAY_NAME_BYTES]);

#endif
