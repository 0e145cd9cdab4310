/* wall.h -- the relay gives up what it does not need.
 *
 * After relay_wall_raise it can open no file (Landlock where the kernel has it, and a
 * filter), start no program, get no memory and no privilege, and make no socket
 * but TCP's and UDP's; TCP connects to the rules' ports alone where the kernel's
 * Landlock knows ports. */
#ifndef CUPEL_RELAY_WALL_H
#define CUPEL_RELAY_WALL_H

#include "relay/protocol.h"
#include "relay/rule.h"

/* wall_limit -- the limits, for as many connections as the policy has, or fewer:
 * *ret_connections is how many there can be.
 * Returns 0, or -errno when not even one can be. */
int wall_limit(const struct policy *p, size_t *ret_connections);

/* relay_wall_raise -- all of it.  Returns 0, or -errno and the stage that failed. */
int relay_wall_raise(const struct policy *p, enum relay_stage *ret_stage);

#endif
