/* trace.c -- decides what is traced of a run. */
#include "plan/trace.h"

#include <errno.h>

#include "base/error.h"
#include "plan/backend.h"
#include "plan/build.h"

int build_trace(struct build *b, struct cupel_error *err)
{
	struct plan *p = b->plan;

	p->trace.exec = (b->spec->trace & TRACE_EXEC) != 0;
	p->trace.connect = (b->spec->trace & TRACE_CONNECT) != 0;
	p->trace_asked = p->trace;
	if (b->spec->trace == TRACE_NONE || backend_has(p->backend, WALL_TRACE))
		return 0;
	p->trace = (struct trace_plan){ false, false };
	p->missing |= WALL_BIT(WALL_TRACE);
	if (b->spec->allow_partial)
		return 0; /* build_lesser says why, of all that is missing */
	return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_HOST, EOPNOTSUPP,
			  "--trace needs --backend namespaces");
}
