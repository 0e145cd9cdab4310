/* trace_acts.h -- what tests/live/trace.t does inside a traced run. */
#ifndef CUPEL_TESTS_LIVE_TRACE_ACTS_H
#define CUPEL_TESTS_LIVE_TRACE_ACTS_H

struct act {
	const char *name;
	int (*run)(
		char **args); /* args[0] is the first, NULL comes after the last */
};

extern const struct act acts_exec[], acts_connect[], acts_claim[], acts_life[],
	acts_wait[];

/* die_unless -- "what: errno" on stderr and exit status 99, unless it holds. */
void die_unless(int holds, const char *what);

/* number -- args[n], or other if there is none. */
int number(char **args, int n, int other);

#endif
