/* slot.h -- a place for one request: a thread that takes requests, does them
 * and answers them, one after the other. */
#ifndef CUPEL_WORKER_SLOT_H
#define CUPEL_WORKER_SLOT_H

struct cupel_error;
struct worker;
struct worker_slots;

/* worker_slots_start -- start w->jobs slots.
 *
 * @gone_fd	receives a count of one for each slot that has ended
 * Returns them, or NULL with *err. */
struct worker_slots *worker_slots_start(struct worker *w, int gone_fd,
					struct cupel_error *err);

/* worker_slots_join -- wait until all have ended, as w->drain_fd tells them to,
 * and free them. */
void worker_slots_join(struct worker_slots *s);

#endif
