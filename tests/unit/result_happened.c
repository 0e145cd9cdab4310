/* result_happened.c -- "egress" and "trace" of a result: shape, joins, and what
 * hostile names become. */
#include "tap.h"

#include <errno.h>
#include <sys/socket.h>

#include "boundary/json.h"
#include "boundary/schema.h"
#include "plan/plan.h"
#include "result/json.h"
#include "spec/schemas.h"
#include "spec/spec.h"
#include "supervise/outcome.h"

#define HASH                                                                   \
	"blake3:0123456789abcdef0123456789abcdef0123456789abcdef0123456789ab"  \
	"cdef"

static const char *rules[] = { "a.example:443" };
static struct buf text;
static struct arena arena;
static struct json_value json;

static struct plan a_plan(bool is_scoped, bool is_traced)
{
	struct plan p = { .backend = BACKEND_NAMESPACES,
			  .loopback = is_scoped,
			  .policy_hash = HASH,
			  .requested = WALL_BIT(WALL_NETWORK) };

	p.egress.is_wanted = is_scoped;
	p.egress.texts = rules;
	p.egress.texts_len = 1;
	p.trace_asked = (struct trace_plan){ is_traced, is_traced };
	if (is_traced)
		p.requested |= WALL_BIT(WALL_TRACE);
	return p;
}

static void satisfies_the_schema(void)
{
	const struct data_text *schema = schema_text_find("result");
	struct schema_set *set = schema_set_new();
	struct schema_fault fault = { 0 };
	struct schema_report report = { 0 };

	ok_int(schema_set_add(set, NULL, schema->bytes, schema->len, &fault),
	       0);
	ok_int(schema_set_use(set, NULL, &fault), 0);
	ok_int(schema_validate(set, &json, &arena, &report, &fault), 0);
	for (size_t i = 0; i < report.len; i++)
		fprintf(stderr, "# %s: %s\n", report.violations[i].instance,
			report.violations[i].message);
	ok(report.valid);
	schema_set_free(set);
}

static void make(const struct plan *plan, struct outcome *o)
{
	static const char *words[] = { "true", NULL };
	const struct spec spec = { .argv = words, .argc = 1 };
	const struct verdict v = { .started = true };
	const struct payload payload = { 0 };
	const struct result_facts f = {
		.spec = &spec,
		.plan = plan,
		.outcome = o,
		.verdict = &v,
		.payload = &payload,
		.trace_id = "0123456789abcdef0123456789abcdef",
		.spec_hash = HASH,
	};
	const struct json_caps caps = { .text_bytes = (size_t)64 << 20 };
	struct json_error bad;

	if (o != NULL)
		o->started = true;
	buf_done(&text);
	arena_done(&arena);
	result_write(&f, &text);
	ok(!buf_has_failed(&text));
	ok_int(json_parse(text.bytes, text.len, &caps, &arena, &json, &bad), 0);
	satisfies_the_schema();
}

static void has(const char *part)
{
	if (strstr(text.bytes, part) == NULL)
		fprintf(stderr, "# %s\n# lacks %s\n", text.bytes, part);
	ok(strstr(text.bytes, part) != NULL);
}

static struct egress_entry entry_of(const char *host, unsigned port,
				    enum egress_reason reason)
{
	struct egress_entry e = { .port = (uint16_t)port,
				  .reason = reason,
				  .is_allowed = reason == EGRESS_REACHED,
				  .connections = 1 };

	memcpy(e.host, host, strlen(host) + 1);
	return e;
}

static void a_run_without_them_has_null(void)
{
	struct plan plan = a_plan(false, false);
	struct outcome o = { 0 };

	make(&plan, &o);
	has("\"egress\":null,\"egress_omitted\":0,\"trace\":null}");
	has("\"trace\":{\"requested\":false,\"applied\":null,"
	    "\"details\":null}");
	make(NULL, NULL);
	has("\"egress\":null,\"egress_omitted\":0,\"trace\":null}");
}

static void what_was_reached_is_told_by_host_and_verdict(void)
{
	struct plan plan = a_plan(true, false);
	struct outcome o = { .applied = WALL_BIT(WALL_NETWORK) };
	struct egress_entry e = entry_of("a.example", 443, EGRESS_REACHED);

	e.family = AF_INET;
	memcpy(e.address, "\xcb\x00\x71\x05", 4);
	e.bytes_in = 7;
	e.first_ms = 3;
	egress_book_add(&o.egress, &e);
	e = entry_of("", 53, EGRESS_NO_RULE);
	e.family = AF_INET6;
	e.address[0] = 0x20;
	e.is_udp = true;
	egress_book_add(&o.egress, &e);
	e = entry_of("b.example", 0, EGRESS_NO_RULE);
	egress_book_add(&o.egress, &e);
	o.egress.omitted = 9;
	make(&plan, &o);
	has("\"egress\":[{\"host\":\"a.example\",\"address\":\"203.0.113.5\","
	    "\"port\":443,\"protocol\":\"tcp\",\"verdict\":\"allowed\","
	    "\"reason\":null,\"connections\":1,\"bytes_in\":7,"
	    "\"bytes_out\":0,\"first_ms\":3},");
	has("{\"host\":null,\"address\":\"2000::\",\"port\":53,"
	    "\"protocol\":\"udp\",\"verdict\":\"refused\","
	    "\"reason\":\"no_rule\"");
	has("{\"host\":\"b.example\",\"address\":null,\"port\":null,"
	    "\"protocol\":\"name\",\"verdict\":\"refused\"");
	has("\"egress_omitted\":9");
	has("\"network\":{\"requested\":true,\"applied\":true,\"details\":"
	    "{\"mode\":\"scoped\",\"audit\":false,"
	    "\"rules\":[\"a.example:443\"]}}");
	egress_book_done(&o.egress);
}

static void an_audit_holds_nothing_and_says_so(void)
{
	struct plan plan = a_plan(true, false);
	struct outcome o = { .applied = WALL_BIT(WALL_NETWORK) };

	plan.egress.config.is_audit = 1;
	make(&plan, &o);
	has("\"network\":{\"requested\":false,\"applied\":false,\"details\":"
	    "{\"mode\":\"scoped\",\"audit\":true,");
}

static void a_name_that_is_none_is_masked(void)
{
	struct plan plan = a_plan(true, false);
	struct outcome o = { 0 };
	struct egress_entry e =
		entry_of("a\x1b[31m\xff\"\n.example", 443, EGRESS_NO_RULE);

	egress_book_add(&o.egress, &e);
	make(&plan, &o);
	has("\"host\":\"a??31m???.example\"");
	egress_book_done(&o.egress);
}

static void texts_of_a_trace_are_quoted(void)
{
	struct plan plan = a_plan(false, true);
	struct outcome o = { .trace = { .is_on = true, .is_whole = true },
			     .applied = WALL_BIT(WALL_TRACE) };
	struct trace_event e = {
		.kind = TRACE_EVENT_EXEC,
		.verified = true,
		.t_ms = 4,
		.pid = 2,
		.ppid = 1,
		.path = { "/bin/\"\n\xff", 8 },
		.argv = { "sh\0\0a\x01", 7 },
	};

	trace_log_add(&o.trace, &e);
	e.interpreter = (struct trace_text){ "/bin/sh", 7 };
	e.sealed = true;
	e.verified = false;
	e.result = ENOENT;
	e.repeats = 3;
	trace_log_add(&o.trace, &e);
	make(&plan, &o);
	has("{\"t_ms\":4,\"pid\":2,\"ppid\":1,\"kind\":\"exec\","
	    "\"path\":\"/bin/\\\"\\n\xef\xbf\xbd\",\"argv\":[\"sh\",\"\","
	    "\"a\\u0001\"],\"argv_cut\":false,\"interpreter\":null,"
	    "\"path_verified\":true,\"sealed\":false,\"result\":0,"
	    "\"repeats\":0,\"verified\":true}");
	has("\"interpreter\":\"/bin/sh\",\"path_verified\":false,"
	    "\"sealed\":true,\"result\":2,"
	    "\"repeats\":3,\"verified\":false}");
	has("\"coverage_ok\":true,\"coverage\":[]}");
	has("\"trace\":{\"requested\":true,\"applied\":true,\"details\":"
	    "{\"exec\":true,\"connect\":true}}");
	trace_log_done(&o.trace);
}

static struct trace_event connect_to(unsigned family, const char *address,
				     size_t n, unsigned port)
{
	struct trace_event e = { .kind = TRACE_EVENT_CONNECT,
				 .verified = true,
				 .pid = 2,
				 .family = (uint16_t)family,
				 .type = SOCK_STREAM,
				 .port = (uint16_t)port };

	memcpy(e.address, address, n);
	return e;
}

static void a_connect_is_joined_with_the_book(void)
{
	static const uint8_t inside[4] = { 198, 18, 1, 1 };
	struct plan plan = a_plan(true, true);
	struct outcome o = { .trace = { .is_on = true, .is_whole = true },
			     .egress.is_on = true };
	struct egress_entry down =
		entry_of("a.example", 443, EGRESS_CONNECT_FAILED);
	struct trace_event e = connect_to(AF_INET, "\xc6\x12\x01\x01", 4, 443);

	egress_book_note_name(&o.egress, inside, "a.example");
	egress_book_add(&o.egress, &down);
	trace_log_add(&o.trace, &e);
	make(&plan, &o);
	has("\"kind\":\"connect\",\"family\":\"inet\",\"type\":\"stream\","
	    "\"address\":\"198.18.1.1\",\"host\":\"a.example\",\"port\":443,"
	    "\"path\":null,\"verdict\":\"refused\",\"result\":0,"
	    "\"attributed\":true,\"verified\":true}");
	down = entry_of("a.example", 443, EGRESS_REACHED);
	egress_book_add(&o.egress, &down);
	e = connect_to(AF_INET6, "\0\0\0\0\0\0\0\0\0\0\xff\xff\xc6\x12\x01\x01",
		       16, 443);
	trace_log_add(&o.trace, &e);
	make(&plan, &o);
	has("\"family\":\"inet6\",\"type\":\"stream\","
	    "\"address\":\"::ffff:198.18.1.1\",\"host\":\"a.example\","
	    "\"port\":443,\"path\":null,\"verdict\":\"allowed\"");
	trace_log_done(&o.trace);
	egress_book_done(&o.egress);
}

static void a_socket_of_files_has_a_path_and_no_port(void)
{
	struct plan plan = a_plan(false, true);
	struct outcome o = { .trace = { .is_on = true, .is_whole = true } };
	struct trace_event e = connect_to(AF_UNIX, "", 0, 0);

	e.path = (struct trace_text){ "\0abstract", 9 };
	e.result = ECONNREFUSED;
	e.unattributed = true;
	trace_log_add(&o.trace, &e);
	make(&plan, &o);
	has("\"family\":\"unix\",\"type\":\"stream\",\"address\":null,"
	    "\"host\":null,\"port\":null,\"path\":\"\\u0000abstract\","
	    "\"verdict\":\"refused\",\"result\":111,\"attributed\":false");
	trace_log_done(&o.trace);
}

static void coverage_is_whole_only_without_any_gap(void)
{
	struct plan plan = a_plan(false, true);
	struct outcome o = { 0 };

	make(&plan, &o); /* no tracer was running */
	has("\"coverage_ok\":false,\"coverage\":[]");
	o.trace.is_on = true; /* it did not reach its end */
	make(&plan, &o);
	has("\"coverage_ok\":false,\"coverage\":[]");
	o.trace.is_whole = true;
	make(&plan, &o);
	has("\"coverage_ok\":true,\"coverage\":[]");
	o.trace.lost = 1;
	make(&plan, &o);
	has("\"lost\":1,\"coverage_ok\":false");
	o.trace.lost = 0;
	trace_log_note_gap(&o.trace, TRACE_GAP_FOREIGN_ABI, 2);
	trace_log_note_gap(&o.trace, TRACE_GAP_TRACER_REFUSED, 1);
	make(&plan, &o);
	has("\"coverage_ok\":false,\"coverage\":[{\"cause\":\"tracer_refused\","
	    "\"count\":1},{\"cause\":\"foreign_abi\",\"count\":2}]");
	trace_log_done(&o.trace);
}

int main(void)
{
	int r = tap_run((struct tap_case[]){
		CASE(a_run_without_them_has_null),
		CASE(what_was_reached_is_told_by_host_and_verdict),
		CASE(an_audit_holds_nothing_and_says_so),
		CASE(a_name_that_is_none_is_masked),
		CASE(texts_of_a_trace_are_quoted),
		CASE(a_connect_is_joined_with_the_book),
		CASE(a_socket_of_files_has_a_path_and_no_port),
		CASE(coverage_is_whole_only_without_any_gap),
		TAP_END,
	});

	buf_done(&text);
	arena_done(&arena);
	return r;
}
