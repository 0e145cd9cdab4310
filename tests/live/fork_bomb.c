/* fork_bomb.c -- processes that fork again and again, in a session of their own:
 * killing them one by one always comes too late.  Run it under RLIMIT_NPROC.  They
 * end by themselves after LIFE_S.  usage: fork_bomb MARK */
#include <time.h>
#include <unistd.h>

#define LIFE_S  20
#define HEAD_US 500000

static long now_s(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

int main(void)
{
	long end = now_s() + LIFE_S;

	if (fork() > 0) {
		(void)usleep(HEAD_US);
		return 0;
	}
	(void)setsid();
	while (now_s() < end)
		(void)fork();
	return 0;
}
