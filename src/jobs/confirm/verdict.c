/* verdict.c -- see verdict.h. */
#include "jobs/confirm/verdict.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* The runner's own exit status when it could not do its work (call.py). */
#define RUNNER_FAILED 70
/* The alarm's clock starts after the vessel's, so an alarm that claims to have
 * fired much earlier is forged.  A little earlier may come from the rounding of
 * both clocks. */
#define ALARM_SLACK_MS 100

/* A runtime that ends by a signal of its own while this much is resident (three
 * quarters of the cap) has run out of memory: V8 aborts then. */
#define MEM_NEAR_KIB ((uint64_t)384 << 10)

static const char *const status_names[] = {
	[CONFIRM_NO_BUG] = "no-bug-found",
	[CONFIRM_SYNTH_FAILED] = "input-synthesis-failed",
	[CONFIRM_SANDBOX_ERROR] = "sandbox-error",
	[CONFIRM_TIMEOUT] = "timeout-without-confirmation",
	[CONFIRM_UNSUPPORTED] = "platform-unsupported",
	[CONFIRM_CONFIRMED] = "confirmed-bug",
};
static_assert(sizeof status_names / sizeof *status_names == CONFIRM_STATUS_MAX_,
	      "a name for every status");

const char *confirm_status_name(enum confirm_status s)
{
	return (unsigned)s < CONFIRM_STATUS_MAX_ ? status_names[s] : "?";
}

void verdict_set_detail(struct verdict *v, const char *text)
{
	(void)snprintf(v->detail, sizeof v->detail, "%s", text ? text : "");
	utf8_make_line(v->detail);
}

static void decide(struct verdict *v, enum confirm_status s, const char *reason,
		   const char *detail)
{
	v->status = s;
	v->reason = reason;
	verdict_set_detail(v, detail);
}

void verdict_unrepeated(struct verdict *best, const struct verdict *second)
{
	static const char once[] =
		"it failed once, and a second vessel was ended: ";
	char words[sizeof best->detail];

	if (second->status != CONFIRM_TIMEOUT &&
	    second->status != CONFIRM_SANDBOX_ERROR) {
		decide(best, CONFIRM_NO_BUG, "unstable",
		       "it did not fail in a second vessel");
		return;
	}
	(void)snprintf(words, sizeof words, "%s%.*s", once,
		       (int)(sizeof words - sizeof once), second->detail);
	*best = *second;
	verdict_set_detail(best, words);
}

/* The statuses of a run that decide by themselves, and what they mean. */
static const struct {
	bool decides;
	enum confirm_status status;
	const char *reason;
} ends[] = {
	[CUPEL_OK] = { .decides = false },
	[CUPEL_FAILED] = { .decides = false },
	[CUPEL_TIMEOUT] = { true, CONFIRM_TIMEOUT, "backstop" },
	[CUPEL_CPU_LIMIT] = { true, CONFIRM_SANDBOX_ERROR, "cpu-cap" },
	[CUPEL_MEM_LIMIT] = { true, CONFIRM_SANDBOX_ERROR, "mem-cap" },
	[CUPEL_OUTPUT_LIMIT] = { true, CONFIRM_SANDBOX_ERROR, "runner" },
	[CUPEL_FILE_SIZE_LIMIT] = { true, CONFIRM_SANDBOX_ERROR, "fsize-cap" },
	[CUPEL_FORBIDDEN_SYSCALL] = { true, CONFIRM_SANDBOX_ERROR, "runner" },
	[CUPEL_KILLED_TERM] = { true, CONFIRM_NO_BUG, "signal" },
	[CUPEL_KILLED_KILL] = { true, CONFIRM_SANDBOX_ERROR, "runner" },
	[CUPEL_SIGNALED] = { true, CONFIRM_NO_BUG, "signal" },
	[CUPEL_INTERNAL_ERROR] = { true, CONFIRM_SANDBOX_ERROR, "runner" },
};
static_assert(sizeof ends / sizeof *ends == CUPEL_STATUS_MAX_,
	      "a row for every status of a run");

bool verdict_of_vessel(const struct vessel_result *r, struct verdict *ret)
{
	ret->exit_code = r->started ? r->rc : -1;
	ret->signal = r->signal;
	ret->duration_ms = r->duration_ms;
	(void)snprintf(ret->backend, sizeof ret->backend, "%s",
		       r->backend ? r->backend : "");
	if (!ends[r->status].decides && r->started)
		return false;
	if (!ends[r->status].decides) {
		decide(ret, CONFIRM_UNSUPPORTED, "no-interpreter",
		       r->message ? r->message
				  : "the interpreter was not found");
		return true;
	}
	decide(ret, ends[r->status].status, ends[r->status].reason,
	       r->message ? r->message : cupel_status_name(r->status));
	if (r->status == CUPEL_INTERNAL_ERROR && r->cause == CUPEL_CAUSE_HOST) {
		ret->status = CONFIRM_UNSUPPORTED;
		ret->reason = "host";
	}
	if (r->status == CUPEL_SIGNALED && r->max_rss_kib >= MEM_NEAR_KIB) {
		ret->status = CONFIRM_SANDBOX_ERROR;
		ret->reason = "mem-cap";
	}
	return true;
}

static const char *text_of(const struct json_value *v, const char *name)
{
	const struct json_value *t = v ? json_find(v, name) : NULL;

	return t != NULL && t->type == JSON_STRING ? t->u.string.bytes : "";
}

static bool is_true(const struct json_value *v, const char *name)
{
	const struct json_value *t = v ? json_find(v, name) : NULL;

	return t != NULL && t->type == JSON_BOOL && t->u.boolean;
}

static uint64_t number_of(const struct json_value *v, const char *name)
{
	const struct json_value *t = v ? json_find(v, name) : NULL;
	uint64_t n = 0;

	return t != NULL && json_read_u64(t, &n) == 0 ? n : 0;
}

static bool is_in_ranges(const struct json_value *ranges, uint64_t line)
{
	for (size_t i = 0; ranges != NULL && i < ranges->u.array.len; i++) {
		const struct json_value *r = &ranges->u.array.items[i];

		if (number_of(r, "from") <= line && line <= number_of(r, "to"))
			return true;
	}
	return false;
}

/* Whether the traceback passes through the flagged function at its lines.  A
 * line of that function does not count when a function inside it raised. */
static bool passes_through(const struct json_value *frames,
			   const struct verdict_rule *rule, bool *ret_target)
{
	bool at_line = false;

	*ret_target = false;
	for (size_t i = 0; frames != NULL && i < frames->u.array.len; i++) {
		const struct json_value *f = &frames->u.array.items[i];
		bool target = strcmp(text_of(f, "where"), "target") == 0;
		bool around = strcmp(text_of(f, "where"), "around") == 0;
		bool nested = strcmp(text_of(f, "where"), "nested") == 0;

		*ret_target = *ret_target || target || around;
		if ((target || (rule->has_line ? nested : around)) &&
		    is_in_ranges(rule->ranges, number_of(f, "line")))
			at_line = true;
	}
	return *ret_target && at_line;
}

/* Cut to the longest prefix of VERDICT_TRACEBACK_CHARS characters. */
static void traceback_cut(const struct buf *b, char *out)
{
	size_t at = 0, chars = 0;

	while (at < b->len && chars < VERDICT_TRACEBACK_CHARS) {
		size_t len = utf8_read(b->bytes + at, b->len - at, NULL);

		len = len > 0 ? len : 1;
		chars++;
		at += len;
	}
	memcpy(out, b->bytes, at);
	out[at] = '\0';
}

static void error_take(const struct json_value *answer, struct verdict *ret)
{
	const struct json_value *type = json_find(answer, "type");
	const struct json_value *frames = json_find(answer, "frames");
	owned_buf struct buf b = { .cap_bytes = (size_t)1 << 20 };
	bool builtin = is_true(type, "builtin");

	if (type != NULL)
		(void)snprintf(ret->error_class, sizeof ret->error_class,
			       "%s%s%s", builtin ? "" : text_of(type, "module"),
			       builtin ? "" : ".", text_of(type, "name"));
	buf_text(&b, "Traceback (most recent call last):\n");
	for (size_t i = 0; frames != NULL && i < frames->u.array.len; i++) {
		const struct json_value *f = &frames->u.array.items[i];

		buf_format(&b, "  File \"%s\", line %llu, in %s\n",
			   text_of(f, "file"),
			   (unsigned long long)number_of(f, "line"),
			   text_of(f, "function"));
	}
	if (type != NULL)
		buf_format(&b, "%s: %s", ret->error_class,
			   text_of(type, "message"));
	if (!buf_has_failed(&b))
		traceback_cut(&b, ret->traceback);
}

static enum class_fit raised_fit(const struct json_value *answer,
				 const struct verdict_rule *rule,
				 const char **ret_class)
{
	const struct json_value *type = json_find(answer, "type");
	const struct json_value *message = json_find(type, "message");

	return class_fit(
		rule->language, rule->flag_class,
		&(struct class_raised){
			.module = text_of(type, "module"),
			.name = text_of(type, "name"),
			.is_known = is_true(type, "builtin"),
			.message = message ? message->u.string
					   : (struct json_text){ "", 0 },
			.how = strcmp(text_of(answer, "how"), "rejection") == 0
				       ? CLASS_REJECTION
				       : CLASS_THROWN },
		ret_class);
}

static void decide_raised(const struct json_value *answer,
			  const struct verdict_rule *rule, struct verdict *ret)
{
	const struct json_value *frames = json_find(answer, "frames");
	const char *class_found = NULL;
	enum class_fit fit = raised_fit(answer, rule, &class_found);
	bool has_target = false;

	error_take(answer, ret);
	if (fit != CLASS_FITS) {
		decide(ret, CONFIRM_NO_BUG,
		       fit == CLASS_OTHER ? "other-exception" : "other-message",
		       NULL);
	} else if (passes_through(frames, rule, &has_target)) {
		decide(ret, CONFIRM_CONFIRMED, NULL, NULL);
		ret->flag_class = class_found;
	} else {
		decide(ret, CONFIRM_NO_BUG,
		       has_target ? "not-at-line" : "not-in-function", NULL);
	}
}

static void decide_alarm(const struct vessel_result *r,
			 const struct json_value *answer, uint64_t due_ms,
			 const char *reason, struct verdict *ret)
{
	error_take(answer, ret);
	if (due_ms == 0 || r->duration_ms + ALARM_SLACK_MS < due_ms)
		decide(ret, CONFIRM_SANDBOX_ERROR, "runner",
		       "the alarm came before its time");
	else
		decide(ret, CONFIRM_TIMEOUT, reason, NULL);
}

/* Whether the module failed while it was loaded, as the flag says and at
 * exactly its line.  That is the flagged bug, and nothing has to be called. */
static bool is_at_load(const struct json_value *answer,
		       const struct verdict_rule *rule)
{
	const char *class_found = NULL;
	bool has_target = false;

	return rule->has_line &&
	       strcmp(text_of(answer, "stage"), "import") == 0 &&
	       raised_fit(answer, rule, &class_found) == CLASS_FITS &&
	       passes_through(json_find(answer, "frames"), rule, &has_target);
}

static void decide_answer(const struct vessel_result *r,
			  const struct json_value *answer,
			  const struct verdict_rule *rule, struct verdict *ret)
{
	const char *outcome = text_of(answer, "outcome");

	if (strcmp(text_of(answer, "nonce"), rule->nonce) != 0) {
		decide(ret, CONFIRM_SANDBOX_ERROR, "runner",
		       "the answer is not from the runner");
	} else if (strcmp(outcome, "returned") == 0) {
		decide(ret, CONFIRM_NO_BUG, "returned", NULL);
	} else if (strcmp(outcome, "raised") == 0) {
		decide_raised(answer, rule, ret);
	} else if (strcmp(outcome, "alarm") == 0) {
		decide_alarm(r, answer, rule->alarm_ms, "alarm", ret);
	} else if (strcmp(outcome, "cpu-alarm") == 0) {
		/* One thread cannot use more processor time than the clock
		 * shows. */
		decide_alarm(r, answer, rule->cpu_alarm_ms, "cpu-alarm", ret);
	} else if (strcmp(outcome, "import-failed") == 0 &&
		   is_at_load(answer, rule)) {
		decide_raised(answer, rule, ret);
		ret->at_load = true;
	} else if (strcmp(outcome, "import-failed") == 0) {
		error_take(answer, ret);
		decide(ret, CONFIRM_SYNTH_FAILED,
		       strcmp(text_of(answer, "stage"), "receiver") == 0
			       ? "receiver-failed"
			       : "import-failed",
		       ret->error_class);
	} else {
		decide(ret, CONFIRM_SYNTH_FAILED, "function-not-found", NULL);
	}
}

void verdict_of_explored(const struct json_value *answer,
			 const struct verdict_rule *rule, struct verdict *ret)
{
	const char *outcome = text_of(answer, "outcome");

	if (strcmp(outcome, "returned") == 0)
		decide(ret, CONFIRM_NO_BUG, "returned", NULL);
	else if (strcmp(outcome, "raised") == 0)
		decide_raised(answer, rule, ret);
	else if (strcmp(outcome, "import-failed") == 0 &&
		 strcmp(text_of(answer, "stage"), "receiver") == 0)
		decide(ret, CONFIRM_SYNTH_FAILED, "receiver-failed", NULL);
	else
		decide(ret, CONFIRM_TIMEOUT, "unknown", NULL);
}

void verdict_of_call(const struct vessel_result *r,
		     const struct payload *answer,
		     const struct verdict_rule *rule, struct verdict *ret)
{
	const char *code = answer->error.code;
	bool reached = code != NULL && strcmp(code, "empty") == 0;

	if (verdict_of_vessel(r, ret)) {
		if (r->status == CUPEL_CPU_LIMIT && rule->cpu_alarm_ms == 0)
			ret->status = CONFIRM_TIMEOUT;
		return;
	}
	if (answer->status == PAYLOAD_VALID)
		decide_answer(r, &answer->value, rule, ret);
	else if (reached && r->rc != RUNNER_FAILED)
		/* It announced the import, then the process was gone. */
		decide(ret, CONFIRM_NO_BUG, "exited", NULL);
	else
		decide(ret, CONFIRM_SANDBOX_ERROR, "runner",
		       code != NULL ? code : "the runner gave no answer");
}
