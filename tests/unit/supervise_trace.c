/* supervise_trace.c -- a record of the tracer is accepted only if it is whole
 * and every number is in its range. */
#include "tap.h"

#include <sys/socket.h>

#include "supervise/run.h"
#include "supervise/trace.h"

struct packet {
	struct trace_record r;
	char texts[32];
};

static struct packet packet_of(void)
{
	return (struct packet){
		.r = { .kind = TRACER_SAYS_EXEC,
		       .flags = TRACE_VERIFIED | TRACE_SEALED,
		       .path_len = 4,
		       .interpreter_len = 3,
		       .argv_len = 5,
		       .pid = 7,
		       .ppid = 2,
		       .repeats = 1,
		       .t_ns = 5000000 },
		.texts = "/bin/sha\0bc",
	};
}

#define WHOLE (sizeof(struct trace_record) + 12)

static bool is_read(const struct packet *p, size_t n)
{
	struct trace_event e;

	return trace_record_read((const char *)p, n, 0, &e);
}

static void reads_every_field(void)
{
	struct packet p = packet_of();
	struct trace_event e;

	ok(trace_record_read((const char *)&p, WHOLE, 2000000, &e));
	ok(e.kind == TRACE_EVENT_EXEC && e.verified && e.sealed && !e.argv_cut);
	ok_int((intmax_t)e.t_ms, 3);
	ok_int(e.pid, 7);
	ok_int(e.ppid, 2);
	ok_int(e.repeats, 1);
	ok(e.path.len == 4 && memcmp(e.path.bytes, "/bin", 4) == 0);
	ok(e.interpreter.len == 3 &&
	   memcmp(e.interpreter.bytes, "/sh", 3) == 0);
	ok(e.argv.len == 5 && memcmp(e.argv.bytes, "a\0bc", 5) == 0);
}

static void reads_a_connect(void)
{
	struct packet p = packet_of();
	struct trace_event e;

	p.r.kind = TRACER_SAYS_CONNECT;
	p.r.path_len = p.r.interpreter_len = p.r.argv_len = 0;
	p.r.family = AF_INET;
	p.r.port = 443;
	p.r.address[3] = 9;
	p.r.result = 111;
	ok(trace_record_read((const char *)&p, sizeof p.r, 0, &e));
	ok(e.kind == TRACE_EVENT_CONNECT && e.path.bytes == NULL);
	ok_int(e.port, 443);
	ok_int(e.address[3], 9);
	ok_int(e.result, 111);
}

static void refuses_other_lengths(void)
{
	struct packet p = packet_of();

	ok(is_read(&p, WHOLE));
	ok(!is_read(&p, WHOLE - 1));
	ok(!is_read(&p, WHOLE + 1));
	ok(!is_read(&p, sizeof p.r - 1));
	ok(!is_read(&p, 0));
	p.r.argv_len = UINT16_MAX;
	ok(!is_read(&p, WHOLE));
}

static void refuses_numbers_out_of_range(void)
{
	struct packet p = packet_of();

	p.r.kind = TRACER_SAYS_END;
	ok(!is_read(&p, WHOLE));
	p = packet_of();
	p.r.pid = -1;
	ok(!is_read(&p, WHOLE));
	p = packet_of();
	p.r.ppid = -1;
	ok(!is_read(&p, WHOLE));
	p = packet_of();
	p.r.result = 4096;
	ok(!is_read(&p, WHOLE));
	p.r.result = -1;
	ok(!is_read(&p, WHOLE));
}

static void what_was_told_before_the_start_has_no_time(void)
{
	struct packet p = packet_of();
	struct trace_event e;

	ok(trace_record_read((const char *)&p, WHOLE, UINT64_MAX, &e));
	ok_int((intmax_t)e.t_ms, 0);
}

/* The tracer's time to become ready is also a run's that nobody traces: it must not
 * end a run that may go on without. */
static void waits_for_no_tracer_once_the_command_runs_without(void)
{
	static struct run r;

	r.trace = (struct trace_watch){ .state = TRACE_STATE_STARTING,
					.deadline_ns = 1000 };
	trace_note_start(&r);
	trace_judge(&r, 2000);
	ok_int(r.out.error.stage, CUPEL_STAGE_NONE);
	ok(r.trace.deadline_ns == RUN_NEVER);
	ok_int(r.trace.state, TRACE_STATE_STARTING);
	r.trace.deadline_ns = 1000;
	r.out.applied = WALL_BIT(WALL_TRACE);
	trace_note_start(&r);
	ok(r.trace.deadline_ns == 1000);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(reads_every_field), CASE(reads_a_connect),
		CASE(refuses_other_lengths), CASE(refuses_numbers_out_of_range),
		CASE(what_was_told_before_the_start_has_no_time),
		CASE(waits_for_no_tracer_once_the_command_runs_without),
		TAP_END });
}
