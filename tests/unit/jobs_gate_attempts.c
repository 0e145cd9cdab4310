/* jobs_gate_attempts.c -- what a gate does next, for every pair of state and
 * event, and for every path through the states. */
#include "jobs/gate/attempts.h"

#include "tap.h"

/* A letter for each next state: r(eady), R(unning), P(lanning), p(assed),
 * e(scalate), u(nrecoverable), h(ost), and - for none. */
static const char *const rows[ATTEMPTS_STATE_MAX_] = {
	/* begun done failed same final lost lost_all planned no_plan */
	[ATTEMPTS_READY] = "R--------",
	[ATTEMPTS_RUNNING] = "-pPuerh--",
	[ATTEMPTS_PLANNING] = "-------re",
	[ATTEMPTS_PASSED] = "---------",
	[ATTEMPTS_ESCALATE] = "---------",
	[ATTEMPTS_UNRECOVERABLE] = "---------",
	[ATTEMPTS_HOST] = "---------",
};

static void every_pair_has_its_next_state(void)
{
	for (int s = 0; s < ATTEMPTS_STATE_MAX_; s++)
		for (int e = 0; e < ATTEMPTS_EVENT_MAX_; e++) {
			struct attempts a = { .state = (enum attempts_state)s };
			enum attempts_state next = attempts_next(
				(enum attempts_state)s, (enum attempts_event)e);

			ok_int("rRPpeuh-"[next], rows[s][e]);
			ok_int(attempts_step(&a, (enum attempts_event)e),
			       rows[s][e] != '-');
			ok_int((int)a.state, rows[s][e] == '-' ? s : (int)next);
		}
	ok_int(attempts_next(ATTEMPTS_STATE_MAX_, ATTEMPTS_BEGUN),
	       ATTEMPTS_STATE_MAX_);
}

static void every_end_has_an_outcome(void)
{
	static const char *const names[] = {
		NULL,       NULL,       NULL,
		"passed",   "escalate", "failed_unrecoverable",
		"escalate",
	};

	for (int s = 0; s < ATTEMPTS_STATE_MAX_; s++) {
		const char *is = attempts_outcome((enum attempts_state)s);

		ok((is == NULL) == (names[s] == NULL));
		ok(is == NULL || strcmp(is, names[s]) == 0);
		ok_int(attempts_is_end((enum attempts_state)s),
		       names[s] != NULL);
	}
}

/* One letter for each attempt: p(assed), t(ests failed), b(uild failed), x (failed
 * for good), l(ost).  A planner that always has a plan. */
static enum attempts_state way(const char *ends, unsigned max, unsigned *begun)
{
	struct attempts a = { .max = max };

	for (; *ends != '\0'; ends++) {
		const char *kind = *ends == 'b' ? "build" : "tests";
		struct attempts_end end = {
			.passed = *ends == 'p',
			.lost = *ends == 'l',
			.retryable = *ends != 'x',
			.failing = &kind,
			.failing_len = *ends != 'p' && *ends != 'l',
		};

		ok(attempts_step(&a, ATTEMPTS_BEGUN));
		ok(!attempts_step(&a, ATTEMPTS_BEGUN));
		ok(attempts_end_step(&a, &end));
		ok(!attempts_end_step(&a, &end));
		if (a.state == ATTEMPTS_PLANNING)
			ok(attempts_step(&a, ATTEMPTS_PLANNED));
	}
	if (begun != NULL)
		*begun = a.begun;
	return a.state;
}

static void the_ways_through(void)
{
	static const struct {
		const char *ends;
		unsigned max;
		enum attempts_state state;
	} ways[] = {
		{ "p", 3, ATTEMPTS_PASSED },
		{ "tp", 3, ATTEMPTS_PASSED },
		{ "tbp", 3, ATTEMPTS_PASSED },
		{ "t", 1, ATTEMPTS_ESCALATE },
		{ "tt", 2, ATTEMPTS_ESCALATE },
		{ "tbt", 3, ATTEMPTS_ESCALATE },
		{ "ttt", 3, ATTEMPTS_UNRECOVERABLE },
		{ "ttt", 9, ATTEMPTS_UNRECOVERABLE },
		{ "tbtbt", 9, ATTEMPTS_UNRECOVERABLE },
		{ "tltlt", 9, ATTEMPTS_UNRECOVERABLE },
		{ "x", 3, ATTEMPTS_ESCALATE },
		{ "tx", 3, ATTEMPTS_ESCALATE },
		{ "lp", 3, ATTEMPTS_PASSED },
		{ "ll", 3, ATTEMPTS_READY },
		{ "lll", 3, ATTEMPTS_HOST },
		{ "ttl", 3, ATTEMPTS_HOST },
	};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		unsigned begun = 0;

		ok_int(way(ways[i].ends, ways[i].max, &begun), ways[i].state);
		ok_int(begun, strlen(ways[i].ends));
	}
}

/* A set of kinds is named by all of its kinds. */
static void other_kinds_are_another_set(void)
{
	static const char *const two[] = { "build", "tests" };
	struct attempts a = { .max = 32 };

	for (size_t i = 0; i < 5; i++) {
		struct attempts_end end = { .retryable = true,
					    .failing = two + i / 2 % 2,
					    .failing_len = i < 2 ? 2 : 1 };

		ok(attempts_step(&a, ATTEMPTS_BEGUN));
		ok(attempts_end_step(&a, &end));
		ok_int(a.state, ATTEMPTS_PLANNING);
		ok(attempts_step(&a, ATTEMPTS_PLANNED));
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(every_pair_has_its_next_state),
		CASE(every_end_has_an_outcome), CASE(the_ways_through),
		CASE(other_kinds_are_another_set), TAP_END });
}
