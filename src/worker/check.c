/* check.c -- says whether a worker could work here, and takes no request. */
#include "worker/check.h"

#include <nats/nats.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/cli.h"
#include "worker/child.h"
#include "worker/link.h"
#include "worker/worker.h"

#define TRIAL_MS 30000

static void nothing(void *ctx)
{
	(void)ctx;
}

/* Make one vessel.  Returns 0, or CLI_HOST with one line that says what is
 * wrong. */
static int vessel_try(const struct worker *w, const char *egress,
		      char ret_why[512])
{
	const char *argv[] = { "cupel", "run", "--quiet",   "--repo-mode",
			       "none",  "--",  "/bin/true", NULL,
			       NULL,    NULL,  NULL,        NULL };
	const struct worker_child c = { .program = w->cupel,
					.argv = argv,
					.cwd_fd = w->work_fd,
					.out_bytes = 4096,
					.time_max_ms = TRIAL_MS,
					.tick_ms = TRIAL_MS,
					.tick = nothing,
					.stop_fd = w->stop_fd };
	struct worker_child_end e = { 0 };
	struct cupel_error err = { 0 };
	int r;

	if (egress != NULL) {
		argv[5] = "--network";
		argv[6] = "scoped";
		argv[7] = "--egress";
		argv[8] = egress;
		argv[9] = "--";
		argv[10] = "/bin/true";
	}
	r = worker_child_run(&c, &e, &err);
	if (r < 0)
		(void)snprintf(ret_why, 512, "a child cannot be started: %s",
			       err.what);
	else if (e.status != 0)
		(void)snprintf(ret_why, 512, "a vessel%s%s cannot be made: %s",
			       egress != NULL ? " with egress to " : "",
			       egress != NULL ? egress : "", e.said);
	worker_child_end_done(&e);
	return r == 0 && e.status == 0 ? 0 : CLI_HOST;
}

enum worker_end worker_host_judge(const struct worker *w, const char *egress)
{
	char why[512];

	if (vessel_try(w, egress, why) == 0)
		return WORKER_FAILED;
	cli_complain("%s; see cupel doctor", why);
	return WORKER_GIVEN_BACK;
}

/* A worker that may fetch with git makes vessels with egress also. */
static int vessels_try(const struct worker *w)
{
	const struct worker_sources *s = &w->sources;
	char why[512], host[300];
	int r = vessel_try(w, NULL, why);

	if (r == 0 && s->git_hosts_len > 0) {
		(void)snprintf(host, sizeof host, "%.280s%s", s->git_hosts[0],
			       strchr(s->git_hosts[0], ':') != NULL ? ""
								    : ":443");
		r = vessel_try(w, host, why);
	}
	if (r != 0)
		cli_complain("%s; see cupel doctor", why);
	return r;
}

int worker_check(const struct worker *w, int absent)
{
	owned_buf struct buf out = { 0 };
	int r = vessels_try(w);

	if (r != 0)
		return r;
	buf_format(&out, "libnats %s\n", nats_GetVersion());
	buf_format(&out, "%s: connected, with JetStream\n", w->link->shown);
	if (absent > 0)
		buf_format(&out,
			   "absent: %d of the streams and consumers; a worker "
			   "makes them\n",
			   absent);
	else
		buf_text(&out, "streams and consumer: as they should be\n");
	buf_format(&out, "%s: can be written\na vessel: can be made\n",
		   w->work_path);
	return cli_print(&out);
}
