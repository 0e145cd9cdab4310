/* trace.c -- see trace.h. */
#include "fault/trace.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/native/cgroup.h"
#include "live/procs.h"

#define TEXT_MAX ((size_t)1 << 20)

static char *fds_list(void)
{
	char path[64], target[4096];
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (int fd = 0; out != NULL && fd < 1024; fd++) {
		ssize_t n;

		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		n = readlink(path, target, sizeof target - 1);
		if (n < 0)
			continue;
		target[n] = '\0';
		fprintf(out, "%d %s\n", fd, target);
	}
	if (out == NULL || fclose(out) != 0)
		abort();
	return text;
}

static char *file_read(const char *path)
{
	char *text = calloc(1, TEXT_MAX);
	FILE *f = fopen(path, "r");

	if (text == NULL || f == NULL)
		abort();
	(void)!fread(text, 1, TEXT_MAX - 1, f);
	fclose(f);
	return text;
}

/* Those of our own runs: others come and go as they please. */
static void cgroups_add(FILE *out, const char *dir, int depth)
{
	struct cgroup_owner owner;
	DIR *d = opendir(dir);
	char path[4096];
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
		if (cgroup_name_read(CGROUP_RUN_PREFIX, true, e->d_name,
				     &owner) &&
		    owner.pid == (uint64_t)getpid())
			fprintf(out, "%s\n", path);
		if (depth < 4)
			cgroups_add(out, path, depth + 1);
	}
	if (d != NULL)
		closedir(d);
}

static char *cgroups_list(void)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (out == NULL)
		abort();
	cgroups_add(out, "/sys/fs/cgroup", 0);
	if (fclose(out) != 0)
		abort();
	return text;
}

static char *state_read(void)
{
	char *text = calloc(1, TEXT_MAX);
	char cwd[4096];
	sigset_t mask;
	mode_t mode = umask(0);
	size_t at;

	(void)umask(mode);
	if (text == NULL || getcwd(cwd, sizeof cwd) == NULL ||
	    sigprocmask(SIG_BLOCK, NULL, &mask) < 0)
		abort();
	at = (size_t)snprintf(text, TEXT_MAX, "%o %d %s\n", (unsigned)mode,
			      prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), cwd);
	for (int s = 1; s < 65 && at < TEXT_MAX - 128; s++)
		text[at++] = sigismember(&mask, s) == 1 ? '1' : '0';
	for (char **e = environ; *e != NULL && at < TEXT_MAX - 8192; e++)
		at += (size_t)snprintf(text + at, TEXT_MAX - at, "\n%.4000s",
				       *e);
	return text;
}

/* Any child, a zombie too: whoever started it has forgotten it. */
static int children_left(void)
{
	siginfo_t info;
	int left = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 ||
		   errno != ECHILD;

	if (left)
		(void)procs_gone_us(1000000);
	return left;
}

void trace_take(struct trace *t)
{
	t->children = children_left();
	t->fds = fds_list();
	t->mounts = file_read("/proc/self/mountinfo");
	t->files = procs_listing("..");
	t->cgroups = cgroups_list();
	t->state = state_read();
}

void trace_close(struct trace *t)
{
	free(t->fds);
	free(t->mounts);
	free(t->files);
	free(t->cgroups);
	free(t->state);
}

const char *trace_difference(const struct trace *a, const struct trace *b)
{
	if (b->children != 0)
		return "a process is left";
	if (strcmp(a->fds, b->fds) != 0)
		return "a descriptor is left";
	if (strcmp(a->mounts, b->mounts) != 0)
		return "a mount is left";
	if (strcmp(a->files, b->files) != 0)
		return "a file is left";
	if (strcmp(a->cgroups, b->cgroups) != 0)
		return "a cgroup is left";
	if (strcmp(a->state, b->state) != 0)
		return "the caller was changed";
	return NULL;
}
