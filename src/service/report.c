/* report.c -- see report.h. */
#include "service/report.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "plan/plan.h"
#include "service/parse_program.h"
#include "service/report_answer.h"
#include "service/sealed.h"
#include "service/vessel_private.h"
#include "supervise/artifact.h"
#include "supervise/old_files.h"
#include "supervise/outcome.h"
#include "supervise/supervise.h"

#define COPY_BYTES  65536
#define REPORTS_MAX 256 /* files of one run */

/* What the parser gets: sealed memory files. */
struct given {
	int list_fd, bytes_fd, program_fd;
	const char *format; /* the name of each report */
	bool is_any;        /* or each by its own name */
	bool has_names;     /* every test needs a name */
	struct buf list;
	size_t total, files; /* bytes of all reports, and how many these are */
};

static void given_done(struct given *g)
{
	cleanup_fd(&g->list_fd);
	cleanup_fd(&g->bytes_fd);
	cleanup_fd(&g->program_fd);
	buf_done(&g->list);
}

static void given_note(struct given *g, const char *name, size_t bytes)
{
	buf_format(&g->list, "%s%c%zu%c", name, 0, bytes, 0);
}

/* The format that the end of a file's name stands for; NULL for none. */
static const char *format_of_name(const char *path)
{
	static const struct {
		const char *end;
		enum report_format format;
	} rows[] = {
		{ ".xml", REPORT_JUNIT },
		{ ".tap", REPORT_TAP },
		{ ".json", REPORT_JEST },
	};
	const char *end = strrchr(path, '.');

	for (size_t i = 0; end != NULL && i < sizeof rows / sizeof *rows; i++)
		if (strcmp(end, rows[i].end) == 0)
			return report_format_name(rows[i].format);
	return NULL;
}

/* Add a report under the name of its format, with what is wanted of it. */
static void given_report(struct given *g, const char *format, size_t bytes)
{
	char name[32];

	(void)snprintf(name, sizeof name, "%s%s", format,
		       g->has_names ? "+names" : "");
	given_note(g, name, bytes);
}

/* There is nothing to read; note why. */
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

/* Returns the bytes copied, or -errno; -EFBIG over the cap of all reports. */
static ssize_t copy(int from, struct given *g, struct cupel_error *err)
{
	char bytes[COPY_BYTES];
	size_t total = 0;

	while (g->total + total <= REPORT_BYTES) {
		ssize_t n = pread(from, bytes, sizeof bytes, (off_t)total);
		int e;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : (ssize_t)total;
		e = sealed_add(g->bytes_fd, bytes, (size_t)n, err);
		if (e < 0)
			return e;
		total += (size_t)n;
	}
	return -EFBIG;
}

void report_mark(struct report *r, const struct vessel *v, int tmpfs_fd)
{
	const struct report_source *from = &v->prepared->plan.report;

	if (from->format != REPORT_NONE && from->path != NULL)
		old_files_mark(&r->old, tmpfs_fd, from->path);
}

static bool refuse_size(struct report *r, const char *path)
{
	return refuse(r, PAYLOAD_TOO_LARGE, "report_too_large", path,
		      "the report is over 32 MiB");
}

/* Why there is no report, and the words that make a runner write one. */
static const char *report_hint(const char *format)
{
	static const struct {
		const char *format, *hint;
	} rows[] = {
		{ "jest", "the command left no report (see its output); jest "
			  "writes one with --json --outputFile=FILE" },
		{ "junit",
		  "the command left no report (see its output); pytest writes "
		  "one with --junitxml=FILE, vitest with --reporter=junit "
		  "--outputFile=FILE, ctest with --output-junit FILE" },
		{ "tap", "the command left no report (see its output); node "
			 "--test writes one with --test-reporter=tap "
			 "--test-reporter-destination=FILE" },
		{ "any", "node --test, mocha, jest and vitest left no report; "
			 "name another runner's with --report FORMAT:FILE" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].format, format) == 0)
			return rows[i].hint;
	return "the command left no report there";
}

/* A reporter of ours creates its file, still empty, when its runner begins. */
static bool seal_file(struct report *r, const char *path,
		      const struct outcome *o, struct given *g,
		      bool is_one_of_many)
{
	struct cupel_error err = { 0 };
	const char *why = NULL;
	owned_fd int from =
		artifact_open(o->tmpfs_fd, path, REPORT_BYTES, &why);
	const char *format = g->is_any ? format_of_name(path) : g->format;
	ssize_t n;

	if (from < 0 && strcmp(why, "too_large") == 0)
		return refuse_size(r, path);
	if (from < 0 && strcmp(why, "not_found") == 0)
		return refuse(r, PAYLOAD_ABSENT, "report_missing", path,
			      report_hint(g->format));
	if (from < 0)
		return refuse(r, PAYLOAD_REJECTED, "report_refused", path, why);
	if (old_files_has(&r->old, from))
		return true;
	if (format == NULL)
		return refuse(
			r, PAYLOAD_REJECTED, "report_refused", path,
			"expected a name that ends with .xml, .tap or .json");
	n = copy(from, g, &err);
	if (n == -EFBIG)
		return refuse_size(r, path);
	if (n < 0)
		return refuse(r, PAYLOAD_REJECTED, "report_unreadable", path,
			      err.what[0] != '\0' ? err.what
						  : strerror((int)-n));
	if (n == 0 && is_one_of_many)
		return refuse(r, PAYLOAD_MALFORMED, "report_unfinished", path,
			      "its runner did not finish it");
	g->total += (size_t)n;
	g->files++;
	given_report(g, format, (size_t)n);
	return true;
}

/* Each writer has a file of its own: all of them count, or none. */
static bool seal_dir(struct report *r, const char *path,
		     const struct outcome *o, struct given *g)
{
	struct artifact_list list = { 0 };
	int e = artifact_names(o->tmpfs_fd, path, &list);
	bool is_read = e == 0;

	if (!is_read)
		refuse(r, PAYLOAD_REJECTED, "report_unreadable", path,
		       strerror(-e));
	else if (list.len == 0)
		is_read = refuse(r, PAYLOAD_ABSENT, "report_missing", path,
				 report_hint(g->format));
	else if (list.len > REPORTS_MAX)
		is_read = refuse(r, PAYLOAD_TOO_LARGE, "too_many_reports", path,
				 "more than 256 reports");
	for (size_t i = 0; is_read && i < list.len; i++)
		is_read = seal_file(r, list.items[i].path, o, g, true);
	artifact_list_done(&list);
	return is_read;
}

static bool seal_stream(struct report *r, const char *name,
			const struct stream *s, struct given *g)
{
	struct cupel_error err = { 0 };

	if (s->truncated)
		return refuse(r, PAYLOAD_TOO_LARGE, "report_too_large", name,
			      "it is longer than --output-bytes");
	if (s->kept.len == 0)
		return refuse(r, PAYLOAD_ABSENT, "report_missing", name,
			      "the command wrote nothing there");
	if (sealed_add(g->bytes_fd, s->kept.bytes, s->kept.len, &err) < 0)
		return refuse(r, PAYLOAD_REJECTED, "report_unreadable", name,
			      err.what);
	given_report(g, g->format, s->kept.len);
	return true;
}

/* Add how the run ended, which the counts are compared with. */
static int exit_seal(int rc, struct given *g, struct cupel_error *err)
{
	char text[16];
	int n = snprintf(text, sizeof text, "%d", rc);

	g->bytes_fd = sealed_new(false, err);
	if (g->bytes_fd < 0)
		return g->bytes_fd;
	given_note(g, "exit", (size_t)n);
	return sealed_add(g->bytes_fd, text, (size_t)n, err);
}

static bool seal(struct report *r, const struct vessel *v, struct given *g)
{
	const struct report_source *from = &v->prepared->plan.report;
	const struct outcome *o = run_outcome(v->run);
	struct cupel_error err = { 0 };

	g->format = report_format_name(from->format);
	g->is_any = from->format == REPORT_ANY;
	g->has_names = from->has_names;
	if (exit_seal(v->verdict.rc, g, &err) < 0)
		return refuse(r, PAYLOAD_REJECTED, "report_unreadable",
			      "the report", err.what);
	if (from->from == REPORT_FROM_STDOUT)
		return seal_stream(r, "stdout", &o->out, g);
	if (from->from == REPORT_FROM_STDERR)
		return seal_stream(r, "stderr", &o->errs, g);
	if (!(from->is_dir ? seal_dir(r, from->path, o, g)
			   : seal_file(r, from->path, o, g, false)))
		return false;
	return g->files > 0 ||
	       refuse(r, PAYLOAD_ABSENT, "report_missing", from->path,
		      "the command left no report there; the one there is from "
		      "an earlier phase");
}

/* --- the parser -------------------------------------------------------------- */

static int list_seal(struct given *g, struct cupel_error *err)
{
	int r = sealed_close_writes(g->bytes_fd, err);

	if (r < 0)
		return r;
	if (buf_has_failed(&g->list))
		return cupel_fail(err, CUPEL_STAGE_RESULT, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for the list of reports");
	g->list_fd = sealed_of(g->list.bytes, g->list.len, false, err);
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
	struct given g = { .list_fd = -1, .bytes_fd = -1, .program_fd = -1 };
	struct cupel_error err = { 0 };
	struct vessel *parser = NULL;
	int e;

	if (from->format == REPORT_NONE || !o->started)
		return false;
	r->is_asked = true;
	if (atomic_load(&r->is_cancelled))
		return refuse_cancelled(r);
	if (!seal(r, v, &g)) {
		given_done(&g);
		return false;
	}
	e = list_seal(&g, &err);
	if (e == 0)
		e = parser_start(&g, &parser, &err);
	/* what it is fed while it runs stays open for it */
	r->list_fd = take_fd(&g.list_fd);
	given_done(&g);
	if (e < 0)
		return refuse(r, PAYLOAD_REJECTED, "sandbox_failed",
			      "the report's parser", err.what);
	atomic_store(&r->parser, parser);
	/* a handler may have looked before there was a parser */
	if (atomic_load(&r->is_cancelled))
		parser_cancel(r);
	return true;
}

void report_cancel(struct report *r)
{
	atomic_store(&r->is_cancelled, true);
	parser_cancel(r);
}

/* Note why the parser's end does not count.  Returns whether it counts. */
static bool has_ended_well(struct report *r, const struct vessel *parser)
{
	const struct verdict *end = &parser->verdict;
	const char *code = parse_program_end_code(end->status, end->rc);
	const char *why = end->message;

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
	const struct host_source *repo = &v->prepared->host.repo;
	const char *roots[] = { "/repo", repo->path, repo->dst, NULL };
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
	old_files_done(&r->old);
}
