/* gather.c -- cupel gather: a repository in, its context out. */
#include "jobs/gather/gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/plural.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/manifests.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "jobs/common/log.h"
#include "jobs/gather/events.h"
#include "service/cgroup.h"

enum {
	GATHER_OUT,
	GATHER_FORMAT,
	GATHER_JOBS,
	GATHER_ONLY,
	GATHER_NO_CACHE,
	GATHER_EVENTS,
	GATHER_MODULES,
	GATHER_PROBE_DIR,
	GATHER_SBOM,
	GATHER_QUIET,
	GATHER_OPTIONS
};

const struct option_row gather_options[] = {
	[GATHER_OUT] = { "out", OPTION_WORD, "DIR", VALUES_DIRS,
			 "where to write (default: REPO/.cupel)" },
	[GATHER_FORMAT] = { "format", OPTION_WORD, "yaml|json", VALUES_NONE,
			    "format of the context (default: yaml)" },
	[GATHER_JOBS] = { "jobs", OPTION_WORD, "N", VALUES_NONE,
			  "how many probes at once, 1 to 64 (default: as many "
			  "as processors)" },
	[GATHER_ONLY] = { "only", OPTION_LIST, "NAME", VALUES_NONE,
			  "run only this probe and those that it requires; may "
			  "be repeated" },
	[GATHER_NO_CACHE] = { "no-cache", OPTION_FLAG, NULL, VALUES_NONE,
			      "do not read or write the cache" },
	[GATHER_EVENTS] = { "events", OPTION_WORD, "FILE", VALUES_FILES,
			    "append one JSON line for each event to FILE" },
	[GATHER_MODULES] = { "with-node-modules", OPTION_FLAG, NULL,
			     VALUES_NONE, "also read node_modules" },
	[GATHER_PROBE_DIR] = { "probe-dir", OPTION_WORD, "DIR", VALUES_DIRS,
			       "also run the probes whose manifests are in "
			       "DIR" },
	[GATHER_SBOM] = { "sbom", OPTION_WORD, "FILE", VALUES_FILES,
			  "write a bill of materials (CycloneDX 1.6, JSON) to "
			  "FILE" },
	[GATHER_QUIET] = { "quiet", OPTION_FLAG, NULL, VALUES_NONE,
			   "print no progress on stderr" },
	{ NULL, OPTION_FLAG, NULL, VALUES_NONE, NULL },
};

/* What the hooks need. */
struct listener {
	struct progress progress;
	struct event_log events;
	bool has_lost_events;
	bool is_quiet;
};

static void take_event(void *data, enum gather_event event, const char *probe,
		       const struct event_details *details)
{
	struct listener *l = data;
	struct cupel_error err = { 0 };

	if (!l->has_lost_events &&
	    event_write(&l->events, event, probe, details, &err) < 0) {
		l->has_lost_events = true;
		cli_complain("--events: %s", err.what);
	}
}

static void take_progress(void *data, const struct gather_progress *p)
{
	struct listener *l = data;

	progress_show(&l->progress, p);
}

static int stopped(int stop_fd, const struct listener *l)
{
	int signal = stop_signal(stop_fd);

	cli_complain("stopped by SIG%s after %zu of %zu probe%s: nothing was "
		     "written, and the earlier output is unchanged",
		     sigabbrev_np(signal), l->progress.done, l->progress.all,
		     plural_s(l->progress.all));
	return 128 + signal;
}

static int gather(struct gather_request *req, struct listener *l)
{
	struct gather *g = calloc(1, sizeof *g);
	struct cupel_error err = { 0 };
	int e, r;

	if (g == NULL)
		return GATHER_INTERNAL;
	service_cgroup_enter(); /* once for many vessels */
	e = gather_collect(req, g, &err);
	progress_end(&l->progress);
	if (e == 0 && g->exit != GATHER_HOST)
		e = gather_publish(req, g, &err);
	r = (int)g->exit;
	if (e == -EINTR)
		r = stopped(req->stop_fd, l);
	else if (e < 0)
		cli_complain("%s", err.what);
	else if (g->why[0] != '\0')
		cli_complain("%s", g->why);
	if (e == 0 && g->exit == GATHER_DONE && !l->is_quiet)
		cli_complain("the report is %s%s/CONTEXT_REPORT.md",
			     req->out ? req->out : req->repo,
			     req->out ? "" : "/.cupel");
	gather_done(g);
	free(g);
	return r;
}

static unsigned processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	if (n < 1)
		return 1;
	return n > (long)SCHEDULE_JOBS_MAX ? SCHEDULE_JOBS_MAX : (unsigned)n;
}

static bool has_dependencies(const struct gather_request *req)
{
	for (size_t i = 0; i < req->only_len; i++)
		if (strcmp(req->only[i], "dependencies") == 0)
			return true;
	return false;
}

static int request_fill(const struct option_value values[], int words,
			char *const argv[], struct gather_request *req)
{
	const char *format = option_text(&values[GATHER_FORMAT], "yaml");
	const char *jobs = option_text(&values[GATHER_JOBS], NULL);

	if (words > 1)
		return cli_usage(
			"gather: expected one REPO, found '%.80s' after it",
			argv[1]);
	req->repo = words > 0 ? argv[0] : ".";
	req->out = option_text(&values[GATHER_OUT], NULL);
	req->has_output = true;
	req->is_json = strcmp(format, "json") == 0;
	if (!req->is_json && strcmp(format, "yaml") != 0)
		return cli_usage(
			"--format: expected yaml or json, found '%.80s'",
			format);
	req->jobs = jobs != NULL ? option_jobs(jobs) : processors();
	if (req->jobs < 1 || req->jobs > SCHEDULE_JOBS_MAX)
		return cli_usage("--jobs: '%.80s' is outside 1..%u", jobs,
				 SCHEDULE_JOBS_MAX);
	req->only = values[GATHER_ONLY].texts;
	req->only_len = values[GATHER_ONLY].count;
	req->sbom = option_text(&values[GATHER_SBOM], NULL);
	if (req->sbom != NULL && req->only_len > 0 && !has_dependencies(req))
		return cli_usage("--sbom: needs the probe dependencies, which "
				 "--only leaves out");
	req->no_cache = values[GATHER_NO_CACHE].count > 0;
	req->with_node_modules = values[GATHER_MODULES].count > 0;
	return 0;
}

/* Set up progress and signals, then gather. */
static int gather_listen(const struct option_value values[],
			 struct gather_request *req)
{
	const char *events = option_text(&values[GATHER_EVENTS], NULL);
	struct listener l = { .events = { -1, -1 } };
	struct cupel_error err = { 0 };
	owned_fd int events_fd = -1;
	owned_fd int stop_fd = -1;

	stop_fd = stop_open();
	req->stop_fd = stop_fd;
	if (events != NULL) {
		events_fd = log_open(events, stop_fd, &err);
		if (events_fd == -EINTR)
			return 128 + stop_signal(stop_fd);
		if (events_fd < 0)
			return cli_usage("--events: %s", err.what);
		l.events = (struct event_log){ events_fd, stop_fd };
		req->hooks.event = take_event;
	}
	l.is_quiet = values[GATHER_QUIET].count > 0;
	progress_init(&l.progress, l.is_quiet);
	req->hooks.progress = take_progress;
	req->hooks.data = &l;
	return gather(req, &l);
}

static int gather_words(const struct option_value values[], int words,
			char *const argv[])
{
	const char *dir = option_text(&values[GATHER_PROBE_DIR], NULL);
	struct gather_request req = { .stop_fd = -1 };
	struct manifests others = { 0 };
	int r = request_fill(values, words, argv, &req);

	if (r == 0)
		r = manifests_load(dir, &others);
	if (r == 0) {
		req.others = others.items;
		req.others_len = others.len;
		r = gather_listen(values, &req);
	}
	manifests_done(&others);
	return r;
}

int gather_command(int argc, char *argv[])
{
	struct option_value values[GATHER_OPTIONS] = { 0 };
	int rest = argc;
	int r = option_read(argc, argv, gather_options, values, &rest);

	if (r == OPTION_HELP)
		r = command_show_help(argv[0]);
	else if (r == 0)
		r = gather_words(values, argc - rest, argv + rest);
	option_done(gather_options, values);
	return r;
}
