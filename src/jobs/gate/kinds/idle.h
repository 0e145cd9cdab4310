/* idle.h -- whether a script of package.json does anything. */
#ifndef CUPEL_JOBS_GATE_KINDS_IDLE_H
#define CUPEL_JOBS_GATE_KINDS_IDLE_H

#include <stdbool.h>

#include "boundary/json.h"

/* script_is_idle -- whether a shell's command line clearly runs nothing that
 * could fail.  Every part of it is echo, printf, true, :, sleep or exit 0, or
 * its status comes from one of these ("mocha || true", "mocha; exit 0").
 *
 * A script that hides it better is not found.  What a tree's own programs do
 * shows in their report and their trace. */
bool script_is_idle(struct json_text command);

#endif
