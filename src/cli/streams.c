/* streams.c -- stdin, stdout and stderr of `cupel run`. */
#include "cli/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "cupel.h"
#include "spec/spec.h"

/* Never waits: a fifo without a writer is read when one comes, beside the run
 * and within its wall time; one without a reader is refused. */
static int open_named(const char *option, const char *path, int flags,
		      int *ret_fd, struct cupel_error *err)
{
	int fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);

	if (fd < 0)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  errno, "--%s: %.300s: %s", option, path,
				  errno == ENXIO ? "a fifo that nobody reads"
						 : strerror(errno));
	*ret_fd = fd;
	return 0;
}

static int open_stdin(const struct spec *spec, struct streams *s,
		      struct cupel_error *err)
{
	struct stat st;
	int r;

	if (spec->stdin_path == NULL)
		return 0;
	if (strcmp(spec->stdin_path, "-") == 0) {
		s->stdin_fd = STDIN_FILENO;
		return 0;
	}
	s->owns_stdin = true;
	r = open_named("stdin", spec->stdin_path, O_RDONLY, &s->stdin_fd, err);
	if (r == 0 && fstat(s->stdin_fd, &st) == 0 && S_ISDIR(st.st_mode))
		r = cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
			       EISDIR, "--stdin: %.300s: %s", spec->stdin_path,
			       strerror(EISDIR));
	return r;
}

/* One of the two streams: a file gets the bytes as they are; otherwise they
 * pass through, but not where stdout is for the JSON. */
struct output {
	const char *option, *path;
	int through; /* where they go without a file */
	int *own;
	struct pass *pass;
};

static int open_output(const struct spec *spec, const struct output *o,
		       struct cupel_error *err)
{
	bool is_json = spec->json != NULL && spec->json[0] == '\0';
	int r;

	if (o->path == NULL) {
		pass_init(o->pass, is_json ? -1 : o->through, spec->raw);
		return 0;
	}
	r = open_named(o->option, o->path, O_WRONLY | O_CREAT | O_TRUNC, o->own,
		       err);
	if (r == 0)
		pass_init(o->pass, *o->own, true);
	return r;
}

int streams_open(const struct spec *spec, struct streams *ret,
		 struct cupel_error *err)
{
	const struct output outputs[] = {
		{ "stdout", spec->stdout_path, STDOUT_FILENO, &ret->out_fd,
		  &ret->out },
		{ "stderr", spec->stderr_path, STDERR_FILENO, &ret->errs_fd,
		  &ret->errs },
	};
	int r;

	*ret = (struct streams){
		.stdin_fd = -1,
		.out = { .fd = -1 },
		.errs = { .fd = -1 },
		.out_fd = -1,
		.errs_fd = -1,
	};
	r = open_stdin(spec, ret, err);
	for (size_t i = 0; r == 0 && i < 2; i++)
		r = open_output(spec, &outputs[i], err);
	return r;
}

void streams_take(void *data, int stream, const char *bytes, size_t n)
{
	struct streams *s = data;

	pass_add(stream == CUPEL_STDOUT ? &s->out : &s->errs, bytes, n);
}

void streams_wait(struct streams *s, int run_fd)
{
	struct pollfd p[] = {
		{ .fd = run_fd, .events = POLLIN },
		{ .fd = pass_has_bytes(&s->out) ? s->out.fd : -1,
		  .events = POLLOUT },
		{ .fd = pass_has_bytes(&s->errs) ? s->errs.fd : -1,
		  .events = POLLOUT },
	};

	if (poll(p, sizeof p / sizeof *p, -1) <= 0)
		return;
	if (p[1].revents != 0)
		pass_step(&s->out);
	if (p[2].revents != 0)
		pass_step(&s->errs);
}

int streams_lost(const struct streams *s, const char **ret_name)
{
	*ret_name = s->out.error != 0 ? "stdout" : "stderr";
	return s->out.error != 0 ? s->out.error : s->errs.error;
}

void streams_done(struct streams *s)
{
	if (s->owns_stdin)
		cleanup_fd(&s->stdin_fd);
	pass_done(&s->out);
	pass_done(&s->errs);
	cleanup_fd(&s->out_fd);
	cleanup_fd(&s->errs_fd);
}
