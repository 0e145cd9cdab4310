/* wall.h -- the relay gives up what it does not need.
 *
 * After relay_wall_raise it can open no file (Landlock where the kernel has it,
 * and a filter), start no program, get no memory and no privilege, and make no
 * sockets but TCP and UDP ones.  Where the kernel's Landlock knows ports, TCP
 * connects only to the ports of rules. */
#ifndef CUPEL_RELAY_WALL_H
#define CUPEL_RELAY_WALL_H

#include "relay/protocol.h"
#include "relay/rule.h"

/* wall_limit -- set the limits for as many connections as the policy asks for,
 * or as many as the host allows: *ret_connections.  Returns 0, or -errno when
 * not even one is possible. */
int wall_limit(const struct policy *p, size_t *ret_connections);

/* relay_wall_raise -- raise every wall.  Returns 0, or -errno and the stage
 * that failed. */
int relay_wall_raise(const struct policy *p, enum relay_stage *ret_stage);

#endif
