/* jobs_gate_judge.c -- strict AND, for every combination of the outcomes of
 * kinds. */
#include "jobs/gate/judge.h"

#include "tap.h"

#define KINDS 6U

/* The signals that a kind can have. */
enum end { PASSED, FAILED, FINAL, UNREACHED, MISSING, END_MAX_ };

static const char *const names[KINDS] = { "install", "build",  "tests",
					  "trace",   "policy", "cve_delta" };

static struct gate_ask asks[KINDS];
static struct gate gate;

static void gate_fill(unsigned required, unsigned retryable)
{
	gate = (struct gate){ .name = "g", .asks = asks, .asks_len = KINDS };
	for (unsigned i = 0; i < KINDS; i++)
		asks[i] = (struct gate_ask){
			.name = names[i],
			.required = (required >> i & 1) != 0,
			.retryable = (retryable >> i & 1) != 0,
		};
}

static void signals_fill(unsigned code, struct gate_signal *list,
			 struct gate_attempt *a)
{
	*a = (struct gate_attempt){ .signals = list };
	for (unsigned i = 0; i < KINDS; i++, code /= END_MAX_) {
		enum end end = (enum end)(code % END_MAX_);

		if (end == MISSING)
			continue;
		list[a->signals_len++] = (struct gate_signal){
			.kind = names[i],
			.passed = end == PASSED,
			.is_final = end == FINAL,
			.is_unreached = end == UNREACHED,
		};
	}
}

/* The same, computed in another way: which kinds fail, and whether one
 * forbids. */
static void expect(unsigned code, unsigned required, unsigned retryable,
		   size_t *ret_failing, bool *ret_retryable)
{
	*ret_failing = 0;
	*ret_retryable = true;
	for (unsigned i = 0; i < KINDS; i++, code /= END_MAX_) {
		enum end end = (enum end)(code % END_MAX_);
		bool may = (retryable >> i & 1) != 0;

		if ((required >> i & 1) == 0 || end == PASSED)
			continue;
		++*ret_failing;
		if (end == FINAL || (end != UNREACHED && !may))
			*ret_retryable = false;
	}
	if (*ret_failing == 0)
		*ret_retryable = false;
}

static void every_combination_is_judged_as_it_is_written(void)
{
	static const unsigned masks[] = { 0x3f, 0x07, 0x01, 0x2a };
	unsigned all = 1, wrong = 0;

	for (unsigned i = 0; i < KINDS; i++)
		all *= END_MAX_;
	for (unsigned m = 0; m < 4; m++)
		for (unsigned code = 0; code < all; code++) {
			struct gate_signal list[KINDS];
			struct gate_attempt a;
			struct gate_verdict v;
			size_t failing;
			bool retryable;

			gate_fill(masks[m], 0x37 & ~m);
			signals_fill(code, list, &a);
			gate_judge(&gate, &a, &v);
			expect(code, masks[m], 0x37 & ~m, &failing, &retryable);
			wrong += v.failing_len != failing ||
				 v.passed != (failing == 0) ||
				 v.retryable != retryable || v.lost ||
				 v.is_too_weak;
		}
	ok_int((intmax_t)wrong, 0);
}

static void what_was_lost_judges_nothing(void)
{
	struct gate_signal list[KINDS];
	struct gate_attempt a;
	struct gate_verdict v;

	gate_fill(0x3f, 0x3f);
	signals_fill(0, list, &a);
	a.lost = true;
	gate_judge(&gate, &a, &v);
	ok(v.lost && !v.passed && v.retryable);
	ok_int((intmax_t)v.failing_len, 0);
}

static void a_lesser_class_never_passes(void)
{
	struct gate_signal list[KINDS];
	struct gate_attempt a;
	struct gate_verdict v;

	for (int asked = 0; asked < GATE_ISOLATION_MAX_; asked++)
		for (int had = 0; had < GATE_ISOLATION_MAX_; had++) {
			gate_fill(0x3f, 0x3f);
			signals_fill(0, list, &a);
			gate.isolation = (enum gate_isolation)asked;
			a.isolation = (enum gate_isolation)had;
			gate_judge(&gate, &a, &v);
			ok(v.passed == (had >= asked));
			ok(v.is_too_weak == (had < asked));
			ok(!v.retryable);
		}
}

static void who_requires_nothing_gets_nothing(void)
{
	struct gate_signal list[KINDS];
	struct gate_attempt a;
	struct gate_verdict v;

	gate_fill(0, 0x3f);
	signals_fill(0, list, &a);
	gate_judge(&gate, &a, &v);
	ok(!v.passed);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(every_combination_is_judged_as_it_is_written),
		CASE(what_was_lost_judges_nothing),
		CASE(a_lesser_class_never_passes),
		CASE(who_requires_nothing_gets_nothing), TAP_END });
}
