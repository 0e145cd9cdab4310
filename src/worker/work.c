/* work.c -- cupel worker: starts the slots, and waits for a signal. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/outfile.h"
#include "base/plural.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/stop.h"
#include "cli/worker.h"
#include "worker/address.h"
#include "worker/check.h"
#include "worker/child.h"
#include "worker/do.h"
#include "worker/scratch.h"
#include "worker/settings.h"
#include "worker/slot.h"
#include "worker/worker.h"

#define METRICS_MS 5000

struct asked {
	const struct option_value *values;
	const char *metrics, *work;
	bool is_quiet, is_check;
};

static uint64_t processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1                       ? 1
	       : n > (long)WORKER_JOBS_MAX ? WORKER_JOBS_MAX
					   : (uint64_t)n;
}

/* Returns 0 or the exit status. */
static int numbers_read(const struct option_value v[], struct worker *w)
{
	static const uint64_t jobs[2] = { 1, WORKER_JOBS_MAX };
	static const uint64_t ack[2] = { 1, 3600 }, time[2] = { 1, 86400 },
			      drain[2] = { 0, 86400 };
	uint64_t n = 0;
	int r = worker_number_read(&v[WORKER_JOBS], "jobs", jobs, processors(),
				   &n);

	w->jobs = (unsigned)n;
	if (r == 0)
		r = worker_number_read(&v[WORKER_ACK_WAIT], "ack-wait", ack, 60,
				       &w->ack_wait_ms);
	if (r == 0)
		r = worker_number_read(&v[WORKER_TIME_MAX], "time-max", time,
				       3600, &w->time_max_ms);
	if (r == 0)
		r = worker_number_read(&v[WORKER_DRAIN_FOR], "drain-for", drain,
				       30, &w->drain_ms);
	w->ack_wait_ms *= 1000;
	w->time_max_ms *= 1000;
	w->drain_ms *= 1000;
	return r;
}

static int sources_read(const struct option_value v[], struct worker *w)
{
	struct worker_sources *s = &w->sources;

	s->roots = v[WORKER_ROOT].texts;
	s->roots_len = v[WORKER_ROOT].count;
	s->git_hosts = v[WORKER_GIT_HOST].texts;
	s->git_hosts_len = v[WORKER_GIT_HOST].count;
	s->git_ca = option_text(&v[WORKER_GIT_CA], NULL);
	for (size_t i = 0; i < s->roots_len; i++) {
		if (s->roots[i][0] != '/')
			return cli_usage(
				"--root: '%.300s' is not an absolute path",
				s->roots[i]);
		if (access(s->roots[i], R_OK | X_OK) != 0)
			return cli_usage("--root: %.300s: %s", s->roots[i],
					 strerror(errno));
	}
	for (size_t i = 0; i < s->git_hosts_len; i++)
		if (s->git_hosts[i][0] == '\0' ||
		    strpbrk(s->git_hosts[i], "/@ ") != NULL)
			return cli_usage("--git-host: expected HOST[:PORT], "
					 "found '%.80s'",
					 s->git_hosts[i]);
	if (s->git_ca != NULL &&
	    (s->git_ca[0] != '/' || access(s->git_ca, R_OK) != 0))
		return cli_usage("--git-ca: '%.300s' is not the absolute path "
				 "of a file that can be read",
				 s->git_ca);
	return 0;
}

/* --- the run -------------------------------------------------------------------- */

struct run {
	struct worker *w;
	const struct asked *asked;
	int signal_fd, gone_fd;
	uint64_t metrics_ms, stop_ms; /* moments; stop_ms 0: not draining */
	unsigned gone;
	bool complained;
};

static void put_metrics(struct run *run)
{
	struct cupel_error err = { 0 };

	if (run->asked->metrics == NULL)
		return;
	if (worker_metrics_put(&run->w->metrics, run->asked->metrics, &err) <
		    0 &&
	    !run->complained) {
		cli_complain("%s", err.what);
		run->complained = true;
	}
}

static void raise_flag(int fd)
{
	const uint64_t one = 1;

	(void)!write(fd, &one, sizeof one);
}

static void take_signal(struct run *run)
{
	int signal = stop_signal(run->signal_fd);

	if (run->stop_ms != 0) {
		raise_flag(run->w->stop_fd);
		return;
	}
	run->stop_ms = worker_now_ms() + run->w->drain_ms;
	raise_flag(run->w->drain_fd);
	if (!run->asked->is_quiet)
		cli_complain("SIG%s: takes no new requests; %llu are still "
			     "being done",
			     sigabbrev_np(signal),
			     (unsigned long long)atomic_load(
				     &run->w->metrics.running));
}

static int wait_ms(const struct run *run)
{
	uint64_t now = worker_now_ms(), at = run->metrics_ms;

	if (run->stop_ms != 0 && run->stop_ms < at)
		at = run->stop_ms;
	return at <= now ? 0 : (int)(at - now);
}

static void watch(struct run *run)
{
	bool is_stopped = false;

	while (run->gone < run->w->jobs) {
		struct pollfd p[] = {
			{ .fd = run->signal_fd, .events = POLLIN },
			{ .fd = run->gone_fd, .events = POLLIN },
		};
		uint64_t n = 0;

		(void)poll(p, 2, wait_ms(run));
		if (p[0].revents != 0)
			take_signal(run);
		if (p[1].revents != 0 &&
		    read(run->gone_fd, &n, sizeof n) == (ssize_t)sizeof n)
			run->gone += (unsigned)n;
		if (worker_now_ms() >= run->metrics_ms) {
			put_metrics(run);
			run->metrics_ms = worker_now_ms() + METRICS_MS;
		}
		if (run->stop_ms == 0 &&
		    natsConnection_IsClosed(run->w->link->nc)) {
			/* The answer of what still runs could not be stored. */
			raise_flag(run->w->drain_fd);
			run->stop_ms = worker_now_ms();
		}
		if (run->stop_ms != 0 && worker_now_ms() >= run->stop_ms) {
			if (!is_stopped)
				raise_flag(run->w->stop_fd);
			is_stopped = true;
			run->stop_ms = UINT64_MAX;
		}
	}
}

static int slots_run(struct worker *w, const struct asked *asked, int signal_fd)
{
	owned_fd int drain = eventfd(0, EFD_CLOEXEC);
	owned_fd int stop = eventfd(0, EFD_CLOEXEC);
	owned_fd int gone = eventfd(0, EFD_CLOEXEC);
	struct run run = {
		.w = w, .asked = asked, .signal_fd = signal_fd, .gone_fd = gone
	};
	struct cupel_error err = { 0 };
	struct worker_slots *slots;
	unsigned long long taken;

	w->drain_fd = drain;
	w->stop_fd = stop;
	slots = worker_slots_start(w, gone, &err);
	if (slots == NULL)
		return cli_fail(&err);
	if (!asked->is_quiet)
		cli_complain("%s: ready, %u request%s at once", w->link->shown,
			     w->jobs, plural_s(w->jobs));
	watch(&run);
	worker_slots_join(slots);
	put_metrics(&run);
	if (natsConnection_IsClosed(w->link->nc)) {
		cli_complain("%s: the connection is closed: %s", w->link->shown,
			     worker_link_why(w->link));
		return CLI_HOST;
	}
	taken = atomic_load(&w->metrics.delivered);
	if (!asked->is_quiet)
		cli_complain("ended after %llu request%s", taken,
			     plural_s(taken));
	return CLI_OK;
}

static int linked_run(struct worker *w, const struct asked *asked,
		      int signal_fd)
{
	struct worker_address address = { 0 };
	struct worker_link link = { 0 };
	struct cupel_error err = { 0 };
	int r;

	worker_address_read(asked->values, &address);
	w->link = &link;
	r = worker_link_open(&address, &w->metrics, &link, &err);
	if (r == 0)
		r = worker_settings_hold(&link, w->ack_wait_ms,
					 !asked->is_check, &err);
	w->answer_max = WORKER_ANSWER_BYTES;
	if (r >= 0 && natsConnection_GetMaxPayload(link.nc) > 0 &&
	    (uint64_t)natsConnection_GetMaxPayload(link.nc) < w->answer_max)
		w->answer_max = (size_t)natsConnection_GetMaxPayload(link.nc);
	if (r < 0)
		r = cli_fail(&err);
	else if (asked->is_check)
		r = worker_check(w, r);
	else
		r = slots_run(w, asked, signal_fd);
	worker_link_close(&link);
	return r;
}

static int placed_run(struct worker *w, const struct asked *asked)
{
	char path[WORKER_SCRATCH_BYTES], name[320];
	struct cupel_error err = { 0 };
	owned_fd int fd = -1;
	/* This comes before any thread is started, so that threads also block
	 * these signals. */
	owned_fd int signal_fd = stop_open();
	int r;

	if (signal_fd < 0) {
		cli_complain("signals cannot be watched: %s", strerror(errno));
		return CLI_HOST;
	}
	if (asked->metrics != NULL &&
	    outfile_can_open(asked->metrics, &err) < 0)
		return cli_usage("--metrics: %s", err.what);
	fd = worker_scratch_make(asked->work, path, &err);
	if (fd < 0)
		return cli_fail(&err);
	w->work_fd = fd;
	w->work_path = path;
	if (gethostname(name, 256) < 0)
		name[0] = '\0';
	name[255] = '\0';
	(void)snprintf(name + strlen(name), 32, "-%d", (int)getpid());
	w->name = name;
	r = linked_run(w, asked, signal_fd);
	worker_scratch_remove(asked->work, path);
	nats_Close();
	return r;
}

static int words_run(const struct option_value v[], const char *cupel)
{
	const char *temp = getenv("TMPDIR");
	const struct asked asked = {
		.values = v,
		.metrics = option_text(&v[WORKER_METRICS], NULL),
		.work = option_text(&v[WORKER_WORK],
				    temp != NULL && temp[0] == '/' ? temp
								   : "/tmp"),
		.is_quiet = v[WORKER_QUIET].count > 0,
		.is_check = v[WORKER_CHECK].count > 0,
	};
	struct worker w = { .cupel = cupel, .drain_fd = -1, .stop_fd = -1 };
	int r = numbers_read(v, &w);

	if (r == 0)
		r = sources_read(v, &w);
	return r == 0 ? placed_run(&w, &asked) : r;
}

int worker_work(int argc, char *argv[], const char *cupel)
{
	struct option_value values[WORKER_OPTIONS] = { 0 };
	int rest = argc;
	int r = option_read(argc, argv, worker_options, values, &rest);

	if (r == OPTION_HELP)
		r = command_show_help(argv[0]);
	else if (r == 0 && rest < argc)
		r = cli_usage("worker: expected options alone, found '%.80s'",
			      argv[rest]);
	else if (r == 0)
		r = words_run(values, cupel);
	option_done(worker_options, values);
	return r;
}
