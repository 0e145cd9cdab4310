/* trace_filter.h -- the filter that stops traced calls, below the policy's. */
#ifndef CUPEL_PLAN_TRACE_FILTER_H
#define CUPEL_PLAN_TRACE_FILTER_H

#include <stddef.h>
#include <stdint.h>

#include "plan/trace.h"

struct sock_filter; /* linux/filter.h */

#define TRACE_FILTER_MAX 96 /* instructions */

/* trace_filter_build -- SECCOMP_RET_TRACE with enum tracer_call for the calls
 * that are traced, ALLOW for the others.  What the policy refuses is still
 * refused first (seccomp(2): the most severe answer counts).  So that nobody
 * changes what the tracer reads, or lets it wait there, process_vm_writev(2) and
 * userfaultfd(2) get EPERM.  Where connects
 * are traced, all that connects without connect(2) gets an errno: a send with
 * MSG_FASTOPEN, TCP_FASTOPEN_CONNECT, and every socket except local ones,
 * netlink's, and those of TCP, UDP and ICMP.
 *
 * @ret		room for TRACE_FILTER_MAX instructions
 * @arch	AUDIT_ARCH_*, whose call numbers this program knows
 * Returns how many instructions; 0 when nothing is traced. */
size_t trace_filter_build(const struct trace_plan *plan, uint32_t arch,
			  struct sock_filter *ret);

#endif
