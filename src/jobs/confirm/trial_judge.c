/* trial_judge.c -- the verdict on the end of a call.  See trial_private.h. */
#include <string.h>

#include "jobs/confirm/trial_private.h"

/* A repeat, and a smaller witness, must raise the same class. */
static void class_hold(struct trial *t)
{
	if (t->phase == TRIAL_CALL || t->current.status != CONFIRM_CONFIRMED ||
	    strcmp(t->current.flag_class, t->best.flag_class) == 0)
		return;
	t->current.status = CONFIRM_NO_BUG;
	t->current.reason = "other-class";
}

struct verdict_rule trial_rule_of(const struct trial *t,
				  const struct harness *run)
{
	return (struct verdict_rule){
		.language = t->runner->language,
		.flag_class = t->flag->flag_class,
		.nonce = run != NULL ? run->nonce : "",
		.alarm_ms = t->runner->alarm_s * UINT64_C(1000),
		.cpu_alarm_ms = runner_cpu_alarm_ms(t->runner),
		.has_line = t->flag->line > 0,
		.ranges = json_find(&t->synthesis.value, "ranges"),
	};
}

bool trial_judge(struct trial *t, struct harness *run)
{
	struct vessel_result r;
	struct payload answer = { 0 };
	const struct verdict_rule rule = trial_rule_of(t, run);
	bool is_warm = run->seat != NULL, is_void;

	vessel_read(run->run, &r);
	is_void = is_warm && warm_is_void(&r);
	if (!is_void) {
		harness_payload_read(run, t->bench->call_schema, &answer);
		t->current = (struct verdict){ 0 };
		verdict_of_call(&r, &answer, &rule, &t->current);
		t->current.is_warm = is_warm;
		class_hold(t);
		payload_done(&answer);
	}
	if (is_warm && (is_void || t->warms[WARM_CALL].waiting == NULL))
		harness_done(run); /* the next is made in its place */
	if (is_void)
		warm_fail(&t->warms[WARM_CALL]);
	return !is_void;
}
