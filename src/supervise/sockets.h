/* sockets.h -- asks the kernel what the queues of a vessel's sockets hold.
 *
 * That memory belongs to no process, so /proc does not show it.  A diagnostic
 * socket made in the vessel's network namespace lists all sockets there,
 * including those in flight and those that nobody has accepted.  Source:
 * sock_diag(7).
 * */
#ifndef CUPEL_SUPERVISE_SOCKETS_H
#define CUPEL_SUPERVISE_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reading a list may take more than one look.  Until it is complete, the result
 * of the last complete one counts. */
struct sockets {
	int fd;        /* borrowed, -1 = none */
	bool is_asked; /* a list is under way */
	bool has_inet; /* the round asks for TCP and UDP as well */
	unsigned kind; /* of the current list, or of the next one */
	uint64_t part_bytes, whole_bytes;
};

/* sockets_read -- go on asking until all lists are read or the time is up.
 *
 * @has_inet	TCP or UDP is in use.  Their tables belong to the whole host
 *		and are slow to read.
 * @text	room bytes of scratch memory
 * Returns the bytes of the last round or of this one, whichever is more. */
uint64_t sockets_read(struct sockets *s, bool has_inet, uint64_t deadline_ns,
		      char *text, size_t room);

/* sockets_has_inet -- whether the text of net/sockstat or net/sockstat6 says that
 * TCP or UDP is in use. */
bool sockets_has_inet(const char *text);

/* sockets_sum -- bytes of the sockets in one packet of an answer.  Pure.
 *
 * @ret_ends	whether the list ends with it
 * A sender that is gone is on no list, so its data count for the socket in
 * whose queue they lie. */
uint64_t sockets_sum(const char *packet, size_t len, bool *ret_ends);

#endif
