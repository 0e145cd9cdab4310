/* gate_job.c -- see gate_job.h. */
#include "cli/gate_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/stop.h"
#include "jobs/common/beneath.h"
#include "service/cgroup.h"

/* Open the OSV records if the gate asks for them; other gates get none. */
static int osv_open(struct gate_job *r)
{
	const char *path = gate_text(r->w, GATE_OSV);
	struct cupel_error err = { 0 };
	bool is_asked = false;

	for (size_t i = 0; i < r->gate->asks_len; i++)
		is_asked |=
			strcmp(r->gate->asks[i].name, "cve_delta") == 0 &&
			json_find(r->gate->asks[i].params, "format") == NULL;
	if (is_asked && path == NULL)
		return cli_usage("gate: the signal cve_delta of %s needs "
				 "--osv DIR",
				 r->gate->name);
	if (!is_asked && path != NULL)
		return cli_usage("--osv: gate %s has no cve_delta signal that "
				 "reads OSV records",
				 r->gate->name);
	if (path != NULL && osv_read(path, r->worktree_fd, &r->osv, &err) < 0)
		return gate_fail(&err);
	r->has_osv = path != NULL;
	return CLI_OK;
}

/* What no attempt could do is said before anything starts. */
static int attempts_check(const struct gate_job *r)
{
	struct cupel_error err = { 0 };

	for (unsigned n = 1; n <= r->gate->max_attempts; n++) {
		const struct gate_attempt_request req = {
			.gate = r->gate,
			.worktree = r->worktree,
			.number = n,
			.options = r->options,
		};

		if (gate_attempt_check(&req, &err) < 0)
			return gate_fail(&err);
	}
	return CLI_OK;
}

int gate_job_open(const struct gate_words *w, struct gate_job *ret)
{
	const char *worktree = gate_text(w, GATE_WORKTREE);
	struct catalogue_request req = { 0 };
	struct cupel_error err = { 0 };
	int status;

	*ret = (struct gate_job){ .w = w, .worktree_fd = -1, .stop_fd = -1 };
	if (worktree == NULL)
		worktree = ".";
	if (realpath(worktree, ret->worktree) == NULL)
		return cli_usage("--worktree: %.300s: %s", worktree,
				 strerror(errno));
	ret->worktree_fd = beneath_open_root(ret->worktree);
	if (ret->worktree_fd < 0)
		return cli_usage("--worktree: %.300s: %s", worktree,
				 strerror(-ret->worktree_fd));
	req.files = w->values[GATE_CATALOGUE].texts;
	req.files_len = w->values[GATE_CATALOGUE].count;
	req.worktree_fd = ret->worktree_fd;
	if (req.files_len > CATALOGUE_FILES_MAX)
		return cli_usage("--catalogue: may be given at most %u times",
				 CATALOGUE_FILES_MAX);
	if (catalogue_read(&req, &ret->catalogue, &err) < 0)
		return gate_fail(&err);
	ret->gate = catalogue_find(&ret->catalogue, w->words[0]);
	if (ret->gate == NULL)
		return cli_usage("gate: no catalogue has a gate '%.80s'",
				 w->words[0]);
	if (gate_has(w, GATE_BACKEND))
		ret->options[0] =
			(struct gate_option){ "backend",
					      gate_text(w, GATE_BACKEND) };
	status = attempts_check(ret);
	if (status != CLI_OK)
		return status;
	ret->stop_fd = stop_open();
	service_cgroup_enter(); /* once for many vessels */
	return osv_open(ret);
}

void gate_job_close(struct gate_job *r)
{
	cleanup_fd(&r->worktree_fd);
	cleanup_fd(&r->stop_fd);
	catalogue_done(&r->catalogue);
	osv_done(&r->osv);
}

int gate_stopped(const struct gate_job *r, const char *more)
{
	int signal = stop_signal(r->stop_fd);

	cli_complain("stopped by SIG%s%s", sigabbrev_np(signal), more);
	return 128 + signal;
}

void gate_tell(void *data, const char *line)
{
	const struct gate_job *r = data;

	if (!gate_has(r->w, GATE_QUIET))
		cli_complain("%s: %s", r->gate->name, line);
}
