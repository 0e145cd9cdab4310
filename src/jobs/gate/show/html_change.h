/* html_change.h -- writes what changed in the tree, for the page of a gate. */
#ifndef CUPEL_JOBS_GATE_SHOW_HTML_CHANGE_H
#define CUPEL_JOBS_GATE_SHOW_HTML_CHANGE_H

#include "boundary/json.h"

struct buf;

/* html_change_write -- write the packages, and everything else that has
 * changed.
 *
 * @change	what the evidence change.json holds; hostile, and may be
 *		anything Writes nothing if nothing has changed. */
void html_change_write(const struct json_value *change, struct buf *out);

#endif
