/* hooks.h -- the one way from here to what only tests may ask of a run, which lies
 * in tests/hooks: walls that are taken down, and system calls that fail.
 *
 * In builds without CUPEL_TEST_HOOKS, and so in all that is installed, nothing of
 * it is left: both questions are constants, and keep none of their arguments. */
#ifndef CUPEL_BASE_HOOKS_H
#define CUPEL_BASE_HOOKS_H

#include <stdbool.h>

#ifdef CUPEL_TEST_HOOKS
#include "hooks/drop.h"
#include "hooks/test_hooks.h"
#include "hooks/test_wall.h"
#else
#define test_drops(hooks, wall) false
#define test_wall_is_down(wall) false
#endif

#endif
