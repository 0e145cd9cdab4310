/* trace_acts.c -- one static program, started inside as /repo/trace_acts ACT
 * [ARG...]: it does something and prints what it did, which must also be in the
 * trace. */
#include "trace_acts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void die_unless(int holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	exit(99);
}

int number(char **args, int n, int other)
{
	for (int i = 0; i <= n; i++)
		if (args[i] == NULL)
			return other;
	return atoi(args[n]);
}

static int act_run(const struct act *acts, char **argv)
{
	for (; acts->name != NULL; acts++)
		if (strcmp(acts->name, argv[0]) == 0)
			return acts->run(argv + 1);
	return -1;
}

int main(int argc, char *argv[])
{
	const struct act *const all[] = { acts_exec, acts_connect, acts_claim,
					  acts_life, acts_wait };
	int r = -1;

	if (argc < 2)
		return 98;
	for (size_t i = 0; r < 0 && i < sizeof all / sizeof *all; i++)
		r = act_run(all[i], argv + 1);
	return r < 0 ? 98 : r;
}
