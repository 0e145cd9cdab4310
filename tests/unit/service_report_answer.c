/* service_report_answer.c -- a parser that an attacker has taken over may say
 * anything: which part of that reaches a result. */
#include "service/report_answer.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "parsers/program/parse_exit.h"
#include "service/parse_program.h"
#include "service/report.h"
#include "service/vessel_private.h"
#include "supervise/outcome.h"
#include "tap.h"

#define TESTS                                                                  \
	"\"format\":\"tap\",\"total\":1,\"passed\":1,\"failed\":0,"            \
	"\"skipped\":0,\"failures\":[],\"failures_omitted\":0,"                \
	"\"inventory_hash\":null,\"reports\":1,\"warnings\":[]"
#define SLICE "{\"slice\":{\"tests\":{" TESTS "}}}"
#define ERROR(code, message)                                                   \
	"{\"errors\":[{\"code\":" code ",\"message\":" message "}]}"

static void answer_read(const char *text, size_t n, uint64_t bytes,
			struct payload *ret)
{
	struct stream said = { .bytes = bytes };
	static const char *const roots[] = { "/repo", NULL };

	buf_add(&said.kept, text, n);
	report_answer_read(&said, roots, ret);
	buf_done(&said.kept);
}

static void payload_is(const struct payload *p, enum payload_status status,
		       const char *code, const char *message)
{
	ok_int(p->status, status);
	if (code == NULL) {
		ok(p->error.code == NULL);
		return;
	}
	ok_has(p->error.code ? p->error.code : "(none)", code);
	if (message != NULL)
		ok_has(p->error.message ? p->error.message : "(none)", message);
}

static void an_answer_is_taken_or_refused(void)
{
	static const struct {
		const char *text;
		enum payload_status status;
		const char *code, *message;
	} rows[] = {
		{ SLICE, PAYLOAD_VALID, NULL, NULL },
		{ "{\"errors\":[],\"slice\":{\"tests\":{" TESTS "}}}",
		  PAYLOAD_VALID, NULL, NULL },
		{ ERROR("\"not_xml\"", "\"it ends\""), PAYLOAD_MALFORMED,
		  "not_xml", "it ends" },
		{ ERROR("\"counts_disagree\"", "\"2 and 1\""), PAYLOAD_REJECTED,
		  "counts_disagree", "2 and 1" },
		/* an error counts, whatever else is there */
		{ "{\"errors\":[{\"code\":\"nul\",\"message\":\"\"}],"
		  "\"slice\":{\"tests\":{" TESTS "}}}",
		  PAYLOAD_MALFORMED, "nul", NULL },
		/* one line, whatever is in it */
		{ ERROR("\"x\"", "\"a\\u001b[31m\\nb\\u009b\""),
		  PAYLOAD_MALFORMED, "x", "a?[31m?b" },
		{ ERROR("\"x\"", "\"/repo/a/b\""), PAYLOAD_MALFORMED, "x",
		  "a/b" },
		/* codes are words */
		{ ERROR("\"\"", "\"\""), PAYLOAD_REJECTED, "parser_failed",
		  NULL },
		{ ERROR("\"two words\"", "\"\""), PAYLOAD_REJECTED,
		  "parser_failed", NULL },
		{ ERROR("\"x\\u0000y\"", "\"\""), PAYLOAD_REJECTED,
		  "parser_failed", NULL },
		{ ERROR("1", "\"\""), PAYLOAD_REJECTED, "parser_failed", NULL },
		{ ERROR("\"x\"", "1"), PAYLOAD_REJECTED, "parser_failed",
		  NULL },
		{ "{\"errors\":[3]}", PAYLOAD_REJECTED, "parser_failed", NULL },
		/* texts that are not codes */
		{ "", PAYLOAD_REJECTED, "parser_failed", "gave no answer" },
		{ "{}", PAYLOAD_REJECTED, "parser_failed", NULL },
		{ "[]", PAYLOAD_REJECTED, "parser_failed", NULL },
		{ SLICE SLICE, PAYLOAD_REJECTED, "parser_failed", NULL },
		{ "{\"slice\":{}}", PAYLOAD_SCHEMA_VIOLATION,
		  "schema_violation", NULL },
		{ "{\"slice\":{\"tests\":{" TESTS ",\"verdict\":1}}}",
		  PAYLOAD_SCHEMA_VIOLATION, "schema_violation", NULL },
		{ "{\"slice\":[[[[[[[[[[1]]]]]]]]]]}", PAYLOAD_REJECTED,
		  "parser_failed", NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct payload p = { 0 };
		int before = tap_bad;

		answer_read(rows[i].text, strlen(rows[i].text),
			    strlen(rows[i].text), &p);
		payload_is(&p, rows[i].status, rows[i].code, rows[i].message);
		if (tap_bad != before)
			fprintf(stderr, "# %s\n", rows[i].text);
		payload_done(&p);
	}
}

static void a_message_has_an_end(void)
{
	struct buf text = { 0 };
	struct payload p = { 0 };

	buf_text(&text, "{\"errors\":[{\"code\":\"x\",\"message\":\"a");
	for (int i = 0; i < 30000; i++)
		buf_text(&text, "\xc3\xa9");
	buf_text(&text, "\"}]}");
	answer_read(text.bytes, text.len, text.len, &p);
	payload_is(&p, PAYLOAD_MALFORMED, "x", "a\xc3\xa9");
	ok(p.error.message != NULL &&
	   strlen(p.error.message) == REPORT_MESSAGE_BYTES - 1 &&
	   utf8_is_valid(p.error.message, strlen(p.error.message)));
	payload_done(&p);
	buf_done(&text);
}

/* It wrote more than was kept, and what was kept may look like an answer. */
static void an_answer_that_was_cut_is_none(void)
{
	struct payload p = { 0 };

	answer_read(SLICE, strlen(SLICE), strlen(SLICE) + 1, &p);
	payload_is(&p, PAYLOAD_REJECTED, "parser_failed", NULL);
	payload_done(&p);
}

static void every_end_but_one_has_a_code_and_a_sentence(void)
{
	ok(vessel_end_code(CUPEL_OK) == NULL);
	for (int s = CUPEL_OK + 1; s < CUPEL_STATUS_MAX_; s++) {
		const char *code = vessel_end_code((enum cupel_status)s);

		ok(code != NULL && vessel_end_sentence(code)[0] != '\0');
	}
}

/* Exit statuses of the program mean something only if it ended by itself. */
static void refused_memory_has_the_code_of_memory(void)
{
	ok_int(PARSE_PROGRAM_MEMORY, PARSE_EXIT_MEMORY);
	ok(parse_program_end_code(CUPEL_OK, 0) == NULL);
	for (int s = CUPEL_OK + 1; s < CUPEL_STATUS_MAX_; s++)
		for (int rc = 0; rc < 256; rc++) {
			enum cupel_status status = (enum cupel_status)s;
			bool is_refused = status == CUPEL_FAILED &&
					  rc == PARSE_EXIT_MEMORY;

			ok(strcmp(parse_program_end_code(status, rc),
				  is_refused ? "memory"
					     : vessel_end_code(status)) == 0);
		}
}

/* What a report comes to whose parser ended by itself with that status. */
static void a_report_says_that_its_parser_was_refused_memory(void)
{
	static struct vessel parser, owner;

	owner.prepared = &owner.own;
	for (int rc = 1; rc <= 9; rc++) {
		struct report r = { .is_asked = true };
		struct payload p = { 0 };
		const char *want =
			rc == PARSE_EXIT_MEMORY ? "memory" : "parser_failed";

		parser.verdict.status = CUPEL_FAILED;
		parser.verdict.rc = rc;
		atomic_store(&r.parser, &parser);
		report_take(&r, &owner, &p);
		payload_is(&p, PAYLOAD_REJECTED, want, NULL);
		ok_has(p.error.message, vessel_end_sentence(want));
		payload_done(&p);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(an_answer_is_taken_or_refused),
		CASE(a_message_has_an_end),
		CASE(an_answer_that_was_cut_is_none),
		CASE(every_end_but_one_has_a_code_and_a_sentence),
		CASE(refused_memory_has_the_code_of_memory),
		CASE(a_report_says_that_its_parser_was_refused_memory),
		TAP_END,
	});
}
