/* jobs_verdict.c -- the verdict on a vessel's answer. */
#include "jobs/confirm/verdict.h"

#include <stdlib.h>

#include "tap.h"

#define NONCE  "abc"
#define RANGES "[{\"from\":3,\"to\":4}]"

/* The verdict on an answer of the runner; run may be changed beforehand. "" is
 * no answer: the runner began to answer, and was gone. */
static struct verdict judge(const struct vessel_result *run, const char *answer,
			    bool has_line)
{
	static struct json_value ranges;
	struct payload_limits limits = { 0 };
	struct payload payload = { 0 };
	struct arena arena = { 0 };
	struct json_error e = { 0 };
	struct verdict v = { 0 };
	struct verdict_rule rule = { .language = LANGUAGE_PYTHON,
				     .flag_class = "div-zero",
				     .nonce = NONCE,
				     .alarm_ms = 10000,
				     .cpu_alarm_ms = 4500,
				     .has_line = has_line,
				     .ranges = &ranges };

	ok_int(json_parse(RANGES, strlen(RANGES), NULL, &arena, &ranges, &e),
	       0);
	if (answer != NULL)
		payload_read(answer[0] != '\0' ? answer : " ",
			     answer[0] != '\0' ? strlen(answer) : 1,
			     answer[0] != '\0' ? strlen(answer) : 1, NULL,
			     &limits, &payload);
	if (answer != NULL && answer[0] != '\0')
		ok_int(payload.status, PAYLOAD_VALID);
	verdict_of_call(run, &payload, &rule, &v);
	payload_done(&payload);
	arena_done(&arena);
	return v;
}

static struct verdict answer(const char *text, bool has_line)
{
	struct vessel_result run = { .started = true, .duration_ms = 20 };

	return judge(&run, text, has_line);
}

#define RAISED(type, frames)                                                   \
	"{\"outcome\":\"raised\",\"nonce\":\"abc\",\"stage\":\"call\","        \
	"\"type\":" type ",\"frames\":[" frames "]}"
#define ZERO                                                                   \
	"{\"module\":\"builtins\",\"name\":\"ZeroDivisionError\","             \
	"\"builtin\":true,\"message\":\"division by zero\"}"
#define FRAME(where, line)                                                     \
	"{\"where\":\"" where "\",\"file\":\"a.py\",\"function\":\"f\","       \
	"\"line\":" line "}"

static void the_exact_exception_at_the_line_confirms(void)
{
	struct verdict v = answer(RAISED(ZERO, FRAME("target", "3")), true);

	ok_int(v.status, CONFIRM_CONFIRMED);
	ok(strcmp(v.error_class, "ZeroDivisionError") == 0);
	ok_has(v.traceback, "File \"a.py\", line 3, in f\n"
			    "ZeroDivisionError: division by zero");
	v = answer(RAISED(ZERO, FRAME("target", "3") "," FRAME("other", "90")),
		   true);
	ok_int(v.status, CONFIRM_CONFIRMED);
	v = answer(RAISED(ZERO, FRAME("target", "9") "," FRAME("nested", "4")),
		   true);
	ok_int(v.status, CONFIRM_CONFIRMED);
	v = answer(RAISED(ZERO, FRAME("around", "9") "," FRAME("nested", "4")),
		   true);
	ok_int(v.status, CONFIRM_CONFIRMED);
}

static void nothing_else_does(void)
{
	static const struct {
		const char *answer, *reason;
	} rows[] = {
		{ RAISED(ZERO, FRAME("target", "5")), "not-at-line" },
		{ RAISED(ZERO, FRAME("target", "2")), "not-at-line" },
		{ RAISED(ZERO, FRAME("other", "3")), "not-in-function" },
		{ RAISED(ZERO, FRAME("nested", "3")), "not-in-function" },
		{ RAISED(ZERO, ""), "not-in-function" },
		{ RAISED(ZERO, FRAME("around", "3") "," FRAME("nested", "9")),
		  "not-at-line" },
		{ RAISED(ZERO, FRAME("target", "7") "," FRAME("other", "3")),
		  "not-at-line" },
		{ RAISED("{\"module\":\"builtins\",\"name\":"
			 "\"ZeroDivisionError\",\"builtin\":false,"
			 "\"message\":\"\"}",
			 FRAME("target", "3")),
		  "other-exception" },
		{ RAISED("{\"module\":\"builtins\",\"name\":\"ValueError\","
			 "\"builtin\":true,\"message\":\"\"}",
			 FRAME("target", "3")),
		  "other-exception" },
		{ RAISED("{\"module\":\"builtins\",\"name\":"
			 "\"ArithmeticError\",\"builtin\":true,"
			 "\"message\":\"\"}",
			 FRAME("target", "3")),
		  "other-exception" },
		{ "{\"outcome\":\"returned\",\"nonce\":\"abc\"}", "returned" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct verdict v = answer(rows[i].answer, true);

		ok_int(v.status, CONFIRM_NO_BUG);
		ok(v.reason != NULL && strcmp(v.reason, rows[i].reason) == 0);
	}
	/* Without a line, what is nested in the function is not the function's
	 * own able line, and lines still must be able to raise it. */
	ok_int(answer(RAISED(ZERO, FRAME("target", "7")), false).status,
	       CONFIRM_NO_BUG);
	ok_int(answer(RAISED(ZERO,
			     FRAME("target", "7") "," FRAME("nested", "3")),
		      false)
		       .status,
	       CONFIRM_NO_BUG);
	ok_int(answer(RAISED(ZERO, FRAME("target", "4")), false).status,
	       CONFIRM_CONFIRMED);
	ok_int(answer(RAISED(ZERO, FRAME("around", "4")), false).status,
	       CONFIRM_CONFIRMED);
}

static void a_forged_answer_is_no_answer(void)
{
	struct verdict v =
		answer("{\"outcome\":\"returned\",\"nonce\":\"x\"}", true);

	ok_int(v.status, CONFIRM_SANDBOX_ERROR);
	ok(strcmp(v.reason, "runner") == 0);
	v = answer("{\"outcome\":\"alarm\",\"nonce\":\"abc\",\"frames\":[]}",
		   true);
	ok_int(v.status, CONFIRM_SANDBOX_ERROR);
}

static void an_alarm_in_time_is_a_timeout(void)
{
	struct vessel_result run = { .started = true, .duration_ms = 10040 };
	struct verdict v = judge(&run,
				 "{\"outcome\":\"alarm\",\"nonce\":\"abc\","
				 "\"frames\":[" FRAME("target", "3") "]}",
				 true);

	ok_int(v.status, CONFIRM_TIMEOUT);
	ok_has(v.traceback, "line 3, in f");
}

static void an_alarm_of_the_processor_is_a_timeout_in_its_time(void)
{
	static const struct {
		uint64_t duration_ms;
		enum confirm_status status;
		const char *reason;
	} rows[] = {
		{ 4600, CONFIRM_TIMEOUT, "cpu-alarm" },
		{ 9000, CONFIRM_TIMEOUT, "cpu-alarm" },
		{ 3000, CONFIRM_SANDBOX_ERROR, "runner" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct vessel_result run = { .started = true,
					     .duration_ms =
						     rows[i].duration_ms };
		struct verdict v =
			judge(&run,
			      "{\"outcome\":\"cpu-alarm\",\"nonce\":\"abc\","
			      "\"frames\":[" FRAME("target", "3") "]}",
			      true);

		ok_int(v.status, rows[i].status);
		ok(strcmp(v.reason, rows[i].reason) == 0);
	}
}

#define AT_LOAD(stage, line)                                                   \
	"{\"outcome\":\"import-failed\",\"nonce\":\"abc\",\"stage\":\"" stage  \
	"\",\"type\":" ZERO ",\"frames\":[" FRAME("target", line) "]}"

static void a_failure_at_load_confirms_at_its_line_alone(void)
{
	struct verdict v = answer(AT_LOAD("import", "3"), true);

	ok_int(v.status, CONFIRM_CONFIRMED);
	ok(v.at_load);
	ok_int(answer(AT_LOAD("import", "3"), false).status,
	       CONFIRM_SYNTH_FAILED);
	ok_int(answer(AT_LOAD("import", "9"), true).status,
	       CONFIRM_SYNTH_FAILED);
	ok_int(answer(AT_LOAD("receiver", "3"), true).status,
	       CONFIRM_SYNTH_FAILED);
}

static void each_end_of_a_vessel_has_its_status(void)
{
	static const struct {
		enum cupel_status end;
		enum confirm_status status;
		const char *reason;
	} rows[] = {
		{ CUPEL_TIMEOUT, CONFIRM_TIMEOUT, "backstop" },
		{ CUPEL_CPU_LIMIT, CONFIRM_SANDBOX_ERROR, "cpu-cap" },
		{ CUPEL_MEM_LIMIT, CONFIRM_SANDBOX_ERROR, "mem-cap" },
		{ CUPEL_FILE_SIZE_LIMIT, CONFIRM_SANDBOX_ERROR, "fsize-cap" },
		{ CUPEL_KILLED_KILL, CONFIRM_SANDBOX_ERROR, "runner" },
		{ CUPEL_FORBIDDEN_SYSCALL, CONFIRM_SANDBOX_ERROR, "runner" },
		{ CUPEL_SIGNALED, CONFIRM_NO_BUG, "signal" },
		{ CUPEL_INTERNAL_ERROR, CONFIRM_SANDBOX_ERROR, "runner" },
		/* no answer at all: our own failure */
		{ CUPEL_OK, CONFIRM_SANDBOX_ERROR, "runner" },
		{ CUPEL_FAILED, CONFIRM_SANDBOX_ERROR, "runner" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct vessel_result run = { .status = rows[i].end,
					     .started = true };
		struct verdict v = judge(&run, NULL, true);

		ok_int(v.status, rows[i].status);
		ok(v.reason != NULL && strcmp(v.reason, rows[i].reason) == 0);
	}
}

/* If a runtime has no signal of its own, nothing comes before the cap. */
static void a_cap_is_the_alarm_where_there_is_no_other(void)
{
	struct vessel_result run = { .status = CUPEL_CPU_LIMIT,
				     .started = true };
	struct verdict_rule rule = { .language = LANGUAGE_JAVASCRIPT,
				     .flag_class = "null-deref",
				     .nonce = NONCE };
	struct payload nothing = { 0 };
	struct verdict v = { 0 };

	verdict_of_call(&run, &nothing, &rule, &v);
	ok_int(v.status, CONFIRM_TIMEOUT);
	ok(v.reason != NULL && strcmp(v.reason, "cpu-cap") == 0);
}

static enum confirm_status explored(const char *answer)
{
	struct json_value ranges, v;
	struct arena arena = { 0 };
	struct json_error e = { 0 };
	struct verdict_rule rule = { .language = LANGUAGE_PYTHON,
				     .flag_class = "div-zero",
				     .nonce = "",
				     .has_line = true,
				     .ranges = &ranges };
	struct verdict ret = { 0 };

	ok_int(json_parse(RANGES, strlen(RANGES), NULL, &arena, &ranges, &e),
	       0);
	ok_int(json_parse(answer, strlen(answer), NULL, &arena, &v, &e), 0);
	verdict_of_explored(&v, &rule, &ret);
	arena_done(&arena);
	return ret.status;
}

#define EXPLORED(type, line)                                                   \
	"{\"outcome\":\"raised\",\"type\":{\"module\":\"builtins\",\"name\":"  \
	"\"" type                                                              \
	"\",\"builtin\":true,\"message\":\"\"},\"frames\":[{\"where\":"        \
	"\"target\",\"file\":\"\",\"function\":\"\",\"line\":" line "}]}"

/* A witness is passed over only if it is known that it shows no bug. */
static void what_was_explored_is_judged_as_a_call(void)
{
	ok_int(explored(EXPLORED("ZeroDivisionError", "3")), CONFIRM_CONFIRMED);
	ok_int(explored(EXPLORED("ZeroDivisionError", "9999")), CONFIRM_NO_BUG);
	ok_int(explored(EXPLORED("ValueError", "3")), CONFIRM_NO_BUG);
	ok_int(explored("{\"outcome\":\"returned\"}"), CONFIRM_NO_BUG);
	ok_int(explored("{\"outcome\":\"import-failed\",\"stage\":"
			"\"receiver\"}"),
	       CONFIRM_SYNTH_FAILED);
	ok_int(explored("{\"outcome\":\"import-failed\",\"stage\":\"import\"}"),
	       CONFIRM_TIMEOUT);
	ok_int(explored("{\"outcome\":\"slow\"}"), CONFIRM_TIMEOUT);
	ok_int(explored("{\"outcome\":\"gone\"}"), CONFIRM_TIMEOUT);
}

static void a_host_that_cannot_is_unsupported(void)
{
	struct vessel_result run = { .status = CUPEL_INTERNAL_ERROR,
				     .cause = CUPEL_CAUSE_HOST };

	ok_int(judge(&run, NULL, true).status, CONFIRM_UNSUPPORTED);
	run = (struct vessel_result){ .status = CUPEL_FAILED, .rc = 127 };
	ok_int(judge(&run, NULL, true).status, CONFIRM_UNSUPPORTED);
}

static void a_process_that_ends_itself_is_no_bug(void)
{
	struct vessel_result run = { .started = true };

	ok_int(judge(&run, "", true).status, CONFIRM_NO_BUG);
	run = (struct vessel_result){ .status = CUPEL_FAILED,
				      .rc = 70,
				      .started = true };
	ok_int(judge(&run, "", true).status, CONFIRM_SANDBOX_ERROR);
}

static void tracebacks_are_cut_by_characters(void)
{
	struct buf b = { 0 };
	struct verdict v;
	size_t chars = 0;

	buf_text(&b, "{\"outcome\":\"raised\",\"nonce\":\"abc\",\"type\":" ZERO
		     ",\"frames\":[");
	for (int i = 0; i < 100; i++)
		buf_format(&b,
			   "%s{\"where\":\"other\",\"file\":\"\xc3\xa9.py\","
			   "\"function\":\"\xc3\xa9\",\"line\":1}",
			   i ? "," : "");
	buf_text(&b, "]}");
	v = answer(b.bytes, true);
	for (const char *c = v.traceback; *c != '\0'; c++)
		chars += ((unsigned char)*c & 0xc0) != 0x80;
	ok_int((intmax_t)chars, VERDICT_TRACEBACK_CHARS);
	buf_done(&b);
}

/* Only a second run that had its time can say that a function is unstable. */
static void a_second_vessel_that_was_ended_says_so(void)
{
	static const struct {
		enum confirm_status second, want;
		const char *reason, *detail;
	} rows[] = {
		{ CONFIRM_NO_BUG, CONFIRM_NO_BUG, "unstable",
		  "it did not fail in a second vessel" },
		{ CONFIRM_SYNTH_FAILED, CONFIRM_NO_BUG, "unstable",
		  "it did not fail in a second vessel" },
		{ CONFIRM_TIMEOUT, CONFIRM_TIMEOUT, "of the second",
		  "it failed once, and a second vessel was ended: why" },
		{ CONFIRM_SANDBOX_ERROR, CONFIRM_SANDBOX_ERROR, "of the second",
		  "it failed once, and a second vessel was ended: why" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct verdict best = { .status = CONFIRM_CONFIRMED };
		struct verdict second = { .status = rows[i].second,
					  .reason = "of the second",
					  .detail = "why" };

		verdict_unrepeated(&best, &second);
		ok_int(best.status, rows[i].want);
		ok(strcmp(best.reason, rows[i].reason) == 0);
		ok(strcmp(best.detail, rows[i].detail) == 0);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_exact_exception_at_the_line_confirms),
		CASE(nothing_else_does), CASE(a_forged_answer_is_no_answer),
		CASE(an_alarm_in_time_is_a_timeout),
		CASE(an_alarm_of_the_processor_is_a_timeout_in_its_time),
		CASE(a_failure_at_load_confirms_at_its_line_alone),
		CASE(each_end_of_a_vessel_has_its_status),
		CASE(a_cap_is_the_alarm_where_there_is_no_other),
		CASE(what_was_explored_is_judged_as_a_call),
		CASE(a_host_that_cannot_is_unsupported),
		CASE(a_process_that_ends_itself_is_no_bug),
		CASE(tracebacks_are_cut_by_characters),
		CASE(a_second_vessel_that_was_ended_says_so), TAP_END });
}
