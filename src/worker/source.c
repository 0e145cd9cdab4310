/* source.c -- opens a path below a root, or fetches a commit. */
#include "worker/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "jobs/common/beneath.h"
#include "worker/check.h"
#include "worker/place.h"
#include "worker/worker.h"

/* The part of path that is below root ("" is root itself), or NULL. */
static const char *below(const char *root, const char *path)
{
	size_t n = strlen(root);

	while (n > 1 && root[n - 1] == '/')
		n--;
	if (strncmp(root, path, n) != 0 || (path[n] != '/' && path[n] != '\0'))
		return NULL;
	path += n;
	return path + strspn(path, "/");
}

/* Whether a segment of the path is "..". */
static bool climbs(const char *path)
{
	for (const char *p = path; (p = strstr(p, "..")) != NULL; p += 2)
		if ((p == path || p[-1] == '/') &&
		    (p[2] == '/' || p[2] == '\0'))
			return true;
	return false;
}

static enum worker_end path_open(const struct worker_job *job, const char *path,
				 int *ret_fd, struct worker_why *why)
{
	const struct worker_sources *s = &job->w->sources;

	for (size_t i = 0; i < s->roots_len && !climbs(path); i++) {
		const char *rest = below(s->roots[i], path);
		owned_fd int root =
			rest != NULL ? beneath_open_root(s->roots[i]) : -1;
		enum beneath b;

		if (rest == NULL)
			continue;
		if (root < 0) {
			(void)worker_why_set(why, "path", "--root %s: %s",
					     s->roots[i], strerror(-root));
			return WORKER_GIVEN_BACK;
		}
		b = beneath_open_dir(root, rest, ret_fd);
		if (b == BENEATH_OK)
			return WORKER_DONE;
		(void)worker_why_set(why, "path", "source.path: %.200s: %s",
				     path, beneath_name(b));
		return WORKER_REFUSED;
	}
	(void)worker_why_set(
		why, "path",
		"source.path: %.200s is not below a --root of this worker",
		path);
	return WORKER_REFUSED;
}

static enum worker_end git_open(const struct worker_job *job, int *ret_fd,
				struct worker_why *why)
{
	owned_fd int fd = worker_place_make(job->place_fd, "source");
	enum worker_end end;

	if (fd < 0 || fchmod(fd, 0755) < 0) {
		(void)worker_why_set(
			why, "git",
			"%s: a directory for the source cannot be made: %s",
			job->place, strerror(fd < 0 ? -fd : errno));
		return WORKER_GIVEN_BACK;
	}
	end = worker_git_fetch(job, fd, why);
	if (end == WORKER_DONE)
		*ret_fd = take_fd(&fd);
	return end;
}

enum worker_end worker_source_open(const struct worker_job *job, int *ret_fd,
				   struct worker_why *why)
{
	const struct json_value *source = json_find(&job->q->value, "source");
	const struct json_value *path;

	*ret_fd = -1;
	if (source == NULL)
		return WORKER_DONE;
	path = json_find(source, "path");
	if (path == NULL)
		return git_open(job, ret_fd, why);
	if (strlen(path->u.string.bytes) != path->u.string.len) {
		(void)worker_why_set(why, "path", "source.path: has a NUL");
		return WORKER_REFUSED;
	}
	return path_open(job, path->u.string.bytes, ret_fd, why);
}

void worker_child_set(const struct worker_job *job, struct worker_child *c)
{
	c->program = job->w->cupel;
	c->time_max_ms = job->w->time_max_ms;
	c->tick_ms = job->w->ack_wait_ms / 3;
	c->tick = job->tick;
	c->tick_ctx = job->tick_ctx;
	c->stop_fd = job->w->stop_fd;
}

enum worker_end worker_child_judge(const struct worker_job *job,
				   const struct worker_child_end *e,
				   struct worker_why *why)
{
	const char *said =
		e->said[0] != '\0' ? e->said : "the command gave no reason";

	if (e->is_stopped) {
		(void)worker_why_set(why, "crash", "the worker was stopped");
		return WORKER_STOPPED;
	}
	if (e->is_late) {
		(void)worker_why_set(
			why, "time",
			"the request took longer than the worker's --time-max");
		return WORKER_REFUSED;
	}
	if (e->is_out_cut) {
		(void)worker_why_set(
			why, "answer_too_large",
			"the output is longer than an answer may be");
		return WORKER_REFUSED;
	}
	if (e->status == 2) {
		(void)worker_why_set(why, "refused_by_cupel", "%s", said);
		return WORKER_REFUSED;
	}
	(void)worker_why_set(why, "crash", "exit status %d: %s", e->status,
			     said);
	/* 3: this host cannot do it; 127: the command does not exist */
	return e->status == 3 || e->status == 127
		       ? worker_host_judge(job->w, NULL)
		       : WORKER_FAILED;
}
