/* trace_filter.h -- the filter that stops traced calls, below the policy's. */
#ifndef CUPEL_PLAN_TRACE_FILTER_H
#define CUPEL_PLAN_TRACE_FILTER_H

#include <stddef.h>
#include <stdint.h>

#include "plan/trace.h"

struct sock_filter; /* linux/filter.h */

#define TRACE_FILTER_MAX 96 /* instructions */

/* trace_filter_build -- SECCOMP_RET_TRACE with enum tracer_call for the calls
 * that are traced, ALLOW for the others; whatever the policy refuses, it refuses
 * first (seccomp(2): the most severe answer holds).  Where connects are traced,
 * what would connect without connect(2) gets an errno: a send with MSG_FASTOPEN,
 * TCP_FASTOPEN_CONNECT, and every socket but local ones, netlink's, and those of
 * TCP, UDP and ICMP.
 *
 * @ret		TRACE_FILTER_MAX of them
 * @arch	AUDIT_ARCH_*, of the calls whose numbers this program knows
 * Returns how many instructions; 0 when nothing is traced. */
size_t trace_filter_build(const struct trace_plan *plan, uint32_t arch,
			  struct sock_filter *ret);

#endif
