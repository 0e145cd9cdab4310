/* html_change.h -- what changed in the tree, on the page of a gate. */
#ifndef CUPEL_JOBS_GATE_SHOW_HTML_CHANGE_H
#define CUPEL_JOBS_GATE_SHOW_HTML_CHANGE_H

#include "boundary/json.h"

struct buf;

/* html_change_write -- packages, and whatever else has changed.
 *
 * @change	what the evidence change.json holds; hostile, and may be anything
 * Writes nothing where nothing has changed. */
void html_change_write(const struct json_value *change, struct buf *out);

#endif
