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
#include "base/outfile.h"
#include "cupel.h"
#include "spec/spec.h"

/* It never waits.  A fifo without a writer is read once one comes, while the
 * run goes on and within its wall time.  A descriptor is not opened again. */
static int open_source(const char *path, int *ret_fd, struct cupel_error *err)
{
	int own = outfile_find_descriptor(path);
	int fd = own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
			  : open(path,
				 O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  errno, "--stdin: %.300s: %s", path,
				  strerror(errno));
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
	r = open_source(spec->stdin_path, &s->stdin_fd, err);
	if (r == 0 && fstat(s->stdin_fd, &st) == 0 && S_ISDIR(st.st_mode))
		r = cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
			       EISDIR, "--stdin: %.300s: %s", spec->stdin_path,
			       strerror(EISDIR));
	return r;
}

/* One of the two streams.  Bytes go to a file unchanged.  Without a file they
 * pass through, unless stdout is needed for the JSON. */
struct output {
	const char *option, *path;
	int through; /* where the bytes go without a file */
	struct outfile *own;
	const struct output *same; /* opened before; may have the same path */
	struct pass *pass;
};

static int open_output(const struct spec *spec, const struct output *o,
		       struct cupel_error *err)
{
	bool is_json = spec->json != NULL && spec->json[0] == '\0';
	struct cupel_error why = { 0 };
	int r;

	if (o->path == NULL) {
		pass_init(o->pass, is_json ? -1 : o->through, spec->raw);
		return 0;
	}
	if (o->same != NULL && strcmp(o->same->path, o->path) == 0) {
		pass_init(o->pass, o->same->own->fd, spec->raw);
		return 0;
	}
	r = outfile_open(o->path, 0666, o->own, &why);
	if (r < 0)
		return cupel_fail(err, why.stage, why.cause, why.sys,
				  "--%s: %s", o->option, why.what);
	pass_init(o->pass, o->own->fd, spec->raw);
	return 0;
}

int streams_open(const struct spec *spec, struct streams *ret,
		 struct cupel_error *err)
{
	const struct output out = { .option = "stdout",
				    .path = spec->stdout_path,
				    .through = STDOUT_FILENO,
				    .own = &ret->out_file,
				    .pass = &ret->out };
	const struct output errs = { .option = "stderr",
				     .path = spec->stderr_path,
				     .through = STDERR_FILENO,
				     .own = &ret->errs_file,
				     .same = out.path != NULL ? &out : NULL,
				     .pass = &ret->errs };
	int r;

	*ret = (struct streams){
		.stdin_fd = -1,
		.out = { .fd = -1 },
		.errs = { .fd = -1 },
		.out_file = OUTFILE_NONE,
		.errs_file = OUTFILE_NONE,
	};
	r = open_stdin(spec, ret, err);
	if (r == 0)
		r = open_output(spec, &out, err);
	if (r == 0)
		r = open_output(spec, &errs, err);
	return r;
}

static int put_one(struct outfile *o, const char *option, const char *path,
		   struct cupel_error *err)
{
	int e = outfile_put(o);

	return e == 0 ? 0
		      : cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				   -e, "--%s: %.300s: %s", option, path,
				   strerror(-e));
}

int streams_put(const struct spec *spec, struct streams *s,
		struct cupel_error *err)
{
	int r = put_one(&s->out_file, "stdout", spec->stdout_path, err);

	return r < 0 ? r
		     : put_one(&s->errs_file, "stderr", spec->stderr_path, err);
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
	outfile_done(&s->out_file);
	outfile_done(&s->errs_file);
}
