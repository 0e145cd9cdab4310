/* spec_canonical.c -- what spec_hash depends on, and what it does not. */
#include "tap.h"

#include <errno.h>

#include "base/buf.h"
#include "base/error.h"
#include "boundary/json.h"
#include "spec/canonical.h"
#include "spec/reason.h"

static struct cupel_error err;

static void hash_of(const char *json, char out[BLAKE3_TEXT_BYTES])
{
	struct spec s = { 0 };

	ok_int(spec_init(&s, &err), 0);
	ok_int(spec_read_json(&s, json, strlen(json), "F", &err), 0);
	ok_int(spec_hash(&s, out, &err), 0);
	spec_done(&s);
}

static int same(const char *a, const char *b)
{
	char x[BLAKE3_TEXT_BYTES] = "", y[BLAKE3_TEXT_BYTES] = "";

	hash_of(a, x);
	hash_of(b, y);
	ok(strncmp(x, "blake3:", 7) == 0 && strlen(x) == 71);
	return strcmp(x, y) == 0;
}

static void nothing_of_the_host_counts(void)
{
	static const char *const rows[] = {
		"{\"repo\":\"/home/me/x\"}",
		"{\"trace_id\":\"0af7651916cd43dd8448eb211c80319c\"}",
		"{\"stdout\":\"/o\",\"stderr\":\"/e\"}",
		"{\"error_rc\":99}",
		"{\"runtime\":[\"/opt/py\"]}",
		"{\"profile\":\"default\"}",
		"{\"wall_time_s\":60.0}",
		"{\"wall_time_s\":6e1,\"mem_bytes\":\"1024M\"}",
		"{\"chdir\":\"/repo\"}",
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ok(same("{}", rows[i]));
	ok(same("{\"ro\":[\"/a:/x\",\"/b:/y\"]}",
		"{\"ro\":[\"/c:/y\",\"/d:/x\"]}"));
	ok(same("{\"ref\":[\"urn:a=f\"]}", "{\"ref\":[\"urn:a=g\"]}"));
	ok(same("{\"artifact\":[\"/tmp/a:x\"]}",
		"{\"artifact\":[\"/tmp/a\"]}"));
	ok(same("{\"stdin\":\"a\"}", "{\"stdin\":\"b\"}"));
	ok(same("{\"seccomp\":\"./a\"}", "{\"seccomp\":\"./b\"}"));
}

/* One rule in every notation and in any order; and a field that is new is not
 * in the hash of a request without it. */
static void rules_count_in_their_one_form(void)
{
	static const char scoped[] = "{\"network\":\"scoped\",";
	char a[200], b[200];

	(void)snprintf(a, sizeof a, "%s\"egress\":[\"%s\",\"%s\"]}", scoped,
		       "a.example:1", "192.0.2.1:2");
	(void)snprintf(b, sizeof b, "%s\"egress\":[\"%s\",\"%s\",\"%s\"]}",
		       scoped, "192.0.2.1/32:2", "A.Example:1-1",
		       "a.example:1");
	ok(same(a, b));
	(void)snprintf(b, sizeof b, "%s\"egress\":[\"%s\"]}", scoped,
		       "a.example:1");
	ok(!same(a, b));
	(void)snprintf(a, sizeof a,
		       "%s\"egress\":[\"%s\"],\"egress_audit\":true}", scoped,
		       "a.example:1");
	ok(!same(a, b));
	ok(same("{}", "{\"trace\":\"none\"}"));
	ok(same("{}", "{\"egress\":[]}"));
	ok(same("{\"cache\":\"/a\"}", "{\"cache\":\"b\",\"cache_bytes\":1}"));
	ok(!same("{}", "{\"trace\":\"exec\"}"));
	ok(!same("{\"trace\":\"exec,connect\"}", "{\"trace\":\"exec\"}"));
}

static void everything_that_has_an_effect_counts(void)
{
	static const char *const rows[] = {
		"{\"nofile\":257}",
		"{\"wall_time_s\":60.001}",
		"{\"mem_bytes\":\"unlimited\"}",
		"{\"rlimit\":{\"stack\":\"1M\"}}",
		"{\"rlimit\":{\"stack\":\"unlimited\"}}",
		"{\"rlimit\":{\"core\":1}}",
		"{\"network\":\"loopback\"}",
		"{\"repo_mode\":\"overlay\"}",
		"{\"repo_mode\":\"none\"}",
		"{\"repo_at\":\"same\"}",
		"{\"repo_at\":\"/srv/a\"}",
		"{\"cache\":\"/a\"}",
		"{\"ro\":[\"/a:/x\"]}",
		"{\"chdir\":\"/scratch\"}",
		"{\"env\":[\"A=1\"]}",
		"{\"env\":[\"A=2\"]}",
		"{\"pass_env\":[\"A\"]}",
		"{\"env_dummy\":[\"A\"]}",
		"{\"seccomp\":\"test\"}",
		"{\"seccomp\":\"./file\"}",
		"{\"stdin\":\"a\"}",
		"{\"result_schema\":\"a\"}",
		"{\"result_from\":\"stdout\"}",
		"{\"result_bytes\":5}",
		"{\"ref\":[\"urn:a=f\"]}",
		"{\"artifact\":[\"/tmp/a\"]}",
		"{\"allow_partial\":true}",
		"{\"backend\":\"namespaces\"}",
		"{\"output_bytes\":7}",
		"{\"output_mode\":\"kill\"}",
		"{\"kill_after_s\":1}",
		"{\"scratch_inodes\":7}",
		"{\"command\":[\"a\"]}",
		"{\"command\":[\"a\",\"\"]}",
		"{\"profile\":\"parser\"}",
	};
	char seen[sizeof rows / sizeof *rows][BLAKE3_TEXT_BYTES];
	char none[BLAKE3_TEXT_BYTES] = "";

	hash_of("{}", none);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		hash_of(rows[i], seen[i]);
		ok(strcmp(none, seen[i]) != 0);
		for (size_t j = 0; j < i; j++) {
			bool differs = strcmp(seen[i], seen[j]) != 0;

			ok(differs);
			if (!differs)
				fprintf(stderr, "# %s\n# %s\n", rows[i],
					rows[j]);
		}
	}
}

static void the_environment_is_sorted_and_effective(void)
{
	ok(same("{\"env\":[\"B=1\",\"A=2\"]}", "{\"env\":[\"A=2\",\"B=1\"]}"));
	ok(same("{\"env\":[\"A=1\",\"A=2\"]}", "{\"env\":{\"A\":\"2\"}}"));
	ok(!same("{\"env\":[\"A=1\",\"A=2\"]}", "{\"env\":[\"A=2\",\"A=1\"]}"));
	ok(same("{\"env\":[\"A=1\",\"AB=2\"]}",
		"{\"env\":[\"AB=2\",\"A=1\"]}"));
	ok(same("{\"pass_env\":[\"X\",\"Y\",\"X\"]}",
		"{\"pass_env\":[\"Y\",\"X\"]}"));
}

/* Our text must be the one that the general writer of RFC 8785 makes. */
static void the_text_is_canonical(void)
{
	static const char text[] =
		"{\"wall_time_s\":0.05,\"cpu_time_s\":1.25,"
		"\"env\":{\"A\":\"\\u20ac\\n\\u0007\\\"\\\\/\",\"Z\":\"\"},"
		"\"rlimit\":{\"stack\":5,\"nice\":3,\"rss\":\"unlimited\"},"
		"\"mem_bytes\":\"65536G\",\"command\":[\"\\u007f\"]}";
	struct buf own = { 0 }, theirs = { 0 };
	struct arena arena = { 0 };
	struct json_value v = { 0 };
	struct json_error e = { 0 };
	struct spec s = { 0 };

	ok_int(spec_init(&s, &err), 0);
	ok_int(spec_read_json(&s, text, sizeof text - 1, "F", &err), 0);
	ok_int(spec_write_canonical(&s, &own, &err), 0);
	ok_int(json_parse(own.bytes, own.len, NULL, &arena, &v, &e), 0);
	ok_int(json_write_canonical(&v, &theirs), 0);
	ok(strcmp(own.bytes, theirs.bytes) == 0);
	buf_done(&own);
	buf_done(&theirs);
	arena_done(&arena);
	spec_done(&s);
}

static void bytes_that_are_no_text_are_told_apart(void)
{
	static const char *const words[] = { "a\xff", "a\xfe",
					     "a\xef\xbf\xbd" };
	char seen[3][BLAKE3_TEXT_BYTES];

	for (size_t i = 0; i < 3; i++) {
		struct spec s = { 0 };

		ok_int(spec_init(&s, &err), 0);
		ok_int(spec_set_command(&s, &words[i], 1, &err), 0);
		ok_int(spec_hash(&s, seen[i], &err), 0);
		spec_done(&s);
	}
	ok(strcmp(seen[0], seen[1]) != 0 && strcmp(seen[0], seen[2]) != 0);
}

static void reasons_have_names_and_errors_have_reasons(void)
{
	struct cupel_error e = { .stage = CUPEL_STAGE_MOUNT,
				 .cause = CUPEL_CAUSE_HOST };

	ok(reason_name(REASON_NONE) == NULL);
	for (int i = 1; i < REASON_MAX_; i++) {
		ok(reason_name((enum reason)i) != NULL);
		for (int j = 1; j < i; j++)
			ok(strcmp(reason_name((enum reason)i),
				  reason_name((enum reason)j)) != 0);
	}
	ok(reason_name(REASON_MAX_) == NULL);
	ok(strcmp(reason_name(REASON_PARTIAL), "PARTIAL_ENFORCEMENT") == 0);
	ok_int(reason_of_error(&e), REASON_MOUNT_REFUSED);
	e.cause = CUPEL_CAUSE_BUSY;
	ok_int(reason_of_error(&e), REASON_BUSY);
	e.cause = CUPEL_CAUSE_BUG;
	ok_int(reason_of_error(&e), REASON_INTERNAL);
	e.cause = CUPEL_CAUSE_CALLER;
	e.stage = CUPEL_STAGE_PLAN;
	ok_int(reason_of_error(&e), REASON_USAGE);
	e.cause = CUPEL_CAUSE_HOST;
	ok_int(reason_of_error(&e), REASON_ENFORCEMENT_MISSING);
	for (int i = 0; i < CUPEL_STAGE_MAX_; i++) {
		e.stage = (enum cupel_stage)i;
		ok(reason_of_error(&e) != REASON_NONE);
	}
	e.stage = CUPEL_STAGE_MAX_;
	ok_int(reason_of_error(&e), REASON_INTERNAL);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(nothing_of_the_host_counts),
		CASE(rules_count_in_their_one_form),
		CASE(everything_that_has_an_effect_counts),
		CASE(the_environment_is_sorted_and_effective),
		CASE(the_text_is_canonical),
		CASE(bytes_that_are_no_text_are_told_apart),
		CASE(reasons_have_names_and_errors_have_reasons),
		TAP_END,
	});
}
