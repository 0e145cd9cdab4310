/* finding.c -- runs a probe in a process of its own and returns what it
 * found. */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/securebits.h>

#include "base/cleanup.h"
#include "cli/cli.h"
#include "cli/doctor/doctor.h"
#include "spec/spec.h"

#define INSIDE_ID 1000 /* as in a run */

void finding_fail(struct finding *f, const char *step)
{
	f->ok = false;
	f->sys = errno;
	(void)snprintf(f->step, sizeof f->step, "%s", step);
}

void finding_value(struct finding *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(f->value, sizeof f->value, fmt, ap);
	va_end(ap);
}

static void fail_at(struct finding *f, unsigned topic, const char *step)
{
	finding_fail(f, step);
	f->reached = topic;
}

/* Wait for the child's finding, then for the child. */
static void collect(pid_t pid, int fd, struct finding *ret)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct finding f;
	bool is_told = false;
	int r, status = 0;

	do
		r = poll(&p, 1, PROBE_MS);
	while (r < 0 && errno == EINTR);
	if (r > 0)
		is_told = read(fd, &f, sizeof f) == (ssize_t)sizeof f;
	if (is_told)
		*ret = f;
	else if (r == 0)
		finding_value(ret, "no answer within %d ms", PROBE_MS);
	(void)kill(pid, SIGKILL);
	while (waitpid(pid, &status, __WALL) < 0 && errno == EINTR)
		;
	/* as with a filter around us that kills */
	if (r > 0 && !is_told && WIFSIGNALED(status))
		finding_value(ret, "the probe died of signal %d",
			      WTERMSIG(status));
}

static _Noreturn void child_run(probe_fn *fn, const struct spec *spec, int fd)
{
	struct finding f = { .ok = true };

	fn(spec, &f);
	(void)cli_write(fd, (const char *)&f, sizeof f);
	_exit(0);
}

/* Run fn in a forked process and return its finding. */
static void fork_run(probe_fn *fn, const struct spec *spec, struct finding *ret)
{
	int ends[2];
	pid_t pid;

	*ret = (struct finding){ 0 };
	if (pipe2(ends, O_CLOEXEC) < 0) {
		finding_fail(ret, "pipe2");
		return;
	}
	pid = fork();
	if (pid == 0) {
		(void)close(ends[0]);
		child_run(fn, spec, ends[1]);
	}
	(void)close(ends[1]);
	if (pid < 0)
		finding_fail(ret, "fork");
	else
		collect(pid, ends[0], ret);
	(void)close(ends[0]);
}

static int write_text(pid_t pid, const char *name, const char *text)
{
	char path[64];
	owned_fd int fd = -1;

	(void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

/* Write the maps as the launcher does: the parent writes them, as user and as
 * root. */
static void write_maps(pid_t pid, struct finding *f)
{
	unsigned uid = geteuid() == 0 ? SPEC_OWN_ID : geteuid();
	unsigned gid = geteuid() == 0 ? SPEC_OWN_ID : getegid();
	char line[48];
	int r = write_text(pid, "setgroups", "deny");

	if (r < 0) {
		errno = -r;
		fail_at(f, TOPIC_MAP, "write setgroups");
		return;
	}
	(void)snprintf(line, sizeof line, "%d %u 1\n", INSIDE_ID, uid);
	r = write_text(pid, "uid_map", line);
	if (r == 0)
		(void)snprintf(line, sizeof line, "%d %u 1\n", INSIDE_ID, gid);
	if (r == 0)
		r = write_text(pid, "gid_map", line);
	errno = -r;
	if (r < 0)
		fail_at(f, TOPIC_MAP, "write uid_map");
}

static void take_ids(struct finding *f)
{
	if (prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0) < 0)
		fail_at(f, TOPIC_CAPABILITY, "prctl securebits");
	else if (setresgid(INSIDE_ID, INSIDE_ID, INSIDE_ID) < 0)
		fail_at(f, TOPIC_CAPABILITY, "setresgid");
	else if (setresuid(INSIDE_ID, INSIDE_ID, INSIDE_ID) < 0)
		fail_at(f, TOPIC_CAPABILITY, "setresuid");
}

struct inside {
	probe_fn *fn;
	const struct spec *spec;
	int go[2], back[2];
};

static _Noreturn void inside_child(const struct inside *in)
{
	struct finding f = { .ok = true };
	char byte;

	(void)close(in->go[1]);
	(void)close(in->back[0]);
	if (read(in->go[0], &byte, 1) != 1)
		_exit(1);
	take_ids(&f);
	if (f.ok)
		in->fn(in->spec, &f);
	(void)cli_write(in->back[1], (const char *)&f, sizeof f);
	_exit(0);
}

static void inside_start(struct inside *in, uint64_t clone_flags,
			 struct finding *ret)
{
	struct clone_args args = {
		.flags = clone_flags | CLONE_NEWUSER,
		.exit_signal = SIGCHLD,
	};
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);

	if (pid == 0)
		inside_child(in);
	if (pid < 0) {
		fail_at(ret,
			clone_flags == 0 ? TOPIC_USERNS
					 : TOPIC_USERNS | TOPIC_NAMESPACE,
			"clone3");
		return;
	}
	ret->ok = true;
	write_maps(pid, ret);
	if (!ret->ok) {
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, __WALL);
		return;
	}
	ret->ok = false;
	cleanup_fd(&in->back[1]);
	(void)cli_write(in->go[1], "g", 1);
	collect(pid, in->back[0], ret);
}

/* The same in a child with new namespaces (CLONE_NEWUSER is added), with id
 * maps like those of a run, and with every capability in them. */
static void inside_run(uint64_t clone_flags, probe_fn *fn,
		       const struct spec *spec, struct finding *ret)
{
	struct inside in = { fn, spec, { -1, -1 }, { -1, -1 } };

	*ret = (struct finding){ 0 };
	if (pipe2(in.go, O_CLOEXEC) < 0 || pipe2(in.back, O_CLOEXEC) < 0)
		finding_fail(ret, "pipe2");
	else
		inside_start(&in, clone_flags, ret);
	for (int i = 0; i < 2; i++) {
		cleanup_fd(&in.go[i]);
		cleanup_fd(&in.back[i]);
	}
}

void row_run(const struct row *row, const struct spec *spec,
	     struct finding *ret)
{
	*ret = (struct finding){ .ok = true };
	if (row->where == WHERE_SELF)
		row->probe(spec, ret);
	else if (row->where == WHERE_INSIDE)
		inside_run(row->clone_flags, row->probe, spec, ret);
	else
		fork_run(row->probe, spec, ret);
}
