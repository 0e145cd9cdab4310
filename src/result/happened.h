/* happened.h -- writes "egress" and "trace" of a result. */
#ifndef CUPEL_RESULT_HAPPENED_H
#define CUPEL_RESULT_HAPPENED_H

#include <stdint.h>

struct egress_book;
struct jsonw;
struct outcome;
struct plan;

/* egress_write -- write "egress" and "egress_omitted"; null and 0 when the
 * network was not scoped. */
void egress_write(struct jsonw *w, const struct plan *plan,
		  const struct outcome *o);

/* trace_write -- write "trace"; null when no trace was asked for. */
void trace_write(struct jsonw *w, const struct plan *plan,
		 const struct outcome *o);

/* address_write -- write the member key: an address as text; null for a family
 * that is neither AF_INET nor AF_INET6. */
void address_write(struct jsonw *w, const char *key, uint16_t family,
		   const uint8_t address[16]);

/* host_write -- write the member key: a host's name, with a question mark for
 * each byte that cannot be in a name; null for "" and NULL. */
void host_write(struct jsonw *w, const char *key, const char *host);

#endif
