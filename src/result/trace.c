/* trace.c -- writes what was executed and what was connected to, as JSON. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "base/blake3.h"
#include "base/jsonw.h"
#include "plan/plan.h"
#include "result/happened.h"
#include "supervise/outcome.h"

static const char *const gaps[] = {
	[TRACE_GAP_LIMIT] = "limit",
	[TRACE_GAP_TRACER_REFUSED] = "tracer_refused",
	[TRACE_GAP_FOREIGN_ABI] = "foreign_abi",
};
_Static_assert(sizeof gaps / sizeof *gaps == TRACE_GAP_MAX_,
	       "a word for every cause");

static void write_text(struct jsonw *w, const char *key,
		       const struct trace_text *t)
{
	if (t->bytes != NULL)
		jsonw_bytes(w, key, t->bytes, t->len);
	else
		jsonw_null(w, key);
}

static void write_argv(struct jsonw *w, const struct trace_text *argv)
{
	const char *at = argv->bytes;
	size_t left = at != NULL ? argv->len : 0;

	jsonw_array(w, "argv");
	while (left > 0) {
		size_t n = strnlen(at, left);

		jsonw_bytes(w, NULL, at, n);
		n += n < left; /* its NUL; the last word may have none */
		left -= n;
		at += n;
	}
	jsonw_end_array(w);
}

static void write_exec(struct jsonw *w, const struct trace_event *e)
{
	char digest[BLAKE3_TEXT_BYTES];

	jsonw_int(w, "ppid", e->ppid);
	jsonw_text(w, "kind", "exec");
	write_text(w, "path", &e->path);
	write_argv(w, &e->argv);
	jsonw_bool(w, "argv_cut", e->argv_cut);
	if (e->has_argv_hash) {
		blake3_hex(e->argv_hash, digest);
		jsonw_text(w, "argv_digest", digest);
	}
	write_text(w, "interpreter", &e->interpreter);
	jsonw_bool(w, "path_verified", e->verified && !e->is_named);
	jsonw_bool(w, "sealed", e->sealed);
	jsonw_int(w, "result", e->result);
	jsonw_uint(w, "repeats", e->repeats);
}

static const char *family_name(uint16_t family)
{
	switch (family) {
	case AF_INET:
		return "inet";
	case AF_INET6:
		return "inet6";
	case AF_UNIX:
		return "unix";
	case AF_UNSPEC:
		return "unspec";
	default:
		return "other";
	}
}

/* ::ffff:0:0/96 is IPv4 on an IPv6 socket (RFC 4291, 2.5.5.2). */
static const uint8_t *four_find(const struct trace_event *e)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	if (e->family == AF_INET)
		return e->address;
	if (e->family == AF_INET6 &&
	    memcmp(e->address, mapped, sizeof mapped) == 0)
		return e->address + sizeof mapped;
	return NULL;
}

static const char *host_find(const struct outcome *o,
			     const struct trace_event *e)
{
	const uint8_t *four = four_find(e);

	return four != NULL ? egress_book_find_name(&o->egress, four) : NULL;
}

static bool is_about(const struct egress_entry *entry,
		     const struct trace_event *e, const char *host)
{
	if (entry->port != e->port)
		return false;
	if (host != NULL)
		return strcmp(entry->host, host) == 0;
	return entry->family == e->family &&
	       memcmp(entry->address, e->address, sizeof e->address) == 0;
}

/* A connect that is in progress is not refused.  With a relay, connect(2)
 * succeeds before anyone outside has been reached: the book has the outcome. */
static bool is_allowed(const struct outcome *o, const struct trace_event *e,
		       const char *host)
{
	bool is_known = false;

	for (size_t i = 0; e->family != AF_UNIX && i < o->egress.len; i++) {
		const struct egress_entry *entry = &o->egress.entries[i];

		if (!is_about(entry, e, host))
			continue;
		if (entry->is_allowed)
			return true;
		is_known = true;
	}
	return !is_known && (e->result == 0 || e->result == EINPROGRESS);
}

static void write_connect(struct jsonw *w, const struct outcome *o,
			  const struct trace_event *e)
{
	bool is_inet = e->family == AF_INET || e->family == AF_INET6;
	const char *host = host_find(o, e);

	jsonw_text(w, "kind", "connect");
	jsonw_text(w, "family", family_name(e->family));
	jsonw_text_or_null(w, "type",
			   e->type == SOCK_STREAM  ? "stream"
			   : e->type == SOCK_DGRAM ? "dgram"
						   : NULL);
	address_write(w, "address", e->family, e->address);
	host_write(w, "host", host);
	if (is_inet)
		jsonw_uint(w, "port", e->port);
	else
		jsonw_null(w, "port");
	write_text(w, "path", &e->path);
	jsonw_text(w, "verdict",
		   is_allowed(o, e, host) ? "allowed" : "refused");
	jsonw_int(w, "result", e->result);
	jsonw_bool(w, "attributed", !e->unattributed);
}

static void write_event(struct jsonw *w, const struct outcome *o,
			const struct trace_event *e)
{
	jsonw_object(w, NULL);
	jsonw_uint(w, "t_ms", e->t_ms);
	jsonw_int(w, "pid", e->pid);
	if (e->kind == TRACE_EVENT_EXEC)
		write_exec(w, e);
	else
		write_connect(w, o, e);
	jsonw_bool(w, "verified", e->verified);
	jsonw_end_object(w);
}

/* The trace is complete if the tracer came to its end, nothing was lost, and
 * each cause of a gap has the count 0. */
static void write_coverage(struct jsonw *w, const struct trace_log *log)
{
	bool is_whole = log->is_on && log->is_whole && log->lost == 0 &&
			log->omitted == 0;

	for (int i = 0; i < TRACE_GAP_MAX_; i++)
		is_whole = is_whole && log->gaps[i] == 0;
	jsonw_bool(w, "coverage_ok", is_whole);
	jsonw_array(w, "coverage");
	for (int i = 0; i < TRACE_GAP_MAX_; i++) {
		if (log->gaps[i] == 0)
			continue;
		jsonw_object(w, NULL);
		jsonw_text(w, "cause", gaps[i]);
		jsonw_uint(w, "count", log->gaps[i]);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

void trace_write(struct jsonw *w, const struct plan *plan,
		 const struct outcome *o)
{
	static const struct outcome none;

	if (plan == NULL || (plan->requested & WALL_BIT(WALL_TRACE)) == 0) {
		jsonw_null(w, "trace");
		return;
	}
	if (o == NULL)
		o = &none;
	jsonw_object(w, "trace");
	jsonw_array(w, "events");
	for (size_t i = 0; i < o->trace.len; i++)
		write_event(w, o, &o->trace.events[i]);
	jsonw_end_array(w);
	jsonw_uint(w, "events_omitted", o->trace.omitted);
	jsonw_uint(w, "lost", o->trace.lost);
	write_coverage(w, &o->trace);
	jsonw_end_object(w);
}
