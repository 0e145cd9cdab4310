/* bare.c -- what a program costs to start and end where nothing holds it.
 *
 * usage: bare TIMES PROGRAM [ARG...]  Prints the median in microseconds; how
 * the program ends does not matter. */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#define TIMES_MAX 10000

static double now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int main(int argc, char *argv[])
{
	static double took[TIMES_MAX];
	static char *const no_environment[] = { NULL };
	int times = argc > 2 ? atoi(argv[1]) : 0;

	if (times < 1 || times > TIMES_MAX) {
		fprintf(stderr, "usage: bare TIMES PROGRAM [ARG...]\n");
		return 2;
	}
	for (int i = 0; i < times; i++) {
		double from = now_us();
		int status;
		pid_t pid;

		if (posix_spawn(&pid, argv[2], NULL, NULL, argv + 2,
				no_environment) != 0)
			return 1;
		while (waitpid(pid, &status, 0) < 0)
			if (errno != EINTR)
				return 1;
		took[i] = now_us() - from;
	}
	qsort(took, (size_t)times, sizeof *took, by_value);
	printf("%.1f\n", took[times / 2]);
	return 0;
}
