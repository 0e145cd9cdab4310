/* The result as text: keys, order, values, and the published schema. */
#include "result/json.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "boundary/json.h"
#include "boundary/schema.h"
#include "json_at.h"
#include "plan/plan.h"
#include "spec/schemas.h"
#include "spec/spec.h"
#include "supervise/artifact.h"

#define HASH                                                                   \
	"blake3:0123456789abcdef0123456789abcdef0123456789abcdef0123456789ab"  \
	"cdef"

static const char *words[] = { "sh", "-c", "x\xff", NULL };
static struct plan_limit limits[] = {
	{ RLIMIT_CPU, 30, 31, WALL_RLIMIT_CPU },
	{ RLIMIT_AS, SPEC_UNLIMITED, SPEC_UNLIMITED, WALL_RLIMIT_AS },
};

static struct plan a_plan(void)
{
	return (struct plan){
		.backend = BACKEND_NAMESPACES,
		.ids = { .host_uid = 501, .kept_groups = 2 },
		.policy_hash = HASH,
		.filter = { .hash = HASH },
		.limits = limits,
		.limits_len = 2,
		.watch = { .wall_ms = 60000,
			   .cpu_ms = 30000,
			   .mem_bytes = 1 << 30,
			   .output_bytes = 5,
			   .output_mode = OUTPUT_KILL },
		.envc = 9,
		.requested =
			WALL_BIT(WALL_USERNS) | WALL_BIT(WALL_SECCOMP) |
			WALL_BIT(WALL_RLIMIT_CPU) | WALL_BIT(WALL_RLIMIT_AS) |
			WALL_BIT(WALL_MEMORY_TOTAL) | WALL_BIT(WALL_CPU_TREE) |
			WALL_BIT(WALL_REPO_OBJECTS) |
			WALL_BIT(WALL_OUTPUT_STDOUT) | WALL_BIT(WALL_NETWORK),
	};
}

/* Everything that a result is made from; filled by each case. */
struct made {
	struct spec spec;
	struct plan plan;
	struct outcome o;
	struct verdict v;
	struct payload payload;
	struct artifact_list artifacts;
	struct buf text;
	struct arena arena;
	struct json_value json;
};

/* Check it against the installed schema, with our own validator. */
static void satisfies_the_schema(struct made *m)
{
	const struct data_text *text = schema_text_find("result");
	struct schema_set *set = schema_set_new();
	struct schema_fault fault = { 0 };
	struct schema_report report = { 0 };

	ok(text != NULL && set != NULL);
	ok_int(schema_set_add(set, NULL, text->bytes, text->len, &fault), 0);
	ok_int(schema_set_use(set, NULL, &fault), 0);
	ok_int(schema_validate(set, &m->json, &m->arena, &report, &fault), 0);
	for (size_t i = 0; i < report.len; i++)
		fprintf(stderr, "# %s: %s\n", report.violations[i].instance,
			report.violations[i].message);
	ok(report.valid);
	schema_set_free(set);
}

static void make(struct made *m, bool has_vessel)
{
	struct result_facts f = {
		.spec = &m->spec,
		.plan = has_vessel ? &m->plan : NULL,
		.outcome = has_vessel ? &m->o : NULL,
		.verdict = &m->v,
		.payload = &m->payload,
		.artifacts = &m->artifacts,
		.trace_id = "0123456789abcdef0123456789abcdef",
		.spec_hash = HASH,
	};
	struct json_error bad;

	result_write(&f, &m->text);
	ok(!buf_has_failed(&m->text));
	ok_int(json_parse(m->text.bytes, m->text.len, NULL, &m->arena, &m->json,
			  &bad),
	       0);
	satisfies_the_schema(m);
}

static void unmake(struct made *m)
{
	buf_done(&m->text);
	arena_done(&m->arena);
}

static void starts(const struct made *m, const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0; i < n; i++)
		if (m->text.bytes[i] != text[i]) {
			fprintf(stderr, "# at %zu: %.40s, wanted %.40s\n", i,
				m->text.bytes + i, text + i);
			tap_bad++;
			return;
		}
}

static struct made a_run(void)
{
	struct made m = {
		.spec = { .argv = words, .argc = 3 },
		.plan = a_plan(),
		.o = { .started = true,
		       .has_status = true,
		       .tmpfs_fd = -1,
		       .duration_ms = 1234,
		       .applied =
			       WALL_BIT(WALL_USERNS) | WALL_BIT(WALL_SECCOMP) |
			       WALL_BIT(WALL_RLIMIT_CPU) |
			       WALL_BIT(WALL_REPO_OBJECTS) |
			       WALL_BIT(WALL_OUTPUT_STDOUT) |
			       WALL_BIT(WALL_NETWORK) | WALL_BIT(WALL_LANDLOCK),
		       .refused = WALL_BIT(WALL_RLIMIT_AS),
		       .objects_by_filter = true,
		       .cpu_user_us = 5999,
		       .tree_cpu_us = 8000,
		       .has_memory_peak = true,
		       .memory_peak_bytes = 77,
		       .memory_interval_ms = 10,
		       .memory_overshoot_bytes = 160 },
	};

	return m;
}

static void a_whole_result_is_as_written_here(void)
{
	struct made m = a_run();

	m.o.applied |= WALL_BIT(WALL_RLIMIT_AS);
	buf_text(&m.o.out.kept, "ab\xc3\xa9\n");
	m.o.out.bytes = 5;
	verdict_build(&m.plan, &m.o, 0, &m.v);
	make(&m, true);
	starts(&m, "{\"version\":\"1.0\",\"status\":\"OK\",\"rc\":0,"
		   "\"reason\":null,\"message\":null,\"stage\":null,"
		   "\"cause\":null,\"partial\":false,\"started\":true,"
		   "\"stdout\":\"ab\xc3\xa9\\n\",\"stdout_bytes\":5,"
		   "\"stdout_truncated\":false,\"stdout_replaced\":false,"
		   "\"stderr\":\"\",\"stderr_bytes\":0,"
		   "\"stderr_truncated\":false,\"stderr_replaced\":false,"
		   "\"duration_ms\":1234,\"cmd\":[\"sh\",\"-c\",\"x\xef\xbf"
		   "\xbd\"],\"programs\":[],\"traceId\":"
		   "\"0123456789abcdef0123456789abcdef\","
		   "\"backend\":\"namespaces\","
		   "\"isolation_class\":\"shared_kernel\",\"signal\":null,"
		   "\"enforced\":{\"userns\":{\"requested\":true,"
		   "\"applied\":true,\"details\":null},");
	ok_json(m.text.bytes, "",
		"{\"usage\":{\"cpu_user_ms\":5,\"cpu_system_ms\":0,"
		"\"cpu_tree_ms\":8,\"max_rss_kib\":0,"
		"\"peak_memory_bytes\":77,\"oom_kills\":null,"
		"\"processes\":0,\"processes_killed\":0,\"tasks\":null},"
		"\"limits_met\":[],\"violation\":null,"
		"\"spec_hash\":\"" HASH "\",\"policy_hash\":\"" HASH "\","
		"\"payload\":null,\"payload_status\":\"absent\","
		"\"payload_error\":null,\"artifacts\":[],\"egress\":null,"
		"\"egress_omitted\":0,\"trace\":null}");
	buf_done(&m.o.out.kept);
	unmake(&m);
}

static void walls_are_told_one_by_one(void)
{
	static const char *const rows[] = {
		"{\"mountns\":{\"requested\":false,\"applied\":null,"
		"\"details\":null}}",
		"{\"repo_objects\":{\"requested\":true,\"applied\":true,"
		"\"details\":{\"by\":\"filter\"}}}",
		"{\"supplementary_groups\":{\"requested\":false,"
		"\"applied\":false,\"details\":{\"count\":2}}}",
		"{\"seccomp\":{\"requested\":true,\"applied\":true,"
		"\"details\":{\"policy\":\"" HASH "\"}}}",
		"{\"landlock\":{\"requested\":false,\"applied\":true,"
		"\"details\":null}}",
		"{\"rlimit_cpu\":{\"requested\":true,\"applied\":true,"
		"\"details\":{\"soft\":30,\"hard\":31}}}",
		"{\"rlimit_as\":{\"requested\":true,\"applied\":false,"
		"\"details\":{\"soft\":null,\"hard\":null}}}",
		"{\"memory_total\":{\"requested\":true,\"applied\":null,"
		"\"details\":{\"by\":\"watchdog\",\"bound\":\"estimate\","
		"\"bytes\":1073741824,\"interval_ms\":10,"
		"\"overshoot_bytes\":160}}}",
		"{\"cpu_tree\":{\"requested\":true,\"applied\":null,"
		"\"details\":{\"method\":\"sampling\",\"bound\":\"lower\","
		"\"ms\":30000}}}",
		"{\"output_stdout\":{\"requested\":true,\"applied\":true,"
		"\"details\":{\"bytes\":5,\"mode\":\"kill\"}}}",
		"{\"network\":{\"requested\":true,\"applied\":true,"
		"\"details\":{\"mode\":\"none\"}}}",
		"{\"env\":{\"requested\":false,\"applied\":null,"
		"\"details\":null}}",
		"{\"trace\":{\"requested\":false,\"applied\":null,"
		"\"details\":null}}",
	};
	struct made m = a_run();

	verdict_build(&m.plan, &m.o, 0, &m.v);
	make(&m, true);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ok_json(m.text.bytes, "/enforced", rows[i]);
	ok_json(m.text.bytes, "/enforced/memory_total/details/counted/0",
		"\"resident\"");
	ok_int(json_find(&m.json, "enforced")->u.object.len, WALL_MAX_);
	unmake(&m);
}

static void of_a_cgroup_is_told_what_it_holds(void)
{
	static const char *const rows[] = {
		"{\"memory_total\":{\"requested\":true,\"applied\":true,"
		"\"details\":{\"by\":\"cgroup\",\"version\":2,"
		"\"bytes\":1073741824,\"overshoot_bytes\":4194304,"
		"\"uncounted\":[\"file_locks\"]}}}",
		"{\"cpu_tree\":{\"requested\":true,\"applied\":true,"
		"\"details\":{\"method\":\"cgroup\",\"bound\":\"exact\","
		"\"ms\":30000,\"uncounted\":[\"kernel_threads\"],"
		"\"max_milli\":1500}}}",
		"{\"pids\":{\"requested\":true,\"applied\":true,"
		"\"details\":{\"by\":\"cgroup\",\"max\":65}}}",
		"{\"swap\":{\"requested\":false,\"applied\":true,"
		"\"details\":{\"by\":\"cgroup\",\"bytes\":0}}}",
	};
	struct made m = a_run();

	m.plan.requested |= WALL_BIT(WALL_PIDS);
	m.plan.cgroup = (struct plan_cgroup){ .kind = CGROUP_ROOT,
					      .pids = 65,
					      .cpu_milli = 1500 };
	m.o.applied |= WALL_BIT(WALL_CPU_TREE) | WALL_BIT(WALL_SWAP) |
		       WALL_BIT(WALL_PIDS) | WALL_BIT(WALL_MEMORY_TOTAL);
	m.o.has_cgroup = true;
	m.o.cgroup_held = CGROUP_MEMORY | CGROUP_PIDS | CGROUP_CPU;
	m.o.oom_kills = 3;
	verdict_build(&m.plan, &m.o, 0, &m.v);
	make(&m, true);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ok_json(m.text.bytes, "/enforced", rows[i]);
	ok_json(m.text.bytes, "/usage/oom_kills", "3");
	unmake(&m);
	m = a_run(); /* --cpu-max, and the launch got no cgroup */
	m.o.missing = WALL_BIT(WALL_CPU_TREE);
	verdict_build(&m.plan, &m.o, 0, &m.v);
	ok(m.v.partial);
	make(&m, true);
	ok_json(m.text.bytes, "/enforced",
		"{\"cpu_tree\":{\"requested\":true,\"applied\":false}}");
	unmake(&m);
}

static void a_violation_has_every_field(void)
{
	struct made m = a_run();

	m.o.killed = KILL_FORBIDDEN_SYSCALL;
	m.o.violation = (struct violation){
		.any = true,
		.number = 165,
		.arch = 0xc000003e,
		.args = { 0, 1, 0xdeadbeef, 3, 4, UINT64_MAX },
		.pid = 2,
		.comm = "a\x1b\xff\"",
	};
	verdict_build(&m.plan, &m.o, 0, &m.v);
	make(&m, true);
	ok_json(m.text.bytes, "",
		"{\"violation\":{\"syscall\":\"mount\",\"number\":165,"
		"\"arch\":\"x86_64\",\"args\":[\"0x0\",\"0x1\",\"0xdeadbeef\","
		"\"0x3\",\"0x4\",\"0xffffffffffffffff\"],\"pid\":2,"
		"\"comm\":\"a\\u001b\xef\xbf\xbd\\\"\"}}");
	unmake(&m);
	m = a_run();
	m.o.killed = KILL_FORBIDDEN_SYSCALL; /* nobody saw which one */
	verdict_build(&m.plan, &m.o, 0, &m.v);
	make(&m, true);
	ok_json(m.text.bytes, "", "{\"violation\":null}");
	unmake(&m);
}

static void a_run_that_never_was_has_all_keys(void)
{
	struct made m = a_run();
	struct cupel_error err = { 0 };

	(void)cupel_fail(&err, CUPEL_STAGE_NAMESPACE, CUPEL_CAUSE_HOST, 1,
			 "no user namespaces here");
	verdict_of_error(&err, 0, &m.v);
	make(&m, false);
	ok_json(m.text.bytes, "",
		"{\"status\":\"INTERNAL_ERROR\",\"rc\":1,"
		"\"reason\":\"userns_refused\","
		"\"message\":\"no user namespaces here\","
		"\"stage\":\"namespace\",\"cause\":\"host\"}");
	ok_json(m.text.bytes, "", "{\"policy_hash\":null}");
	unmake(&m);
	/* planned, launched, and stopped before the command */
	m = a_run();
	m.o = (struct outcome){ .error = err, .tmpfs_fd = -1 };
	verdict_build(&m.plan, &m.o, 0, &m.v);
	make(&m, true);
	ok_json(m.text.bytes, "/enforced",
		"{\"userns\":{\"requested\":true,\"applied\":false,"
		"\"details\":null}}");
	unmake(&m);
}

static void payloads_and_artifacts_are_told(void)
{
	struct artifact items[2] = {
		{ .path = "/scratch/a\n\xff\\", .skipped = "not_regular" },
		{ .path = "/scratch/b",
		  .dst = "b",
		  .bytes = 3,
		  .blake3 = HASH },
	};
	struct payload_limits caps = { .bytes = 100 };
	struct made m = a_run();

	payload_read("{\"a\":1}", 7, 7, NULL, &caps, &m.payload);
	m.artifacts.items = items;
	m.artifacts.len = 2;
	verdict_build(&m.plan, &m.o, 0, &m.v);
	make(&m, true);
	ok_json(m.text.bytes, "",
		"{\"payload\":{\"a\":1},\"payload_status\":\"valid\","
		"\"payload_error\":null}");
	ok_json(m.text.bytes, "/artifacts",
		"[{\"path\":\"/scratch/a\\\\x0a\\\\xff\\\\\\\\\","
		"\"dst\":null,\"bytes\":null,\"blake3\":null,"
		"\"skipped\":\"not_regular\"},{\"path\":\"/scratch/b\","
		"\"dst\":\"b\",\"bytes\":3,\"blake3\":\"" HASH "\","
		"\"skipped\":null}]");
	payload_done(&m.payload);
	unmake(&m);
	m = a_run();
	payload_read("{\"a\":1,}", 8, 8, NULL, &caps, &m.payload);
	verdict_build(&m.plan, &m.o, 0, &m.v);
	make(&m, true);
	ok_json(m.text.bytes, "",
		"{\"payload\":null,\"payload_status\":\"malformed\","
		"\"payload_error\":{}}");
	payload_done(&m.payload);
	unmake(&m);
}

static void hostile_output_cannot_break_out(void)
{
	static const char hostile[] = "\"},\"status\":\"OK\"\0\x1b[2J\xc3";
	struct made m = a_run();

	buf_add(&m.o.errs.kept, hostile, sizeof hostile - 1);
	m.o.errs.bytes = 1000;
	m.o.errs.truncated = true;
	m.o.wait_status = 1 << 8;
	verdict_build(&m.plan, &m.o, 0, &m.v);
	make(&m, true);
	ok(json_is_text(json_find(&m.json, "status"), "FAILED"));
	ok_json(m.text.bytes, "",
		"{\"stderr\":\"\\\"},\\\"status\\\":\\\"OK\\\"\\u0000\\u001b[2J"
		"\\n[TRUNCATED]\\n\",\"stderr_bytes\":1000,"
		"\"stderr_truncated\":true,\"stderr_replaced\":false}");
	buf_done(&m.o.errs.kept);
	unmake(&m);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_whole_result_is_as_written_here),
		CASE(walls_are_told_one_by_one),
		CASE(of_a_cgroup_is_told_what_it_holds),
		CASE(a_violation_has_every_field),
		CASE(a_run_that_never_was_has_all_keys),
		CASE(payloads_and_artifacts_are_told),
		CASE(hostile_output_cannot_break_out), TAP_END });
}
