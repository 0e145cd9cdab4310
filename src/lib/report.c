/* report.c -- see report.h. */
#include "lib/report.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "boundary/schema.h"
#include "cupel.h"
#include "lib/fields.h"
#include "lib/parse_program.h"
#include "lib/sealed.h"
#include "spec/report.h"
#include "spec/schemas.h"
#include "spec/spec.h"
#include "supervise/artifact.h"
#include "supervise/outcome.h"

#define SCHEMA       "tests"
#define CODE_BYTES   64
#define ANSWER_BYTES ((size_t)1 << 20)
#define ANSWER_DEPTH 8U
#define COPY_BYTES   65536

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

/* Its one input is named like its format. */
static int list_seal(enum report_format format, struct given *g,
		     struct cupel_error *err)
{
	off_t size = lseek(g->bytes_fd, 0, SEEK_END);
	char list[64];
	int n;

	(void)lseek(g->bytes_fd, 0, SEEK_SET);
	n = snprintf(list, sizeof list, "%s%c%lld%c",
		     report_format_name(format), 0, (long long)size, 0);
	g->list_fd = sealed_of(list, (size_t)n, false, err);
	if (g->list_fd < 0)
		return g->list_fd;
	g->program_fd =
		sealed_of(parse_program_bytes, parse_program_len(), true, err);
	return g->program_fd < 0 ? g->program_fd : 0;
}

static int parser_start(const struct given *g, struct cupel_run **ret,
			struct cupel_error *err)
{
	static const char *const argv[] = { "cupel-parse", "test_report",
					    NULL };
	const struct cupel_hooks hooks = {
		.size = sizeof hooks,
		.stdin_fd = g->list_fd,
		.inputs = &g->bytes_fd,
		.inputs_len = 1,
		.exec_fd = g->program_fd,
	};
	struct cupel_spec *spec = NULL;
	int e = cupel_spec_new(&spec, err);

	if (e == 0)
		e = cupel_spec_set(spec, "profile", "parser", err);
	if (e == 0)
		e = cupel_spec_set_command(spec, argv, err);
	if (e == 0)
		e = cupel_run_start(spec, &hooks, ret, err);
	cupel_spec_free(spec);
	return e;
}

bool report_begin(const struct spec *spec, const struct outcome *o,
		  struct report *r)
{
	struct given g = { -1, -1, -1 };
	struct cupel_error err = { 0 };
	struct cupel_run *parser = NULL;
	struct report_source from;
	int e;

	if (!report_source_read(spec->report, &from) ||
	    from.format == REPORT_NONE || !o->started)
		return false;
	r->is_asked = true;
	if (!seal(r, &from, o, &g)) {
		given_done(&g);
		return false;
	}
	e = list_seal(from.format, &g, &err);
	if (e == 0)
		e = parser_start(&g, &parser, &err);
	/* what is fed to it while it runs stays open in it */
	r->list_fd = take_fd(&g.list_fd);
	given_done(&g);
	if (e < 0)
		return refuse(r, PAYLOAD_REJECTED, "sandbox_failed",
			      "the report's parser", err.what);
	atomic_store(&r->parser, parser);
	return true;
}

/* --- what it said ----------------------------------------------------------- */

static void fail(struct payload *p, enum payload_status status,
		 const char *code, const char *message)
{
	p->status = status;
	p->value = (struct json_value){ 0 };
	p->error = (struct payload_error){ .code = code, .message = message };
}

/* Why the parser's end is none that counts, or NULL. */
static const char *end_refusal(enum cupel_status status)
{
	switch (status) {
	case CUPEL_OK:
		return NULL;
	case CUPEL_TIMEOUT:
		return "wall_time";
	case CUPEL_CPU_LIMIT:
		return "cpu_time";
	case CUPEL_MEM_LIMIT:
		return "memory";
	case CUPEL_FORBIDDEN_SYSCALL:
		return "forbidden_syscall";
	case CUPEL_INTERNAL_ERROR:
		return "sandbox_failed";
	default:
		return "parser_failed";
	}
}

/* What the parser found wrong: the first of its errors. */
static bool has_errors(struct payload *p)
{
	const struct json_value *list = json_find(&p->value, "errors");
	const struct json_value *first, *code, *message;
	uint64_t offset = 0;
	bool is_lie;

	if (list == NULL || list->type != JSON_ARRAY || list->u.array.len == 0)
		return false;
	first = &list->u.array.items[0];
	code = json_find(first, "code");
	message = json_find(first, "message");
	if (code == NULL || code->type != JSON_STRING ||
	    code->u.string.len > CODE_BYTES || message == NULL ||
	    message->type != JSON_STRING) {
		fail(p, PAYLOAD_REJECTED, "parser_failed", NULL);
		return true;
	}
	is_lie = json_is_text(code, "counts_disagree");
	fail(p, is_lie ? PAYLOAD_REJECTED : PAYLOAD_MALFORMED,
	     code->u.string.bytes, message->u.string.bytes);
	if (json_find(first, "offset") != NULL &&
	    json_read_u64(json_find(first, "offset"), &offset) == 0)
		p->error.offset = offset;
	return true;
}

/* The slice alone, against its schema. */
static void slice_take(const struct payload *all,
		       const struct payload_limits *limits, struct payload *ret)
{
	const struct json_value *slice = json_find(&all->value, "slice");
	const struct data_text *t = schema_text_find(SCHEMA);
	struct schema_set *set = schema_set_new();
	struct schema_fault fault = { 0 };
	owned_buf struct buf text = { .cap_bytes = ANSWER_BYTES };

	if (slice != NULL)
		json_write(slice, &text);
	if (set == NULL || t == NULL || slice == NULL || buf_has_failed(&text))
		fail(ret, PAYLOAD_REJECTED, "parser_failed", NULL);
	else if (schema_set_add(set, NULL, t->bytes, t->len, &fault) < 0 ||
		 schema_set_use(set, NULL, &fault) < 0)
		fail(ret, PAYLOAD_SCHEMA_ERROR, "schema_error", NULL);
	else
		payload_read(text.bytes, text.len, text.len, set, limits, ret);
	schema_set_free(set);
}

static void parsed_take(struct cupel_run *parser, const char *const *roots,
			struct payload *ret)
{
	const struct stream *said = &cupel_run_outcome(parser)->payload;
	const struct payload_limits limits = {
		.bytes = ANSWER_BYTES,
		.depth = ANSWER_DEPTH,
		.roots = roots,
	};
	const char *why = end_refusal(cupel_run_status(parser));
	struct payload all = { 0 };

	if (why != NULL) {
		fail(ret, PAYLOAD_REJECTED, why,
		     "the report could not be read");
		return;
	}
	payload_read(said->kept.bytes, said->kept.len, said->bytes, NULL,
		     &limits, &all);
	if (all.status != PAYLOAD_VALID)
		fail(&all, PAYLOAD_REJECTED, "parser_failed", NULL);
	else if (!has_errors(&all)) {
		slice_take(&all, &limits, ret);
		payload_done(&all);
		return;
	}
	*ret = all;
}

void report_take(struct report *r, const char *const *roots,
		 struct payload *ret)
{
	struct cupel_run *parser = atomic_load(&r->parser);

	if (parser != NULL)
		parsed_take(parser, roots, ret);
	else if (r->is_asked)
		fail(ret, r->status, r->code, r->message);
}

void report_done(struct report *r)
{
	cupel_run_free(atomic_load(&r->parser));
	if (r->list_fd > 0)
		(void)close(r->list_fd);
}
