/* fields.h -- the request in a public handle, for the command line.
 *
 * Room: lib.
 *
 * Must:     be the calls of cupel.h, each one call of the rooms below
 * Must not: hold logic, or be asked by a room below it
 */
#ifndef CUPEL_LIB_FIELDS_H
#define CUPEL_LIB_FIELDS_H

#include "cupel.h"

struct outcome;
struct spec;

/* cupel_spec_fields -- the struct spec that the handle wraps; it lives as long
 * as the handle.  Not exported: the command line reads its options into it. */
struct spec *cupel_spec_fields(struct cupel_spec *spec);

/* cupel_run_terminal -- our end of the command's terminal, where the request
 * had spec.terminal set; borrowed until cupel_run_free.  -1 before the command
 * has started, and when there is none.  Not exported. */
int cupel_run_terminal(const struct cupel_run *run);

/* cupel_run_outcome -- after the end: what was seen of the run; NULL when no
 * vessel was made.  Borrowed until cupel_run_free.  Not exported. */
const struct outcome *cupel_run_outcome(const struct cupel_run *run);

#endif
