/* kill.c -- SIGKILL of the supervisor at any moment ends the vessel and leaves nothing.
 * That it takes at most 100 ms is a figure for tests/clocks. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "live/procs.h"
#include "tap.h"

#define PROMISE_S  0.1 /* cupel-run(1), "SIGNALS" */
#define GIVE_UP_US 120000000

/* An argument that no other process has, nor one that begins with it. */
static char marker[64];
static char script[256];

/* The command has children, one of which ignores SIGTERM and is in a session of its
 * own. */
static pid_t vessel_start(void)
{
	const char *args[] = { "run", "--json", "--",   "/bin/sh",
			       "-c",  script,   marker, NULL };

	return procs_start(args, -1);
}

static void names_make(void)
{
	snprintf(marker, sizeof marker, "98765.%07d", (int)getpid());
	snprintf(script, sizeof script,
		 "trap '' TERM HUP; setsid sleep %s & sleep %s & sleep %s",
		 marker, marker, marker);
}

static uint64_t random_below(uint64_t n)
{
	uint64_t x = 0;

	if (getrandom(&x, sizeof x, 0) != sizeof x)
		abort();
	return x % n;
}

static void nap_us(uint64_t us)
{
	const struct timespec t = { .tv_sec = (time_t)(us / 1000000),
				    .tv_nsec = (long)(us % 1000000) * 1000 };

	nanosleep(&t, NULL);
}

/* The control: without it, a command that never starts would pass as well. */
static void the_command_is_there_to_be_killed(void)
{
	pid_t pid = vessel_start();

	for (int i = 0; i < 2400 && procs_count(marker) < 5; i++)
		nap_us(50000);
	ok(procs_count(marker) >= 5); /* supervisor, sh and three sleeps */
	ok(kill(pid, SIGKILL) == 0);
	ok(procs_gone_us(GIVE_UP_US) >= 0);
	ok_int(procs_count(marker), 0);
}

/* While the vessel is being set up: most of the moments are before the exec. */
static uint64_t moment_us(unsigned i)
{
	return i % 4 == 3 ? 20000 + random_below(80000) : random_below(12000);
}

static void killed_at_random_nothing_is_left(void)
{
	unsigned times = procs_is_full() ? 500 : 50;
	int64_t worst = 0;
	char *before = procs_listing("..");
	char *after;

	for (unsigned i = 0; i < times; i++) {
		uint64_t after_us = moment_us(i);
		pid_t pid = vessel_start();
		int64_t took;

		nap_us(after_us);
		ok(kill(pid, SIGKILL) == 0 || errno == ESRCH);
		took = procs_gone_us(GIVE_UP_US);
		if (took < 0 || procs_count(marker) > 0)
			fprintf(stderr, "# killed after %llu us\n",
				(unsigned long long)after_us);
		ok(took >= 0);
		ok_int(procs_count(marker), 0);
		worst = took > worst ? took : worst;
	}
	tap_clock("the slowest end after a SIGKILL", (double)worst / 1e6,
		  PROMISE_S);
	after = procs_listing("..");
	ok(strcmp(before, after) == 0);
	free(before);
	free(after);
}

static void nothing_is_mounted_afterwards(void)
{
	char line[4096];
	FILE *f = fopen("/proc/self/mountinfo", "r");
	bool found = false;

	ok(f != NULL);
	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		found = found || strstr(line, "cupel") != NULL;
	ok(!found);
	if (f != NULL)
		fclose(f);
}

int main(void)
{
	int rc;

	names_make();
	procs_here();
	procs_adopt();
	rc = tap_run((struct tap_case[]){
		CASE(the_command_is_there_to_be_killed),
		CASE(killed_at_random_nothing_is_left),
		CASE(nothing_is_mounted_afterwards), TAP_END });
	procs_kill(marker);
	procs_leave();
	return rc;
}
