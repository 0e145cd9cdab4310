/* report.c -- see report.h. */
#include "service/report.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "launch/launch.h"
#include "plan/plan.h"
#include "service/parse_program.h"
#include "service/report_answer.h"
#include "service/sealed.h"
#include "service/vessel_private.h"
#include "supervise/artifact.h"
#include "supervise/outcome.h"
#include "supervise/supervise.h"

#define COPY_BYTES 65536

/* What the parser is given: sealed memory files. */
struct given {
	int list_fd, bytes_fd, program_fd;
};

static void given_done(struct given *g)
{
	cleanup_fd(&g->list_fd);
	cleanup_fd(&g->bytes_fd);
	cleanup_fd(&g->program_fd);
}

/* There is nothing to read. */
static bool refuse(struct report *r, enum payload_status status,
		   const char *code, const char *place, const char *why)
{
	r->status = status;
	r->code = code;
	(void)snprintf(r->message, sizeof r->message, "%.200s: %.180s", place,
		       why);
	return false;
}

/* --- the bytes, sealed ------------------------------------------------------ */

static int copy(int from, int to, struct cupel_error *err)
{
	char bytes[COPY_BYTES];
	size_t total = 0;

	while (total <= REPORT_BYTES) {
		ssize_t n = pread(from, bytes, sizeof bytes, (off_t)total);
		int e;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		e = sealed_add(to, bytes, (size_t)n, err);
		if (e < 0)
			return e;
		total += (size_t)n;
	}
	return -EFBIG;
}

static bool is_same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Untouched since the phase began; what cannot be asked is not its own. */
static bool is_old(const struct report *r, int fd)
{
	struct stat st;

	if (r->old_ino == 0)
		return false;
	return fstat(fd, &st) < 0 ||
	       (st.st_ino == r->old_ino &&
		is_same_time(&st.st_ctim, &r->old_changed) &&
		is_same_time(&st.st_mtim, &r->old_written));
}

void report_mark(struct report *r, const struct vessel *v,
		 const struct holder *h)
{
	const struct report_source *from = &v->prepared->plan.report;
	const char *why = NULL;
	owned_fd int fd = -1;
	struct stat st;

	if (from->format == REPORT_NONE || from->path == NULL)
		return;
	fd = artifact_open(launch_held(h), from->path, UINT64_MAX, &why);
	if (fd < 0 || fstat(fd, &st) < 0)
		return;
	r->old_ino = st.st_ino;
	r->old_changed = st.st_ctim;
	r->old_written = st.st_mtim;
}

static bool seal_file(struct report *r, const char *path,
		      const struct outcome *o, struct given *ret)
{
	struct cupel_error err = { 0 };
	const char *why = NULL;
	owned_fd int from =
		artifact_open(o->tmpfs_fd, path, REPORT_BYTES, &why);
	int e;

	if (from < 0 && strcmp(why, "too_large") == 0)
		return refuse(r, PAYLOAD_TOO_LARGE, "report_too_large", path,
			      "the report is over 32 MiB");
	if (from < 0 && strcmp(why, "not_found") == 0)
		return refuse(r, PAYLOAD_ABSENT, "report_missing", path,
			      "the command left no report there");
	if (from < 0)
		return refuse(r, PAYLOAD_REJECTED, "report_refused", path, why);
	if (is_old(r, from))
		return refuse(r, PAYLOAD_ABSENT, "report_missing", path,
			      "the command left no report there: what lies "
			      "there is an earlier phase's");
	ret->bytes_fd = sealed_new(false, &err);
	e = ret->bytes_fd < 0 ? ret->bytes_fd : copy(from, ret->bytes_fd, &err);
	if (e == 0)
		e = sealed_close_writes(ret->bytes_fd, &err);
	if (e < 0)
		return refuse(r, PAYLOAD_REJECTED, "report_unreadable", path,
			      err.what[0] != '\0' ? err.what : strerror(-e));
	return true;
}

static bool seal_stream(struct report *r, const char *name,
			const struct stream *s, struct given *ret)
{
	struct cupel_error err = { 0 };

	if (s->truncated)
		return refuse(r, PAYLOAD_TOO_LARGE, "report_too_large", name,
			      "the report is over --output-bytes");
	if (s->kept.len == 0)
		return refuse(r, PAYLOAD_ABSENT, "report_missing", name,
			      "the command wrote nothing there");
	ret->bytes_fd = sealed_of(s->kept.bytes, s->kept.len, false, &err);
	if (ret->bytes_fd < 0)
		return refuse(r, PAYLOAD_REJECTED, "report_unreadable", name,
			      err.what);
	return true;
}

static bool seal(struct report *r, const struct report_source *from,
		 const struct outcome *o, struct given *ret)
{
	if (from->from == REPORT_FROM_STDOUT)
		return seal_stream(r, "stdout", &o->out, ret);
	if (from->from == REPORT_FROM_STDERR)
		return seal_stream(r, "stderr", &o->errs, ret);
	return seal_file(r, from->path, o, ret);
}

/* --- the parser -------------------------------------------------------------- */

/* Its one input is named like its format, and what is wanted of it. */
static int list_seal(const struct report_source *from, struct given *g,
		     struct cupel_error *err)
{
	off_t size = lseek(g->bytes_fd, 0, SEEK_END);
	char list[64];
	int n;

	(void)lseek(g->bytes_fd, 0, SEEK_SET);
	n = snprintf(list, sizeof list, "%s%s%c%lld%c",
		     report_format_name(from->format),
		     from->has_names ? "+names" : "", 0, (long long)size, 0);
	g->list_fd = sealed_of(list, (size_t)n, false, err);
	if (g->list_fd < 0)
		return g->list_fd;
	g->program_fd =
		sealed_of(parse_program_bytes, parse_program_len(), true, err);
	return g->program_fd < 0 ? g->program_fd : 0;
}

static int parser_start(const struct given *g, struct vessel **ret,
			struct cupel_error *err)
{
	static const char *const argv[] = { "cupel-parse", "test_report",
					    NULL };
	const struct vessel_request parser = {
		.profile = "parser",
		.argv = argv,
		.stdin_fd = g->list_fd,
		.inputs = &g->bytes_fd,
		.inputs_len = 1,
		.exec_fd = g->program_fd,
	};

	return vessel_start(&parser, ret, err);
}

static void parser_cancel(struct report *r)
{
	struct vessel *parser = atomic_load(&r->parser);

	if (parser != NULL)
		vessel_cancel(parser, 0);
}

static bool refuse_cancelled(struct report *r)
{
	return refuse(r, PAYLOAD_ABSENT, "report_cancelled", "not read",
		      "the run was cancelled");
}

bool report_begin(struct report *r, const struct vessel *v)
{
	const struct report_source *from = &v->prepared->plan.report;
	const struct outcome *o = run_outcome(v->run);
	struct given g = { -1, -1, -1 };
	struct cupel_error err = { 0 };
	struct vessel *parser = NULL;
	int e;

	if (from->format == REPORT_NONE || !o->started)
		return false;
	r->is_asked = true;
	if (atomic_load(&r->is_cancelled))
		return refuse_cancelled(r);
	if (!seal(r, from, o, &g)) {
		given_done(&g);
		return false;
	}
	e = list_seal(from, &g, &err);
	if (e == 0)
		e = parser_start(&g, &parser, &err);
	/* what is fed to it while it runs stays open in it */
	r->list_fd = take_fd(&g.list_fd);
	given_done(&g);
	if (e < 0)
		return refuse(r, PAYLOAD_REJECTED, "sandbox_failed",
			      "the report's parser", err.what);
	atomic_store(&r->parser, parser);
	/* a handler may have looked before there was one */
	if (atomic_load(&r->is_cancelled))
		parser_cancel(r);
	return true;
}

void report_cancel(struct report *r)
{
	atomic_store(&r->is_cancelled, true);
	parser_cancel(r);
}

/* Why the parser's end is none that counts.  Returns whether it is one. */
static bool has_ended_well(struct report *r, const struct vessel *parser)
{
	const char *code = vessel_end_code(parser->verdict.status);
	const char *why = parser->verdict.message;

	if (code == NULL)
		return true;
	if (atomic_load(&r->is_cancelled))
		return refuse_cancelled(r);
	if (strcmp(code, "sandbox_failed") != 0)
		why = vessel_end_sentence(code);
	return refuse(r, PAYLOAD_REJECTED, code, "the report's parser", why);
}

void report_take(struct report *r, const struct vessel *v, struct payload *ret)
{
	const char *roots[] = { "/repo", v->prepared->host.repo.path, NULL };
	struct vessel *parser = atomic_load(&r->parser);

	if (parser != NULL && has_ended_well(r, parser)) {
		report_answer_read(&run_outcome(parser->run)->payload, roots,
				   ret);
	} else if (r->is_asked) {
		ret->status = r->status;
		ret->error.code = r->code;
		ret->error.message = r->message;
	}
}

void report_close(struct report *r)
{
	vessel_free(atomic_load(&r->parser));
	if (r->list_fd > 0)
		(void)close(r->list_fd);
}
