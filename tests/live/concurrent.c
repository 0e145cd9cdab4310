/* concurrent.c -- a hundred vessels at once neither deadlock nor starve. */
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "json_at.h"
#include "live/procs.h"

#define CROWD       100
#define DEADLINE_US 300000000 /* a run that has not ended by then is stuck */

struct one {
	pid_t pid;
	int out_fd;
	int64_t start_us, took_us; /* took is 0: it has not ended */
	int status;
};

static int64_t started_us; /* how long it took to start the last crowd */

static void crowd_start(struct one crowd[], const char *const args[])
{
	for (size_t i = 0; i < CROWD; i++) {
		struct one *c = &crowd[i];

		c->out_fd = memfd_create("out", MFD_CLOEXEC);
		c->start_us = procs_now_us();
		c->took_us = 0;
		c->pid = procs_start(args, c->out_fd);
	}
	started_us = procs_now_us() - crowd[0].start_us;
}

static void alarm_fired(int sig)
{
	(void)sig; /* waitpid returns EINTR */
}

static void crowd_wait(struct one crowd[])
{
	struct sigaction act = { .sa_handler = alarm_fired };
	size_t left = CROWD;
	int status;
	pid_t pid;

	sigaction(SIGALRM, &act, NULL);
	alarm(DEADLINE_US / 1000000);
	while (left > 0 && (pid = waitpid(-1, &status, 0)) > 0)
		for (size_t i = 0; i < CROWD; i++)
			if (crowd[i].pid == pid) {
				crowd[i].took_us =
					procs_now_us() - crowd[i].start_us;
				crowd[i].status = status;
				left--;
			}
	alarm(0);
	for (size_t i = 0; i < CROWD; i++)
		if (crowd[i].took_us == 0) {
			(void)kill(crowd[i].pid, SIGKILL);
			(void)waitpid(crowd[i].pid, &status, 0);
		}
}

static bool says_ok(int fd)
{
	static char text[65536];
	ssize_t n = pread(fd, text, sizeof text - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	return is_json(text, "/status", "\"OK\"");
}

static int by_time(const void *a, const void *b)
{
	const struct one *x = a, *y = b;

	return (x->took_us > y->took_us) - (x->took_us < y->took_us);
}

/* Returns the slowest, with the median in *ret_median. */
static int64_t crowd_judge(struct one crowd[], int64_t *ret_median)
{
	int over = 0, fine = 0;

	for (size_t i = 0; i < CROWD; i++) {
		over += crowd[i].took_us > 0;
		fine += crowd[i].took_us > 0 && WIFEXITED(crowd[i].status) &&
			WEXITSTATUS(crowd[i].status) == 0 &&
			says_ok(crowd[i].out_fd);
		close(crowd[i].out_fd);
	}
	ok_int(over, CROWD);
	ok_int(fine, CROWD);
	qsort(crowd, CROWD, sizeof *crowd, by_time);
	*ret_median = crowd[CROWD / 2].took_us;
	fprintf(stderr, "# median %lld us, slowest %lld us\n",
		(long long)*ret_median, (long long)crowd[CROWD - 1].took_us);
	return crowd[CROWD - 1].took_us;
}

/* Runs that start together end together: none waits for all the others.  The
 * limit is loose, because starts may differ by the whole time. */
static void short_runs_all_end_and_none_starves(void)
{
	const char *args[] = { "run", "--json", "--", "/bin/true", NULL };
	struct one crowd[CROWD];
	int64_t median, slowest;

	crowd_start(crowd, args);
	crowd_wait(crowd);
	slowest = crowd_judge(crowd, &median);
	tap_clock("the slowest of a hundred runs", (double)slowest / 1e6,
		  (double)(5 * median + 2000000) / 1e6);
}

/* All are alive at the same time: each lasts for three seconds and twice as long as a
 * crowd takes to be started, which on a slow machine, with a sanitizer, is seconds. */
static void a_hundred_live_at_once(void)
{
	char seconds[16];
	const char *args[] = { "run",        "--json", "--",
			       "/bin/sleep", seconds,  NULL };
	int64_t lasts_us = 3000000 + 2 * started_us / 1000000 * 1000000;
	struct one crowd[CROWD];
	int64_t median, slowest;

	(void)snprintf(seconds, sizeof seconds, "%lld",
		       (long long)(lasts_us / 1000000));
	crowd_start(crowd, args);
	ok(procs_now_us() - crowd[0].start_us < lasts_us); /* it was at once */
	crowd_wait(crowd);
	slowest = crowd_judge(crowd, &median);
	tap_clock("the slowest of a hundred that live at once",
		  (double)slowest / 1e6, (double)(lasts_us + 15000000) / 1e6);
	ok(crowd[0].took_us >= lasts_us);
}

static void nothing_is_left(void)
{
	ok(procs_gone_us(120000000) >= 0);
}

int main(void)
{
	int rc;

	procs_here();
	procs_adopt();
	rc = tap_run((struct tap_case[]){
		CASE(short_runs_all_end_and_none_starves),
		CASE(a_hundred_live_at_once), CASE(nothing_is_left), TAP_END });
	procs_leave();
	return rc;
}
