/* do.c -- runs the command as a child, for each kind of request. */
#include "worker/do.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "base/outfile.h"
#include "service/file.h"
#include "worker/check.h"
#include "worker/worker.h"

#define WORDS      160 /* 64 names of probes, twice, and the rest */
#define PATH_BYTES 4200

/* What the function of a kind is given: argv has its first word, and cwd is the
 * repository. */
struct work {
	const struct worker_job *job;
	const char *argv[WORDS];
	size_t argc;
	char path[PATH_BYTES], other[PATH_BYTES];
	struct buf input;
	int cwd_fd;
	struct worker_child_end end;
};

static void add(struct work *k, const char *word)
{
	if (k->argc + 1 < WORDS)
		k->argv[k->argc++] = word;
}

static const char *place_of(struct work *k, char to[PATH_BYTES],
			    const char *name)
{
	(void)snprintf(to, PATH_BYTES, "%s/%s", k->job->place, name);
	return to;
}

static bool is_true(const struct json_value *of, const char *name)
{
	const struct json_value *v = of != NULL ? json_find(of, name) : NULL;

	return v != NULL && v->type == JSON_BOOL && v->u.boolean;
}

static enum worker_end run_child(struct work *k, struct worker_why *why)
{
	struct worker_child c = { .argv = k->argv,
				  .cwd_fd = k->cwd_fd,
				  .input = k->input.bytes,
				  .input_len = k->input.len,
				  .out_bytes = k->job->w->answer_max };
	struct cupel_error err = { 0 };

	k->argv[k->argc] = NULL;
	worker_child_set(k->job, &c);
	if (buf_has_failed(&k->input)) {
		(void)worker_why_set(why, "crash", "no memory for the request");
		return WORKER_GIVEN_BACK;
	}
	if (worker_child_run(&c, &k->end, &err) < 0) {
		(void)worker_why_set(why, "crash", "%s", err.what);
		return WORKER_GIVEN_BACK;
	}
	return WORKER_DONE;
}

/* Read a file that a child of ours has written in the request's directory. */
static enum worker_end file_take(struct work *k, const char *path,
				 struct buf *out, struct worker_why *why)
{
	struct cupel_error err = { 0 };
	int r = file_read_regular(NULL, path, k->job->w->answer_max, out, &err);

	if (r == 0)
		return WORKER_DONE;
	(void)worker_why_set(why, r == -EFBIG ? "answer_too_large" : "crash",
			     "%s", err.what);
	return r == -EFBIG ? WORKER_REFUSED : WORKER_FAILED;
}

/* --- run: a batch of one line ----------------------------------------------- */

static void line_write(const struct worker_request *q, struct buf *out)
{
	const struct json_value *spec = json_find(&q->value, "spec");

	buf_text(out, "{\"id\":\"1\"");
	for (size_t i = 0; i < spec->u.object.len; i++) {
		const struct json_member *m = &spec->u.object.members[i];

		buf_char(out, ',');
		jsonw_quote(out, m->name.bytes, m->name.len);
		buf_char(out, ':');
		json_write(&m->value, out);
	}
	buf_text(out, "}\n");
}

static enum worker_end cause_judge(const struct worker *w,
				   const struct json_value *cause,
				   const char *text, struct worker_why *why)
{
	if (cause != NULL && json_is_text(cause, "caller")) {
		(void)worker_why_set(why, "refused_by_cupel", "%s", text);
		return WORKER_REFUSED;
	}
	(void)worker_why_set(why, "crash", "%s", text);
	return cause != NULL && json_is_text(cause, "bug")
		       ? WORKER_FAILED
		       : worker_host_judge(w, NULL);
}

static const char *text_of(const struct json_value *v, const char *name)
{
	const struct json_value *t = v != NULL ? json_find(v, name) : NULL;

	return t != NULL && t->type == JSON_STRING ? t->u.string.bytes
						   : "no reason given";
}

/* Take the result out of the batch's answer. */
static enum worker_end line_judge(const struct worker *w,
				  const struct json_value *answer,
				  struct buf *result, struct worker_why *why)
{
	const struct json_value *error = json_find(answer, "error");
	const struct json_value *r = json_find(answer, "result");
	const struct json_value *status, *cause;

	if (error != NULL)
		return cause_judge(w, json_find(error, "cause"),
				   text_of(error, "message"), why);
	status = r != NULL ? json_find(r, "status") : NULL;
	if (status == NULL) {
		(void)worker_why_set(why, "bad_answer",
				     "the line's answer has no result");
		return WORKER_FAILED;
	}
	cause = json_find(r, "cause");
	if (json_is_text(status, "INTERNAL_ERROR") && cause != NULL &&
	    !json_is_text(cause, "caller"))
		return cause_judge(w, cause, text_of(r, "message"), why);
	json_write(r, result);
	return WORKER_DONE;
}

static enum worker_end line_read(const struct worker *w, const struct buf *out,
				 struct buf *result, struct worker_why *why)
{
	const struct json_caps caps = { .text_bytes = WORKER_ANSWER_BYTES,
					.string_bytes = WORKER_ANSWER_BYTES,
					.depth = JSON_DEPTH_RESULT + 4,
					.memory_bytes = (size_t)512 << 20 };
	struct arena arena = { 0 };
	struct json_value v = { 0 };
	struct json_error e = { 0 };
	enum worker_end end = WORKER_FAILED;

	if (out->bytes != NULL &&
	    json_parse(out->bytes, out->len, &caps, &arena, &v, &e) == 0)
		end = line_judge(w, &v, result, why);
	else
		(void)worker_why_set(
			why, "bad_answer",
			"the line's answer is not JSON: byte %zu: %s", e.offset,
			json_code_name(e.code));
	arena_done(&arena);
	return end;
}

static enum worker_end do_run(struct work *k, struct buf *result,
			      struct worker_why *why)
{
	enum worker_end end;

	add(k, "batch");
	add(k, "--jobs");
	add(k, "1");
	add(k, "--quiet");
	if (json_find(&k->job->q->value, "source") == NULL) {
		add(k, "--repo-mode");
		add(k, "none");
	}
	line_write(k->job->q, &k->input);
	end = run_child(k, why);
	if (end != WORKER_DONE)
		return end;
	/* 1: the run was not OK, and its answer says so */
	if (k->end.status > 1 || k->end.is_late || k->end.is_stopped ||
	    k->end.is_out_cut)
		return worker_child_judge(k->job, &k->end, why);
	return line_read(k->job->w, &k->end.out, result, why);
}

/* --- gather, confirm, gate ---------------------------------------------------- */

static enum worker_end do_gather(struct work *k, struct buf *result,
				 struct worker_why *why)
{
	const struct json_value *g = json_find(&k->job->q->value, "gather");
	const struct json_value *only = g != NULL ? json_find(g, "only") : NULL;
	enum worker_end end;

	add(k, "gather");
	add(k, "--quiet");
	add(k, "--no-cache");
	add(k, "--format");
	add(k, "json");
	add(k, "--out");
	add(k, place_of(k, k->path, "out"));
	if (is_true(g, "with_node_modules"))
		add(k, "--with-node-modules");
	for (size_t i = 0; only != NULL && i < only->u.array.len; i++) {
		add(k, "--only");
		add(k, only->u.array.items[i].u.string.bytes);
	}
	add(k, ".");
	end = run_child(k, why);
	if (end != WORKER_DONE)
		return end;
	if (k->end.status != 0)
		return worker_child_judge(k->job, &k->end, why);
	return file_take(k, place_of(k, k->path, "out/repo-context.json"),
			 result, why);
}

/* The log has one record on each line: make them one array. */
static void records_join(const struct buf *lines, struct buf *out)
{
	const char *at = lines->bytes != NULL ? lines->bytes : "";
	const char *end = at + lines->len;

	buf_text(out, "{\"records\":[");
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		if (stop == NULL)
			stop = end;
		buf_add(out, at, (size_t)(stop - at));
		at = stop + 1;
		if (at < end)
			buf_char(out, ',');
	}
	buf_text(out, "]}");
}

static enum worker_end do_confirm(struct work *k, struct buf *result,
				  struct worker_why *why)
{
	const struct json_value *c = json_find(&k->job->q->value, "confirm");
	const struct json_value *flags = json_find(c, "flags");
	const struct json_value *time = json_find(c, "flag_time_s");
	owned_buf struct buf lines = { 0 };
	enum worker_end end;

	for (size_t i = 0; i < flags->u.array.len; i++) {
		json_write(&flags->u.array.items[i], &k->input);
		buf_char(&k->input, '\n');
	}
	add(k, "confirm");
	add(k, "--quiet");
	add(k, "--repo");
	add(k, ".");
	if (time != NULL) {
		add(k, "--flag-time-s");
		add(k, time->u.number.bytes);
	}
	add(k, "/dev/stdin");
	add(k, place_of(k, k->path, "log"));
	end = run_child(k, why);
	if (end != WORKER_DONE)
		return end;
	if (k->end.status != 0)
		return worker_child_judge(k->job, &k->end, why);
	end = file_take(k, k->path, &lines, why);
	if (end == WORKER_DONE)
		records_join(&lines, result);
	return end;
}

/* A gate reads its baseline from a file: write it into the request's
 * directory. */
static bool file_put(const char *path, const struct json_value *v,
		     struct worker_why *why)
{
	owned_buf struct buf text = { 0 };
	struct cupel_error err = { 0 };
	struct outfile o = OUTFILE_NONE;
	int r;

	json_write(v, &text);
	r = buf_has_failed(&text) ? -ENOMEM
				  : outfile_open(path, 0600, &o, &err);
	if (r == 0)
		r = outfile_write(o.fd, text.bytes, text.len);
	if (r == 0)
		r = outfile_put(&o);
	outfile_done(&o);
	if (r < 0)
		(void)worker_why_set(why, "crash", "%s: %s", path,
				     strerror(-r));
	return r == 0;
}

static enum worker_end do_gate(struct work *k, struct buf *result,
			       struct worker_why *why)
{
	const struct json_value *g = json_find(&k->job->q->value, "gate");
	const struct json_value *baseline = json_find(g, "baseline");
	enum worker_end end;

	add(k, "gate");
	add(k, "run");
	add(k, "--quiet");
	add(k, "--json");
	add(k, "--no-wait");
	add(k, "--worktree");
	add(k, ".");
	add(k, "--state");
	add(k, place_of(k, k->path, "state"));
	if (baseline != NULL) {
		if (!file_put(place_of(k, k->other, "baseline"), baseline, why))
			return WORKER_GIVEN_BACK;
		add(k, "--baseline");
		add(k, k->other);
	}
	add(k, json_find(g, "name")->u.string.bytes);
	end = run_child(k, why);
	if (end != WORKER_DONE)
		return end;
	/* 11 and 12: it did not pass, and the result says why */
	if ((k->end.status != 0 && k->end.status != 11 &&
	     k->end.status != 12) ||
	    k->end.is_late || k->end.is_stopped || k->end.is_out_cut)
		return worker_child_judge(k->job, &k->end, why);
	buf_add(result, k->end.out.bytes != NULL ? k->end.out.bytes : "",
		k->end.out.len);
	return WORKER_DONE;
}

/* --- all of them ------------------------------------------------------------- */

enum worker_end worker_do(const struct worker_job *job, struct buf *result,
			  struct worker_why *why)
{
	static enum worker_end (*const how[])(struct work *, struct buf *,
					      struct worker_why *) = {
		[WORKER_RUN] = do_run,
		[WORKER_GATHER] = do_gather,
		[WORKER_CONFIRM] = do_confirm,
		[WORKER_GATE] = do_gate,
	};
	owned_fd int source = -1;
	struct work k = { .job = job, .argv = { "cupel" }, .argc = 1 };
	enum worker_end end = worker_source_open(job, &source, why);

	if (end != WORKER_DONE)
		return end;
	k.cwd_fd = source >= 0 ? source : job->place_fd;
	end = how[job->q->kind](&k, result, why);
	while (result->len > 0 && result->bytes[result->len - 1] == '\n')
		result->len--;
	buf_done(&k.input);
	worker_child_end_done(&k.end);
	if (end == WORKER_DONE &&
	    (buf_has_failed(result) || result->len == 0)) {
		(void)worker_why_set(why, "bad_answer",
				     "the command gave no result");
		return WORKER_FAILED;
	}
	return end;
}
