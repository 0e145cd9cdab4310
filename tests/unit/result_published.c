/* result_published.c -- what is written as a result satisfies its schema. */
#include "published.h"

#include "base/buf.h"
#include "base/error.h"
#include "plan/plan.h"
#include "result/json.h"
#include "spec/canonical.h"
#include "spec/profile.h"

static struct cupel_error err;

/* The result of a run that ended like this, and whether the schema accepts
 * it. */
static int result_is_valid(const struct verdict *v, const struct outcome *o)
{
	struct schema_set *set = open_schema("result");
	const char *const words[] = { "true", "\xff" };
	char hash[BLAKE3_TEXT_BYTES] = "";
	struct buf out = { 0 };
	struct spec s = { 0 };
	const struct plan plan = {
		.backend = BACKEND_NAMESPACES,
		.requested = WALL_BIT(WALL_MAX_) - 1,
		.filter.hash = "blake3:x",
		.policy_hash = "blake3:00112233445566778899aabbccddeeff"
			       "00112233445566778899aabbccddeeff",
	};
	const struct result_facts facts = {
		.spec = &s,
		.plan = o != NULL ? &plan : NULL,
		.outcome = o,
		.verdict = v,
		.trace_id = "0af7651916cd43dd8448eb211c80319c",
		.spec_hash = hash,
	};
	int r;

	ok_int(spec_init(&s, &err), 0);
	ok_int(spec_set_command(&s, words, 2, &err), 0);
	ok_int(spec_hash(&s, hash, &err), 0);
	result_write(&facts, &out);
	r = is_valid(set, out.bytes, out.len, true);
	buf_done(&out);
	spec_done(&s);
	schema_set_free(set);
	return r;
}

static void results_satisfy_their_schema(void)
{
	struct outcome o = { .started = true, .tmpfs_fd = -1 };
	struct verdict v = { .status = CUPEL_OK, .started = true };
	struct cupel_error e = { .what = "no" };

	ok_int(result_is_valid(&v, &o), 1);
	v.rc = 1; /* OK with rc 1: the schema refuses that */
	ok_int(result_is_valid(&v, &o), 0);
	v = (struct verdict){ .status = CUPEL_TIMEOUT,
			      .rc = 124,
			      .started = true,
			      .reason = REASON_WALL_TIME };
	ok_int(result_is_valid(&v, &o), 1);
	v = (struct verdict){ .status = CUPEL_FORBIDDEN_SYSCALL,
			      .rc = 159,
			      .started = true,
			      .reason = REASON_FORBIDDEN_SYSCALL };
	o.violation = (struct violation){ .any = true,
					  .number = 165,
					  .arch = 0xc000003e,
					  .pid = 3,
					  .comm = "x" };
	ok_int(result_is_valid(&v, &o), 1);
	for (int stage = 1; stage < CUPEL_STAGE_MAX_; stage++)
		for (int cause = 1; cause < CUPEL_CAUSE_MAX_; cause++) {
			e.stage = (enum cupel_stage)stage;
			e.cause = (enum cupel_cause)cause;
			verdict_of_error(&e, 0, &v);
			ok_int(result_is_valid(&v, NULL), 1);
		}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(results_satisfy_their_schema),
		TAP_END,
	});
}
