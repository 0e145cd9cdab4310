/* egress.h -- the supervisor's side of the relay of scoped egress.
 *
 * The records come from a process that reads hostile bytes.  Each is checked,
 * and its content is reported but never acted on. */
#ifndef CUPEL_SUPERVISE_EGRESS_H
#define CUPEL_SUPERVISE_EGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/egress.h"
#include "supervise/egress_book.h"

struct control_message;
struct run;

enum egress_state {
	EGRESS_NONE,     /* the network is not scoped */
	EGRESS_STARTING, /* it confines itself, init makes its sockets */
	EGRESS_SERVING,
	EGRESS_ENDING, /* it was told to end and sends its last records */
	EGRESS_OVER,   /* its last record came, or it is dead */
};

struct egress_watch {
	enum egress_state state;
	bool is_ready, has_sockets;
	uint64_t deadline_ns; /* of STARTING and ENDING; else UINT64_MAX */
	uint64_t made[2];     /* struct record's network_made */
	size_t len;
	int sockets[EGRESS_SOCKETS_MAX]; /* owned, until the relay has them */
};

/* egress_init -- wait for the relay that was started with the vessel, if one
 * was; r->epoll_fd and r->child are there.  Returns 0 or -errno. */
int egress_init(struct run *r, int relay_fd);

/* egress_take_sockets -- RECORD_NETWORK came.  Once the relay is ready it gets
 * the sockets, and init may start the command. */
void egress_take_sockets(struct run *r, struct control_message *m);

/* egress_run -- read what the relay says; a dead relay ends the run. */
void egress_run(struct run *r);

/* egress_judge -- act when the time of its state has run out. */
void egress_judge(struct run *r, uint64_t now_ns);

/* egress_end -- nothing inside lives any more, so tell the relay to end.
 * Calling it again does nothing. */
void egress_end(struct run *r);

/* egress_is_over -- whether nothing more will come from it. */
bool egress_is_over(const struct run *r);

/* egress_done -- close everything that belongs to the relay. */
void egress_done(struct run *r);

/* --- pure -------------------------------------------------------------------- */

/* egress_record_is_sound -- whether every number is in its range and every name
 * ends. */
bool egress_record_is_sound(const struct relay_record *rec);

/* egress_entry_fill -- the entry of a result for a final record.
 *
 * @begun_ns	the start of the run
 * Returns whether there is one; a question for an allowed name makes none. */
bool egress_entry_fill(const struct relay_record *rec, uint64_t begun_ns,
		       struct egress_entry *ret);

#endif
