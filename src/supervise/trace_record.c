/* trace_record.c -- turns a record of the tracer into an event; pure. */
#include <string.h>

#include "supervise/clock.h"
#include "supervise/trace.h"

static struct trace_text text_take(const char **at, size_t n)
{
	struct trace_text t = { *at, n };

	*at += n;
	return t;
}

static bool is_sound(const struct trace_record *r, size_t n)
{
	size_t texts = (size_t)r->path_len + r->interpreter_len + r->argv_len;

	return (r->kind == TRACER_SAYS_EXEC ||
		r->kind == TRACER_SAYS_CONNECT) &&
	       texts == n - sizeof *r && r->path_len <= TRACER_PATH_BYTES &&
	       r->interpreter_len <= TRACER_PATH_BYTES &&
	       r->argv_len <= TRACER_WORDS * (TRACER_WORD_BYTES + 1) &&
	       r->pid >= 0 && r->ppid >= 0 && r->result >= 0 &&
	       r->result < 4096;
}

bool trace_record_read(const char *bytes, size_t n, uint64_t begun_ns,
		       struct trace_event *ret)
{
	struct trace_record r;
	const char *at = bytes + sizeof r;

	if (n < sizeof r)
		return false;
	memcpy(&r, bytes, sizeof r);
	if (!is_sound(&r, n))
		return false;
	*ret = (struct trace_event){
		.kind = r.kind == TRACER_SAYS_EXEC ? TRACE_EVENT_EXEC
						   : TRACE_EVENT_CONNECT,
		.verified = (r.flags & TRACE_VERIFIED) != 0,
		.sealed = (r.flags & TRACE_SEALED) != 0,
		.is_named = (r.flags & TRACE_NAMED) != 0,
		.argv_cut = (r.flags & TRACE_CUT) != 0,
		.has_argv_hash = (r.flags & TRACE_HASHED) != 0,
		.t_ms = r.t_ns > begun_ns ? (r.t_ns - begun_ns) / NS_PER_MS : 0,
		.pid = r.pid,
		.ppid = r.ppid,
		.result = r.result,
		.repeats = r.repeats,
		.family = r.family,
		.type = r.type,
		.port = r.port,
	};
	memcpy(ret->address, r.address, sizeof ret->address);
	memcpy(ret->argv_hash, r.argv_hash, sizeof ret->argv_hash);
	ret->path = text_take(&at, r.path_len);
	if (r.interpreter_len > 0)
		ret->interpreter = text_take(&at, r.interpreter_len);
	ret->argv = text_take(&at, r.argv_len);
	if (r.kind == TRACER_SAYS_CONNECT && r.path_len == 0)
		ret->path = (struct trace_text){ 0 };
	return true;
}
