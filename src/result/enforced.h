/* enforced.h -- "enforced": one row for each wall, attested. */
#ifndef CUPEL_RESULT_ENFORCED_H
#define CUPEL_RESULT_ENFORCED_H

struct jsonw;
struct outcome;
struct plan;

/* enforced_write -- write the object "enforced", with exactly the keys of
 * plan/wall.h.
 *
 * @o		NULL, or of a vessel that never reported: then nothing counts as
 *		applied, because nobody looked
 *
 * details hold nothing that differs between two runs of one request on one
 * host: no time, pid, inode or measured value. */
void enforced_write(struct jsonw *w, const struct plan *plan,
		    const struct outcome *o);

#endif
