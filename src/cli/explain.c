/* explain.c -- see explain.h; the command `cupel explain` is explain_fact.c. */
#include "cli/explain.h"

#include <string.h>

#include "base/buf.h"
#include "base/plural.h"
#include "cli/cli.h"

/* The largest result: two streams of a GiB, with each byte as \u00XX at
 * worst. */
#define RESULT_BYTES ((size_t)16 << 30)

#define EGRESS_LINES_MAX 20 /* on the terminal; the result lists all */

void explained_read(struct explained *e, const char *json, size_t n)
{
	const struct json_caps caps = {
		.text_bytes = RESULT_BYTES,
		.string_bytes = RESULT_BYTES,
		.depth = JSON_DEPTH_RESULT,
		.memory_bytes = RESULT_BYTES,
	};
	struct json_error err;

	if (json == NULL || e->is_read)
		return;
	e->is_read =
		json_parse(json, n, &caps, &e->arena, &e->result, &err) == 0;
}

void explained_done(struct explained *e)
{
	arena_done(&e->arena);
	e->is_read = false;
}

static const struct json_value *find(const struct explained *e,
				     const char *name)
{
	return e->is_read ? json_find(&e->result, name) : NULL;
}

static const char *text_of(const struct json_value *in, const char *name)
{
	const struct json_value *v = in != NULL ? json_find(in, name) : NULL;

	return v != NULL && v->type == JSON_STRING ? v->u.string.bytes : NULL;
}

const char *explained_text(const struct explained *e, const char *name)
{
	return e->is_read ? text_of(&e->result, name) : NULL;
}

static const char *or_question(const char *text)
{
	return text != NULL ? text : "?";
}

void explain_status(const struct explained *e)
{
	const char *message = explained_text(e, "message");

	if (message == NULL)
		message = explained_text(e, "reason");
	cli_complain("%s%s%s", or_question(explained_text(e, "status")),
		     message != NULL ? ": " : "",
		     message != NULL ? message : "");
}

static bool is_true(const struct json_value *v)
{
	return v != NULL && v->type == JSON_BOOL && v->u.boolean;
}

static bool is_false(const struct json_value *v)
{
	return v != NULL && v->type == JSON_BOOL && !v->u.boolean;
}

void explained_missing(const struct explained *e, struct buf *out)
{
	const struct json_value *walls = find(e, "enforced");

	if (walls == NULL || walls->type != JSON_OBJECT)
		return;
	for (size_t i = 0; i < walls->u.object.len; i++) {
		const struct json_member *m = &walls->u.object.members[i];

		if (is_true(json_find(&m->value, "requested")) &&
		    is_false(json_find(&m->value, "applied")))
			buf_format(out, "%s%s", out->len > 0 ? ", " : "",
				   m->name.bytes);
	}
}

void explain_partial(const struct explained *e)
{
	owned_buf struct buf missing = { 0 };

	if (!is_true(find(e, "partial")))
		return;
	explained_missing(e, &missing);
	cli_complain("PARTIAL_ENFORCEMENT: not enforced here: %s",
		     missing.len > 0 ? missing.bytes : "?");
}

bool explained_has_started(const struct explained *e)
{
	return is_true(find(e, "started"));
}

bool explained_has_met(const struct explained *e)
{
	const struct json_value *list = find(e, "limits_met");

	return list != NULL && list->type == JSON_ARRAY &&
	       list->u.array.len > 0;
}

/* When the command never ran, say that there was nothing to copy. */
void explain_artifacts(const struct explained *e)
{
	const struct json_value *list = find(e, "artifacts");
	const struct json_value *first = NULL;
	size_t skipped = 0;

	if (list == NULL || list->type != JSON_ARRAY ||
	    !explained_has_started(e))
		return;
	for (size_t i = 0; i < list->u.array.len; i++) {
		const struct json_value *item = &list->u.array.items[i];
		const struct json_value *why = json_find(item, "skipped");

		if (why == NULL || why->type != JSON_STRING)
			continue;
		if (skipped++ == 0)
			first = item;
	}
	if (skipped == 0)
		return;
	cli_complain("--artifact: %s: not copied, %s%s",
		     or_question(text_of(first, "path")),
		     or_question(text_of(first, "skipped")),
		     skipped > 1 ? "; and others, see artifacts (--json)" : "");
}

void explain_cache(const struct explained *e)
{
	static const struct {
		const char *word, *text;
	} whys[] = {
		{ "busy", "another run is writing its own changes" },
		{ "cancelled", "a signal has ended it" },
		{ "changed_meanwhile", "another run has changed the cache" },
		{ "not_ended", "a command did not end by itself" },
		{ "too_large", "it would be larger than --cache-bytes allows" },
		{ "too_many", "it would hold more than a million names" },
		{ "too_slow", "it takes more than two minutes" },
		{ "too_deep", "its directories are nested too deep" },
		{ "unreadable",
		  "a file that the command wrote cannot be read" },
		{ "write_failed", "it cannot be written to" },
	};
	const struct json_value *cache = find(e, "cache");
	const char *why = cache != NULL ? text_of(cache, "why") : NULL;
	const char *text = why;

	if (why == NULL || !explained_has_started(e))
		return;
	for (size_t i = 0; i < sizeof whys / sizeof *whys; i++)
		if (strcmp(whys[i].word, why) == 0)
			text = whys[i].text;
	cli_complain("--cache: %s: this run's changes are not kept: %s",
		     or_question(text_of(cache, "dir")), text);
}

/* Whether an earlier entry has the same host or, for entries without a host,
 * the same address. */
static bool is_told(const struct json_value *list, size_t i)
{
	const struct json_value *entry = &list->u.array.items[i];
	const char *host = text_of(entry, "host");
	const char *key = host != NULL ? "host" : "address";
	const char *text = or_question(text_of(entry, key));

	for (size_t k = 0; k < i; k++) {
		const struct json_value *other = &list->u.array.items[k];
		const char *name = text_of(other, key);

		if (text_of(other, "reason") != NULL && name != NULL &&
		    strcmp(name, text) == 0)
			return true;
	}
	return false;
}

static void explain_refusal(const struct json_value *entry)
{
	const struct json_value *port = json_find(entry, "port");
	const char *host = text_of(entry, "host");
	const char *address = text_of(entry, "address");
	const char *verdict = text_of(entry, "verdict");
	bool is_refused = verdict != NULL && strcmp(verdict, "refused") == 0;
	bool has_port = port != NULL && port->type == JSON_NUMBER;

	/* Show the address when it is the reason, because a rule can name
	 * it. */
	if (host == NULL) {
		host = or_question(address);
		address = NULL;
	} else if (strcmp(or_question(text_of(entry, "reason")),
			  "address_range") != 0) {
		address = NULL;
	}
	cli_complain(
		"egress: %s%s%s%s%s%s%s: %s", host, address != NULL ? " (" : "",
		address != NULL ? address : "", address != NULL ? ")" : "",
		has_port ? " port " : "", has_port ? port->u.number.bytes : "",
		is_refused ? " was refused" : " was not reached",
		or_question(text_of(entry, "reason")));
}

void explain_egress(const struct explained *e)
{
	const struct json_value *list = find(e, "egress");
	size_t lines = 0, more = 0;

	if (list == NULL || list->type != JSON_ARRAY)
		return;
	for (size_t i = 0; i < list->u.array.len; i++) {
		const struct json_value *entry = &list->u.array.items[i];

		if (text_of(entry, "reason") == NULL || is_told(list, i))
			continue;
		if (lines == EGRESS_LINES_MAX)
			more++;
		else
			explain_refusal(entry);
		lines += lines < EGRESS_LINES_MAX;
	}
	if (more > 0)
		cli_complain("egress: %zu more host%s; see egress (--json)",
			     more, plural_s(more));
}

static const char *find_number(const struct json_value *in, const char *name)
{
	const struct json_value *v = in != NULL ? json_find(in, name) : NULL;

	return v != NULL && v->type == JSON_NUMBER ? v->u.number.bytes : "?";
}

static void explain_tests(const struct json_value *tests)
{
	cli_complain("tests: %s passed, %s failed, %s skipped",
		     find_number(tests, "passed"), find_number(tests, "failed"),
		     find_number(tests, "skipped"));
}

/* When the command never ran, say that there was nothing to report. */
void explain_report(const struct explained *e)
{
	const struct json_value *payload = find(e, "payload");
	const struct json_value *error = find(e, "payload_error");
	const struct json_value *tests =
		payload != NULL ? json_find(payload, "tests") : NULL;

	if (tests != NULL)
		explain_tests(tests);
	else if (error != NULL && error->type == JSON_OBJECT)
		cli_complain("--report: %s: %s",
			     or_question(text_of(error, "code")),
			     or_question(text_of(error, "message")));
}

void explain_run(const struct explained *e)
{
	const struct json_value *usage = find(e, "usage");

	if (!e->is_read)
		return;
	cli_complain("%s, rc %s, after %s ms; backend %s, trace %s",
		     or_question(explained_text(e, "status")),
		     find_number(&e->result, "rc"),
		     find_number(&e->result, "duration_ms"),
		     or_question(explained_text(e, "backend")),
		     or_question(explained_text(e, "traceId")));
	cli_complain("cpu %s ms user, %s ms system; max rss %s KiB; "
		     "%s processes and threads, %s killed at the end",
		     find_number(usage, "cpu_user_ms"),
		     find_number(usage, "cpu_system_ms"),
		     find_number(usage, "max_rss_kib"),
		     find_number(usage, "tasks"),
		     find_number(usage, "processes_killed"));
}

void explain_phases(const struct explained *e)
{
	const struct json_value *phases = find(e, "phases");
	size_t n = phases != NULL && phases->type == JSON_ARRAY
			   ? phases->u.array.len
			   : 0;

	for (size_t i = 0; i < n; i++) {
		const struct json_value *p = &phases->u.array.items[i];
		const char *message = text_of(p, "message");

		cli_complain("%s: %s, rc %s, after %s ms%s%s",
			     or_question(text_of(p, "name")),
			     or_question(text_of(p, "status")),
			     find_number(p, "rc"),
			     find_number(p, "duration_ms"),
			     message != NULL ? ": " : "",
			     message != NULL ? message : "");
	}
}

bool explained_is_cut(const struct explained *e, const char *stream)
{
	return is_true(find(e, strcmp(stream, "stdout") == 0
				       ? "stdout_truncated"
				       : "stderr_truncated"));
}
