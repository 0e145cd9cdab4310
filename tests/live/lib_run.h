/* lib_run.h -- for tests that run commands through libcupel: one call for one run. */
#ifndef CUPEL_TESTS_LIB_RUN_H
#define CUPEL_TESTS_LIB_RUN_H

#include <stdlib.h>
#include <string.h>

#include "cupel.h"
#include "json_at.h"

/* A request: options as name, value, ..., NULL; then the command. */
static inline struct cupel_spec *spec_of(const char *const *options,
					 const char *const *argv)
{
	struct cupel_error err = { 0 };
	struct cupel_spec *s = NULL;

	ok_int(cupel_spec_new(&s, &err), 0);
	ok_int(cupel_spec_set(s, "repo-mode", "none", &err), 0);
	for (size_t i = 0; options != NULL && options[i] != NULL; i += 2)
		if (cupel_spec_set(s, options[i], options[i + 1], &err) < 0) {
			fprintf(stderr, "# %s\n", err.what);
			ok(err.what[0] == '\0');
		}
	ok_int(cupel_spec_set_command(s, argv, &err), 0);
	return s;
}

static inline struct cupel_run *start(const char *const *options,
				      const char *const *argv,
				      const struct cupel_hooks *hooks)
{
	struct cupel_spec *s = spec_of(options, argv);
	struct cupel_error err = { 0 };
	struct cupel_run *run = NULL;
	int r = cupel_run_start(s, hooks, &run, &err);

	if (r < 0)
		fprintf(stderr, "# %s\n", err.what);
	ok_int(r, 0);
	cupel_spec_free(s); /* a run needs its spec no longer */
	return run;
}

/* The end of a run, with its result parsed. */
struct end {
	enum cupel_status status;
	int rc;
	struct arena arena;
	struct json_value json;
};

static inline struct end end_of(struct cupel_run *run)
{
	struct end e = { .status = CUPEL_STATUS_MAX_ };
	struct cupel_error err = { 0 };
	struct json_error bad;
	const char *text;
	size_t n = 0;

	if (run == NULL)
		return e;
	ok_int(cupel_run_wait(run, &err), 0);
	ok_int(cupel_run_fd(run), -1);
	e.status = cupel_run_status(run);
	e.rc = cupel_run_rc(run);
	text = cupel_run_result(run, &n);
	ok(text != NULL && strlen(text) == n);
	if (text == NULL ||
	    json_parse(text, n,
		       &(struct json_caps){ .text_bytes = 64 << 20,
					    .string_bytes = 64 << 20 },
		       &e.arena, &e.json, &bad) < 0) {
		fprintf(stderr, "# the result is no JSON\n");
		tap_bad++;
		e.status = CUPEL_STATUS_MAX_;
	}
	cupel_run_free(run);
	return e;
}

static inline void end_done(struct end *e)
{
	arena_done(&e->arena);
}

/* The value at "a.b" of the result, or NULL. */
static inline const struct json_value *at(const struct end *e, const char *path)
{
	const struct json_value *v = &e->json;

	while (v != NULL && *path != '\0') {
		size_t n = strcspn(path, ".");

		v = json_find_bytes(v, path, n);
		path += n + (path[n] == '.');
	}
	return v;
}

static inline const char *text_at(const struct end *e, const char *path)
{
	const struct json_value *v = at(e, path);

	return v != NULL && v->type == JSON_STRING ? v->u.string.bytes
						   : "(no text)";
}

static inline uint64_t number_at(const struct end *e, const char *path)
{
	const struct json_value *v = at(e, path);
	uint64_t n = UINT64_MAX;

	if (v != NULL)
		(void)json_read_u64(v, &n);
	return n;
}

#define SH(script)   ((const char *const[]){ "sh", "-c", (script), NULL })
#define OPTIONS(...) ((const char *const[]){ __VA_ARGS__, NULL, NULL })

static inline void status_is(struct end *e, enum cupel_status status, int rc)
{
	if (e->status != status)
		fprintf(stderr, "# %s: %s %s\n", cupel_status_name(e->status),
			text_at(e, "message"), text_at(e, "stderr"));
	ok_int(e->status, status);
	ok_int(e->rc, rc);
}

/* One run from request to result, for tests that need nothing else. */
static inline void run_is(const char *const *options, const char *const *argv,
			  enum cupel_status status, int rc)
{
	struct end e = end_of(start(options, argv, NULL));

	status_is(&e, status, rc);
	end_done(&e);
}

#endif
