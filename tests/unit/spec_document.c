/* spec_document.c -- spec documents, profiles, and which of them takes
 * precedence. */
#include "tap.h"

#include <errno.h>

#include "base/buf.h"
#include "base/error.h"
#include "spec/profile.h"
#include "spec/spec.h"

static struct spec s;
static struct cupel_error err;

static void fresh(void)
{
	spec_done(&s);
	err = (struct cupel_error){ 0 };
	ok_int(spec_init(&s, &err), 0);
}

static int read_json(const char *text)
{
	fresh();
	return spec_read_json(&s, text, strlen(text), "F", &err);
}

/* Two files of the caller. */
static int load(void *ctx, const char *path, struct buf *out,
		struct cupel_error *e)
{
	int *calls = ctx;

	*calls += 1;
	if (strcmp(path, "job.json") == 0)
		buf_text(out, "{\"nofile\": 11, \"nproc\": 3, \"profile\": "
			      "\"test\", \"env\": [\"A=spec\"], "
			      "\"command\": [\"from\", \"spec\"]}");
	else if (strcmp(path, "./own") == 0)
		buf_text(out, "{\"name\": \"mine\", \"nofile\": 33, "
			      "\"rlimit\": {\"stack\": \"1M\"}}");
	else
		return cupel_fail(e, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  ENOENT, "%s: no such file", path);
	return 0;
}

static void reads_every_shape(void)
{
	ok_int(read_json(
		       "{\"repo\":\"/r\",\"ro\":[\"/a:/b\"],"
		       "\"env\":{\"A\":\"1\",\"B\":\"x=y\"},"
		       "\"pass_env\":[\"LANG\"],\"mem_bytes\":\"64M\","
		       "\"as_bytes\":1e9,\"wall_time_s\":1.5,"
		       "\"cpu_time_s\":\"unlimited\",\"nofile\":5.0,"
		       "\"rlimit\":{\"stack\":\"1M\",\"cpu\":2.5,\"nproc\":7},"
		       "\"allow_partial\":true,\"network\":\"loopback\","
		       "\"command\":[\"a\",\"\",\"b c\"]}"),
	       0);
	ok(strcmp(s.repo, "/r") == 0);
	ok(s.env.len == 2 && strcmp(s.env.items[1], "B=x=y") == 0);
	ok_int((intmax_t)s.mem_bytes, 64 << 20);
	ok_int((intmax_t)s.as_bytes, 1000000000);
	ok_int((intmax_t)s.wall_ms, 1500);
	ok_int((intmax_t)s.nofile, 5);
	ok_int((intmax_t)s.nproc, 7);
	ok_int((intmax_t)s.cpu_ms, 2500); /* the later one */
	ok(s.allow_partial);
	ok_int(s.network, NETWORK_LOOPBACK);
	ok_int((intmax_t)s.argc, 3);
	ok(strcmp(s.argv[2], "b c") == 0 && s.argv[3] == NULL);
	ok_int(read_json("{\"env\":[\"A=1\"],\"rlimit\":[\"core=1\"]}"), 0);
	ok(s.env.len == 1 && s.rlimits[SPEC_RLIMIT_CORE] == 1);
}

static void refuses_with_the_place(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "{\"nofil\":1}", "F: nofil: unknown key" },
		{ "{\"wall-time-s\":1}", "F: wall-time-s: unknown key" },
		{ "{\"json\":true}",
		  "F: json: unknown key, it is not allowed" },
		{ "{\"cpu_hard\":true}", "F: cpu_hard: unknown key" },
		{ "{\"spec\":\"x\"}", "F: spec: unknown key" },
		{ "{\"nofile\":0}", "F: nofile: 0 is outside 1..1048576" },
		{ "{\"nofile\":-1}", "F: nofile: -1 is outside 1..1048576" },
		{ "{\"nofile\":1e30}", "F: nofile: " },
		{ "{\"nofile\":1.5}", "F: nofile: 1.5 is not a whole number" },
		{ "{\"nofile\":\"7\"}",
		  "F: nofile: expected a whole number, found a string" },
		{ "{\"nofile\":null}", "found null" },
		{ "{\"wall_time_s\":\"5\"}", "F: wall_time_s: expected" },
		{ "{\"wall_time_s\":0}", "F: wall_time_s: 0 is outside" },
		{ "{\"mem_bytes\":true}", "F: mem_bytes: expected" },
		{ "{\"mem_bytes\":\"7Q\"}", "F: mem_bytes: '7Q' is not" },
		{ "{\"allow_partial\":1}", "F: allow_partial: expected true" },
		{ "{\"repo\":[]}", "F: repo: expected a string" },
		{ "{\"repo\":\"a\\u0000b\"}", "F: repo: contains a NUL" },
		{ "{\"ro\":\"/a\"}", "F: ro: expected an array of strings" },
		{ "{\"ro\":[\"/a\",3]}", "F: ro[1]: expected a string" },
		{ "{\"ro\":[\"/a\\u0000\"]}", "F: ro[0]: contains a NUL" },
		{ "{\"env\":{\"A\":1}}", "F: env.A: expected a string" },
		{ "{\"env\":{\"A=B\":\"\"}}",
		  "F: env.A=B: a variable's name may not" },
		{ "{\"env\":{\"A\\u0000B\":\"\"}}",
		  "a variable's name may not" },
		{ "{\"rlimit\":{\"nofile\":0}}",
		  "F: rlimit: nofile: 0 is outside" },
		{ "{\"rlimit\":{\"x\":0}}", "unknown limit 'x'" },
		{ "{\"rlimit\":{\"core\":true}}", "expected a string" },
		{ "{\"network\":\"scope\"}",
		  "not one of none, loopback, scoped" },
		{ "{\"egress\":\"a.example:1\"}",
		  "F: egress: expected an array of strings" },
		{ "{\"command\":[]}", "F: command: expected a non-empty" },
		{ "{\"command\":\"ls\"}", "F: command: expected" },
		{ "{\"command\":[1]}", "F: command[0]: expected a string" },
		{ "{\"profile\":\"nope\"}", "'nope' is not a shipped profile" },
		{ "{\"profile\":\"./x\"}", "a file cannot be read here" },
		{ "{\"nofile\":1,\"nofile\":2}", "duplicate_name" },
		{ "[]", "F: expected an object, found an array" },
		{ "", "F: line 1, column 1" },
		{ "{\"nofile\":\n  01}", "F: line 2" },
		{ "{\"a\":[[[[[[[[[]]]]]]]]]}", "too_deep" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int r = read_json(rows[i].text);

		ok(r == -EINVAL || r == -ERANGE);
		ok_has(err.what, rows[i].want);
	}
}

static void precedence_does_not_depend_on_order(void)
{
	static char *const orders[][8] = {
		{ "run", "--nofile=99", "--spec=job.json", "--env=A=option" },
		{ "run", "--spec=job.json", "--env=A=option", "--nofile=99" },
		{ "run", "--env=A=option", "--nofile=99", "--spec=job.json" },
	};

	for (size_t i = 0; i < 3; i++) {
		int calls = 0, rest = 0;

		fresh();
		s.load = load;
		s.load_ctx = &calls;
		ok_int(spec_read_args(4, orders[i], &s, &rest, &err), 0);
		ok_int(calls, 1);
		ok_int((intmax_t)s.nofile, 99);
		ok_int((intmax_t)s.nproc, 3);
		ok_int((intmax_t)s.wall_ms, 300000);
		ok(strcmp(s.profile, "test") == 0);
		ok(s.env.len == 2 && strcmp(s.env.items[0], "A=spec") == 0 &&
		   strcmp(s.env.items[1], "A=option") == 0);
	}
}

static void an_options_profile_wins_over_the_documents(void)
{
	static char *const orders[][4] = {
		{ "run", "--profile=probe", "--spec=job.json" },
		{ "run", "--spec=job.json", "--profile=probe" },
	};

	for (size_t i = 0; i < 2; i++) {
		int calls = 0, rest = 0;

		fresh();
		s.load = load;
		s.load_ctx = &calls;
		ok_int(spec_read_args(3, orders[i], &s, &rest, &err), 0);
		ok(strcmp(s.profile, "probe") == 0);
		ok(strcmp(s.seccomp, "probe") == 0);
		ok_int((intmax_t)s.nofile, 11);
		ok_int((intmax_t)s.output_bytes, 64 << 20);
		ok_int(s.network, NETWORK_NONE);
	}
}

static void the_command_lines_command_wins(void)
{
	const char *const words[] = { "from", "argv", "now" };
	int calls = 0;

	fresh();
	s.load = load;
	s.load_ctx = &calls;
	ok_int(spec_set(&s, "spec", "job.json", &err), 0);
	ok_int((intmax_t)s.argc, 2);
	ok_int(spec_set_command(&s, words, 0, &err), 0);
	ok_int((intmax_t)s.argc, 2);
	ok_int(spec_set_command(&s, words, 3, &err), 0);
	ok_int(spec_set(&s, "spec", "job.json", &err), 0);
	ok_int((intmax_t)s.argc, 3);
	ok(strcmp(s.argv[1], "argv") == 0 && s.argv[3] == NULL);
}

static void a_profile_leaves_nothing_of_the_one_before(void)
{
	fresh();
	ok_int(spec_apply_profile(&s, "python-function", &err), 0);
	ok(s.chdir != NULL && s.cpu_hard && s.wall_alarm);
	ok_int(spec_apply_profile(&s, "default", &err), 0);
	ok(s.chdir == NULL && !s.cpu_hard && !s.wall_alarm);
	ok_int((intmax_t)s.nofile, 256);
	ok(s.nproc == SPEC_UNLIMITED);
}

/* The command gets the last value of a name. */
static void variables_stand_by_rank(void)
{
	static const char spec[] = "{\"env\":[\"A=spec\"]}";
	static const char profile[] = "{\"env\":{\"A\":\"p\",\"B\":\"p\"}}";

	fresh();
	ok_int(spec_set(&s, "env", "A=option", &err), 0);
	ok_int(spec_read_json(&s, spec, sizeof spec - 1, "F", &err), 0);
	ok_int(spec_apply_profile(&s, "pytest", &err), 0);
	ok_int(spec_read_profile(&s, profile, sizeof profile - 1, "P", &err),
	       0);
	ok_int((intmax_t)s.env.len, 4);
	ok_int((intmax_t)s.env.lowest, 2);
	ok(strcmp(s.env.items[0], "A=p") == 0);
	ok(strcmp(s.env.items[1], "B=p") == 0);
	ok(strcmp(s.env.items[2], "A=spec") == 0);
	ok(strcmp(s.env.items[3], "A=option") == 0);
	ok_int(spec_apply_profile(&s, "default", &err), 0);
	ok_int((intmax_t)s.env.len, 2);
	for (int i = 0; i < 20; i++)
		ok_int(spec_set(&s, "env", "C=option", &err), 0);
	ok_int((intmax_t)s.env.len, 22);
	ok(strcmp(s.env.items[0], "A=spec") == 0);
}

static void a_profile_file_stands_on_the_default(void)
{
	int calls = 0;

	fresh();
	s.load = load;
	s.load_ctx = &calls;
	ok_int(spec_set(&s, "profile", "test", &err), 0);
	ok_int(spec_set(&s, "profile", "./own", &err), 0);
	ok(strcmp(s.profile, "mine") == 0);
	ok_int((intmax_t)s.nofile, 33);
	ok_int((intmax_t)s.wall_ms, 60000);
	ok_int((intmax_t)s.rlimits[SPEC_RLIMIT_STACK], 1 << 20);
	ok_int((intmax_t)s.rlimits[SPEC_RLIMIT_MEMLOCK], 64 << 10);
	ok_int(spec_set(&s, "profile", "test", &err), 0);
	ok(!s.rlimit_is_set[SPEC_RLIMIT_STACK]);
	ok_int(spec_set(&s, "profile", "./gone", &err), -ENOENT);
	ok_int(spec_set(&s, "profile", "gone", &err), -EINVAL);
	ok_int(calls, 2);
}

static int check_profile(const char *text)
{
	return profile_check(text, strlen(text), "P", &err);
}

static void profile_files_are_checked(void)
{
	ok_int(check_profile("{}"), 0);
	ok_int(check_profile(
		       "{\"name\":\"x\",\"about\":\"y\",\"cpu_hard\":true,"
		       "\"etc\":[\"foo/bar\"],\"proc\":\"none\"}"),
	       0);
	ok_int(check_profile("{\"repo\":\"/x\"}"), -EINVAL);
	ok_has(err.what,
	       "P: repo: unknown key, it is not allowed in a profile");
	/* a profile that came with the code that is run shows and takes nothing
	 * of the host */
	ok_int(check_profile("{\"ro\":[\"/x\"]}"), -EINVAL);
	ok_int(check_profile("{\"pass_env\":[\"X\"]}"), -EINVAL);
	ok_int(check_profile("{\"artifact\":[\"/scratch/x\"]}"), -EINVAL);
	ok_int(check_profile("{\"allow_partial\":true}"), -EINVAL);
	ok_int(check_profile("{\"backend\":\"rlimits\"}"), -EINVAL);
	ok_int(check_profile("{\"env\":{\"LD_PRELOAD\":\"x\"}}"), 0);
	ok_int(check_profile("{\"env\":{\"A_TOKEN\":\"x\"}}"), -EINVAL);
	ok_has(err.what, "its name contains TOKEN");
	ok_int(check_profile("{\"etc\":[\"../x\"]}"), -EINVAL);
	ok_has(err.what, "etc: '../x'");
	ok_int(check_profile("{\"nofile\":0}"), -ERANGE);
	ok_int(check_profile("{\"name\":\"\"}"), -EINVAL);
	ok_int(check_profile("{\"scratch_inodes\":0}"), -EINVAL);
	ok_int(check_profile("{\"command\":[\"x\"]}"), -EINVAL);
}

static int extend(const char *text)
{
	fresh();
	return spec_read_profile(&s, text, strlen(text), "P", &err);
}

static void a_profile_says_what_it_extends(void)
{
	ok_int(extend("{\"nofile\":33}"), 0);
	ok_int((intmax_t)s.wall_ms, 60000);
	ok(strcmp(s.profile, "P") == 0);
	ok_int(extend("{\"nofile\":33,\"extends\":\"pytest\","
		      "\"env\":{\"X\":\"y\"},\"rlimit\":{\"stack\":\"1M\"}}"),
	       0);
	ok(strcmp(s.profile, "P") == 0);
	ok_int((intmax_t)s.nofile, 33);            /* its own */
	ok_int((intmax_t)s.pids_max, 256);         /* of pytest */
	ok_int((intmax_t)s.wall_ms, 300000);       /* of test */
	ok_int((intmax_t)s.output_bytes, 1 << 20); /* of default */
	ok(strcmp(s.report, "junit:/scratch/reports/") == 0);
	ok(s.env.len > 1 && strcmp(s.env.items[s.env.len - 1], "X=y") == 0);
	ok_int((intmax_t)s.rlimits[SPEC_RLIMIT_STACK], 1 << 20);
	ok_int((intmax_t)s.rlimits[SPEC_RLIMIT_MEMLOCK], 64 << 10);
	/* nothing is left of it */
	ok_int(spec_apply_profile(&s, "python-function", &err), 0);
	ok(s.report == NULL && s.env.len == 0 &&
	   !s.rlimit_is_set[SPEC_RLIMIT_STACK]);
}

static void what_cannot_be_extended_is_one_line(void)
{
	static const struct {
		const char *text, *what;
	} rows[] = {
		{ "{\"extends\":\"pytests\"}",
		  "P: extends: 'pytests' is not a shipped profile (cupel "
		  "profile list names them)" },
		{ "{\"extends\":\"./own.json\"}",
		  "P: extends: './own.json' is not a shipped profile" },
		{ "{\"extends\":\"\"}", "P: extends: '' is not a shipped" },
		{ "{\"extends\":null}",
		  "P: extends: expected a string, found null" },
		{ "{\"extends\":[\"test\"]}",
		  "P: extends: expected a string, found an array" },
		{ "{\"extends\":\"te\\u0000st\"}",
		  "P: extends: contains a NUL character" },
		{ "{\"fits\":[]}", "P: fits: expected an object" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ok_int(extend(rows[i].text), -EINVAL);
		ok_has(err.what, rows[i].what);
		ok(strchr(err.what, '\n') == NULL);
		ok(strcmp(s.profile, "default") == 0 || rows[i].text[2] == 'f');
	}
	/* a spec document says profile, not extends */
	ok_int(spec_read_json(&s, "{\"extends\":\"test\"}", 18, "F", &err),
	       -EINVAL);
	ok_has(err.what, "F: extends: unknown key");
}

static void written_profiles_read_back_the_same(void)
{
	for (size_t i = 0; profile_at(i) != NULL; i++) {
		struct buf one = { 0 }, two = { 0 };

		fresh();
		ok_int(spec_apply_profile(&s, profile_at(i)->name, &err), 0);
		profile_write_json(&s, &one);
		fresh();
		ok_int(spec_read_profile(&s, one.bytes, one.len, "P", &err), 0);
		ok_int(spec_check(&s, &err), 0);
		profile_write_json(&s, &two);
		ok(strcmp(one.bytes, two.bytes) == 0);
		buf_done(&one);
		buf_done(&two);
	}
	spec_done(&s);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(reads_every_shape),
		CASE(refuses_with_the_place),
		CASE(precedence_does_not_depend_on_order),
		CASE(an_options_profile_wins_over_the_documents),
		CASE(the_command_lines_command_wins),
		CASE(a_profile_leaves_nothing_of_the_one_before),
		CASE(variables_stand_by_rank),
		CASE(a_profile_file_stands_on_the_default),
		CASE(profile_files_are_checked),
		CASE(a_profile_says_what_it_extends),
		CASE(what_cannot_be_extended_is_one_line),
		CASE(written_profiles_read_back_the_same),
		TAP_END,
	});
}
