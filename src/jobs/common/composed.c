/* composed.c -- see composed.h. */
#include "jobs/common/composed.h"

#include <errno.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "service/parse_program.h"
#include "service/sealed.h"
#include "service/vessel.h"
#include "service/vessel_result.h"

/* The descriptors that a vessel is given; they stay open until the run has
 * ended. */
struct given {
	int list_fd, bytes_fd, program_fd;
};

/* The one file, as the parser takes its inputs. */
static int given_make(const struct composed_source *d, struct given *g,
		      struct cupel_error *err)
{
	char list[64];
	int n = snprintf(list, sizeof list, "document%c%zu%c", 0, d->len, 0);

	g->list_fd = sealed_of(list, (size_t)n, false, err);
	if (g->list_fd < 0)
		return g->list_fd;
	g->bytes_fd = sealed_of(d->bytes, d->len, false, err);
	if (g->bytes_fd < 0)
		return g->bytes_fd;
	g->program_fd =
		sealed_of(parse_program_bytes, parse_program_len(), true, err);
	return g->program_fd < 0 ? g->program_fd : 0;
}

static void given_done(struct given *g)
{
	cleanup_fd(&g->list_fd);
	cleanup_fd(&g->bytes_fd);
	cleanup_fd(&g->program_fd);
}

static int parser_start(const struct given *g, struct vessel **ret,
			struct cupel_error *err)
{
	const char *argv[] = { "cupel-parse", "context_read", NULL };
	const struct vessel_option options[] = { { "result-bytes", "32M" },
						 { NULL, NULL } };
	const struct vessel_request v = {
		.profile = "parser",
		.options = options,
		.argv = argv,
		.stdin_fd = g->list_fd,
		.inputs = &g->bytes_fd,
		.inputs_len = 1,
		.exec_fd = g->program_fd,
	};

	return vessel_start(&v, ret, err);
}

static const char *note_text(const struct json_value *note, const char *key)
{
	const struct json_value *v = json_find(note, key);

	return v != NULL && v->type == JSON_STRING ? v->u.string.bytes : "?";
}

/* The first error of a parser that gave no answer. */
static int answer_check(const char *name, const struct vessel_result *r,
			const struct payload *answer, struct cupel_error *err)
{
	const struct json_value *errors, *note, *at;
	/* a parser that this host could not run says nothing of the file */
	enum cupel_cause cause = r->status == CUPEL_INTERNAL_ERROR
					 ? r->cause
					 : CUPEL_CAUSE_CALLER;

	if (r->status != CUPEL_OK || answer->status != PAYLOAD_VALID)
		return cupel_fail(
			err, CUPEL_STAGE_JOB, cause, EINVAL,
			"%s: could not be parsed: %s", name,
			r->message ? r->message
			: r->status != CUPEL_OK
				? cupel_status_name(r->status)
				: payload_status_name(answer->status));
	errors = json_find(&answer->value, "errors");
	if (errors != NULL && errors->type == JSON_ARRAY &&
	    errors->u.array.len > 0) {
		note = &errors->u.array.items[0];
		at = json_find(note, "offset");
		return cupel_fail(
			err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			"%s: %s at byte %s: %s", name, note_text(note, "code"),
			at && at->type == JSON_NUMBER ? at->u.number.bytes
						      : "?",
			note_text(note, "message"));
	}
	return json_find(&answer->value, "slice") != NULL
		       ? 0
		       : cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				    EINVAL, "%s: could not be parsed", name);
}

/* Only the slice counts of what the parser handed over. */
static int answer_take(const struct composed_source *d, const struct vessel *v,
		       const struct schema_set *set, struct payload *ret,
		       struct cupel_error *err)
{
	const struct vessel_judge judge = { .limits = d->limits };
	struct vessel_result result;
	int e;

	vessel_read(v, &result);
	vessel_payload_read(v, &judge, ret);
	e = answer_check(d->name, &result, ret, err);
	if (e < 0)
		payload_done(ret);
	else
		payload_narrow(ret, "slice", set);
	return e;
}

int composed_read(const struct composed_source *d, const struct schema_set *set,
		  struct payload *ret, struct cupel_error *err)
{
	struct given g = { -1, -1, -1 };
	struct vessel *v = NULL;
	int e = given_make(d, &g, err);

	if (e == 0)
		e = parser_start(&g, &v, err);
	if (e == 0)
		e = vessel_wait(v, err);
	if (e == 0)
		e = answer_take(d, v, set, ret, err);
	vessel_free(v);
	given_done(&g);
	return e;
}
