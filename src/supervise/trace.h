/* trace.h -- the supervisor's side of the tracer.
 *
 * The tracer looks at hostile processes: every record is checked, and what it
 * says is reported but never acted on. */
#ifndef CUPEL_SUPERVISE_TRACE_H
#define CUPEL_SUPERVISE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "supervise/trace_log.h"
#include "tracer/protocol.h"

struct control_message;
struct run;

enum trace_state {
	TRACE_STATE_NONE,     /* nothing is traced */
	TRACE_STATE_STARTING, /* it confines itself; it has no orders yet */
	TRACE_STATE_RUNNING,
	TRACE_STATE_ENDING, /* nothing inside lives; last records come */
	TRACE_STATE_OVER,
};

struct trace_watch {
	enum trace_state state;
	bool is_ready;
	uint64_t deadline_ns; /* of STARTING and ENDING; else UINT64_MAX */
};

/* trace_init -- wait for the tracer that was started with the vessel, if one
 * was; r->epoll_fd and r->child are there.  Returns 0 or -errno. */
int trace_init(struct run *r, int tracer_fd);

/* trace_take_socket -- RECORD_TRACER came: send the descriptor in m to the
 * tracer, with its orders. */
void trace_take_socket(struct run *r, struct control_message *m);

/* trace_note_start -- the command starts, and r->out.applied is known.  If init could
 * not be traced, nobody gives the tracer a socket any more, so nobody waits for
 * it. */
void trace_note_start(struct run *r);

/* trace_run -- read what the tracer says; a dead tracer ends the run. */
void trace_run(struct run *r);

/* trace_judge -- act when the time of its state has run out. */
void trace_judge(struct run *r, uint64_t now_ns);

/* trace_end -- nothing inside lives any more, or nothing ever did, so its last
 * records will come soon.  Calling it again does nothing. */
void trace_end(struct run *r);

/* trace_is_over -- whether nothing more will come from it. */
bool trace_is_over(const struct run *r);

/* trace_done -- close everything that belongs to the tracer. */
void trace_done(struct run *r);

/* --- pure -------------------------------------------------------------------- */

/* trace_record_read -- turn bytes[0..n-1] into an event.
 *
 * @begun_ns	the start of the run
 * @ret		its texts point into bytes
 * Returns whether it is one. */
bool trace_record_read(const char *bytes, size_t n, uint64_t begun_ns,
		       struct trace_event *ret);

#endif
