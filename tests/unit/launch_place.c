/* launch_place.c -- which processors a process is moved to, as the kernel then
 * reports it. */
#include "tap.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/native/place.h"

static cpu_set_t own; /* the processors that we were started with */
static int first = -1, second = -1;

static pid_t sleeper_start(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		pause();
		_exit(0);
	}
	return pid;
}

static void sleeper_end(pid_t pid)
{
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

/* Exactly those processors; -1 stands for none. */
static bool runs_on(pid_t pid, int a, int b)
{
	cpu_set_t now;

	if (sched_getaffinity(pid, sizeof now, &now) < 0)
		return false;
	return CPU_COUNT(&now) == (a >= 0) + (b >= 0) &&
	       (a < 0 || CPU_ISSET((size_t)a, &now)) &&
	       (b < 0 || CPU_ISSET((size_t)b, &now));
}

static void pin(int a, int b)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)a, &set);
	if (b >= 0)
		CPU_SET((size_t)b, &set);
	ok(sched_setaffinity(0, sizeof set, &set) == 0);
}

static struct cpus read_pair(void)
{
	struct sys k = { 0 };
	struct cpus c;

	pin(first, second);
	place_read(&k, &c);
	return c;
}

static void one_processor_is_no_choice(void)
{
	struct sys k = { 0 };
	struct cpus c;
	pid_t pid;

	pin(first, -1);
	place_read(&k, &c);
	ok(c.len == 0);
	pid = sleeper_start();
	place_off(&k, &c, pid);
	place_here(&k, &c, pid);
	ok(runs_on(pid, first, -1));
	ok(place_back(&k, &c, 0) == 0);
	sleeper_end(pid);
}

static void what_cannot_be_read_is_no_choice(void)
{
	struct sys k = { .fault = { 1, ENOSYS } };
	struct cpus c;

	place_read(&k, &c);
	ok(c.len == 0);
}

static void of_two_it_is_the_other_and_then_ours(void)
{
	struct cpus c = read_pair();
	struct sys k = { 0 };
	pid_t pid = sleeper_start();

	ok(c.len > 0 && c.len <= CPUS_BYTES);
	pin(first, -1);
	place_off(&k, &c, pid);
	ok(runs_on(pid, second, -1));
	place_here(&k, &c, pid);
	ok(runs_on(pid, first, -1));
	pin(second, -1);
	place_off(&k, &c, pid);
	ok(runs_on(pid, first, -1));
	sleeper_end(pid);
}

/* A third processor, which this machine may not have: the kernel leaves it
 * out. */
static void of_more_than_two_it_is_called_back_to_any(void)
{
	struct cpus c = read_pair();
	struct sys k = { 0 };
	pid_t pid = sleeper_start();
	int third = 0;

	while (third == first || third == second || third / 8 >= (int)c.len)
		third++;
	c.mask[third / 8] |= (uint8_t)(1 << third % 8);
	pin(first, -1);
	place_off(&k, &c, pid);
	ok(!runs_on(pid, first, second) && !runs_on(pid, first, -1));
	place_here(&k, &c, pid);
	ok(runs_on(pid, first, second) || CPU_COUNT(&own) > 2);
	sleeper_end(pid);
}

static void back_is_all_of_them_or_an_error(void)
{
	struct cpus c = read_pair();
	struct sys k = { 0 };

	pin(second, -1);
	ok(place_back(&k, &c, 0) == 0);
	ok(runs_on(0, first, second));
	/* It is refused although nothing had to be done. */
	k = (struct sys){ .fault = { 1, EPERM } };
	ok(place_back(&k, &c, 0) == 0);
	pin(second, -1);
	k = (struct sys){ .fault = { 1, EPERM } };
	ok(place_back(&k, &c, 0) == -EPERM);
	ok(runs_on(0, second, -1));
}

int main(void)
{
	if (sched_getaffinity(0, sizeof own, &own) == 0)
		for (int i = 0; i < CPU_SETSIZE && second < 0; i++)
			if (CPU_ISSET((size_t)i, &own))
				*(first < 0 ? &first : &second) = i;
	if (second < 0) {
		printf("1..0 # SKIP one processor\n");
		return 0;
	}
	return tap_run((struct tap_case[]){
		CASE(one_processor_is_no_choice),
		CASE(what_cannot_be_read_is_no_choice),
		CASE(of_two_it_is_the_other_and_then_ours),
		CASE(of_more_than_two_it_is_called_back_to_any),
		CASE(back_is_all_of_them_or_an_error),
		TAP_END,
	});
}
