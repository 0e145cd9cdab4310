/* template.c -- the plan of a vessel whose command is copied, held to a file, which
 * says how it differs from its copies' plan.  UPDATE_GOLDEN=1 writes it anew. */
#include "tap.h"

#include "base/buf.h"
#include "base/error.h"
#include "golden/fake_plan.h"
#include "golden/golden.h"
#include "plan/template.h"
#include "spec/profile.h"

struct made {
	struct fake_plan copies;
	struct plan own;
};

static struct cupel_error err;

static int made_plan(struct made *m, const char *name, const char *value)
{
	static const char *const argv[] = { "prog", NULL };
	const char *const options[][2] = { { name, value }, { NULL } };

	*m = (struct made){ 0 };
	return fake_plan_make(options, argv, &m->copies, &err);
}

static void made_done(struct made *m)
{
	plan_done(&m->own);
	fake_plan_done(&m->copies);
}

static void is_as_written_down(void)
{
	owned_buf struct buf copies = { 0 }, json = { 0 };
	struct made m;

	ok_int(made_plan(&m, "profile", "python-function"), 0);
	ok_int(plan_make_template(&m.copies.plan, &m.own, &err), 0);
	m.own.policy_hash = NULL; /* that of its copies */
	m.copies.plan.policy_hash = NULL;
	plan_write_json(&m.copies.plan, &copies);
	plan_write_json(&m.own, &json);
	ok(golden_is_diff("template.diff", &copies, &json));
	made_done(&m);
}

static void the_plan_of_the_copies_is_left_alone(void)
{
	owned_buf struct buf before = { 0 }, after = { 0 };
	struct made m;

	ok_int(made_plan(&m, "profile", "python-function"), 0);
	plan_write_json(&m.copies.plan, &before);
	ok_int(plan_make_template(&m.copies.plan, &m.own, &err), 0);
	plan_done(&m.own);
	plan_write_json(&m.copies.plan, &after);
	ok(strcmp(after.bytes, before.bytes) == 0);
	made_done(&m);
}

static void there_is_none_of_what_copies_could_not_be(void)
{
	static const char *const others[][2] = {
		{ "repo-mode", "overlay" },
		{ "allow-partial", NULL },
		{ "backend", "landlock" },
		{ "artifact", "/scratch/a:/b" },
	};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct made m;

		ok_int(made_plan(&m, others[i][0], others[i][1]), 0);
		ok(plan_make_template(&m.copies.plan, &m.own, &err) < 0);
		ok_int(err.cause, CUPEL_CAUSE_HOST);
		made_done(&m);
	}
}

/* A relay serves the one vessel that it was started with. */
static void there_is_none_with_scoped_egress(void)
{
	struct made m;

	ok_int(made_plan(&m, "profile", "python-function"), 0);
	m.copies.plan.egress.is_wanted = true;
	ok(plan_make_template(&m.copies.plan, &m.own, &err) < 0);
	ok_has(err.what, "scoped egress");
	made_done(&m);
}

static void there_is_none_with_a_trace(void)
{
	struct made m;

	ok_int(made_plan(&m, "profile", "python-function"), 0);
	m.copies.plan.trace.exec = true;
	ok(plan_make_template(&m.copies.plan, &m.own, &err) < 0);
	ok_has(err.what, "a trace");
	made_done(&m);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(is_as_written_down),
		CASE(the_plan_of_the_copies_is_left_alone),
		CASE(there_is_none_of_what_copies_could_not_be),
		CASE(there_is_none_with_scoped_egress),
		CASE(there_is_none_with_a_trace),
		TAP_END,
	});
}
