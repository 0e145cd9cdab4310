/* resolver_private.h -- between the files of the resolver. */
#ifndef CUPEL_RELAY_RESOLVER_PRIVATE_H
#define CUPEL_RELAY_RESOLVER_PRIVATE_H

#include "relay/resolver.h"

/* query_open -- ask for the name's addresses of a type.  Returns 0; -EAGAIN if
 * there is no room now, so that it has to be asked later; or -EIO when no
 * server can be asked. */
int query_open(struct relay *r, uint16_t name, uint16_t type);

/* query_close -- end the query and free its place. */
void query_close(struct relay *r, struct query *q);

/* query_fail -- that server gave no answer, so ask the next one or give up.
 * The query may have ended afterwards, with name_note_failure called. */
void query_fail(struct relay *r, struct query *q);

/* name_note_answer, name_note_failure -- note the outcome of one question. */
void name_note_answer(struct relay *r, uint16_t name, uint16_t type,
		      const struct dns_answer *a);
void name_note_failure(struct relay *r, uint16_t name, uint16_t type);

#endif
