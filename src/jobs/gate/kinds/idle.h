/* idle.h -- whether a script of package.json does anything. */
#ifndef CUPEL_JOBS_GATE_KINDS_IDLE_H
#define CUPEL_JOBS_GATE_KINDS_IDLE_H

#include <stdbool.h>

#include "boundary/json.h"

/* script_is_idle -- whether a shell's command line can be told to run nothing that
 * could fail: every part of it is echo, printf, true, :, sleep or exit 0, or one
 * of these is what its status comes from ("mocha || true", "mocha; exit 0").
 *
 * A script that hides it better is not found: what a tree's own programs do is
 * seen by their report and their trace. */
bool script_is_idle(struct json_text command);

#endif
