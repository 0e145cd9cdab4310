/* stub_private.h -- between the files of the stub. */
#ifndef CUPEL_RELAY_STUB_PRIVATE_H
#define CUPEL_RELAY_STUB_PRIVATE_H

#include "relay/stub.h"

/* stub_ask -- one message from inside: it is answered, now or later, or
 * dropped. */
void stub_ask(struct relay *r, const uint8_t *bytes, size_t len,
	      const struct stub_way *way);

/* datagram_answer, stream_answer -- send it; what cannot be sent at once is
 * lost, as datagrams are. */
void datagram_answer(struct relay *r, const struct stub_way *way,
		     const uint8_t *bytes, size_t len);
void stream_answer(struct relay *r, const struct stub_way *way,
		   const uint8_t *bytes, size_t len);

#endif
