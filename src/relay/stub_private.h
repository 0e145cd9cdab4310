/* stub_private.h -- between the files of the stub. */
#ifndef CUPEL_RELAY_STUB_PRIVATE_H
#define CUPEL_RELAY_STUB_PRIVATE_H

#include "relay/stub.h"

/* stub_ask -- take one message from inside: answer it now or later, or drop
 * it. */
void stub_ask(struct relay *r, const uint8_t *bytes, size_t len,
	      const struct stub_way *way);

/* datagram_answer, stream_answer -- send the answer.  If it cannot be sent at
 * once it is lost, as datagrams may be. */
void datagram_answer(struct relay *r, const struct stub_way *way,
		     const uint8_t *bytes, size_t len);
void stream_answer(struct relay *r, const struct stub_way *way,
		   const uint8_t *bytes, size_t len);

#endif
