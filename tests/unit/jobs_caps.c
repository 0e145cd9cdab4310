/* jobs_caps.c -- a spec of caps against the ceilings of the runners. */
#include "jobs/confirm/caps.h"

#include "base/error.h"
#include "tap.h"

static struct cupel_error err;

/* ' is " here. */
static int read_spec(struct caps *c, const char *text)
{
	char copy[1000];
	char *p = copy;

	(void)snprintf(copy, sizeof copy, "%s", text);
	for (; *p != '\0'; p++)
		if (*p == '\'')
			*p = '"';
	*c = (struct caps){ 0 };
	err = (struct cupel_error){ 0 };
	return caps_read(copy, strlen(copy), "job.json", c, &err);
}

static const struct confirm_cap *cap_of(const struct runner *r,
					const char *option)
{
	for (const struct confirm_cap *c = r->caps; c->option != NULL; c++)
		if (strcmp(c->option, option) == 0)
			return c;
	return NULL;
}

/* "value/number" of one cap. */
static void cap_is(const struct runner *r, const char *option,
		   const char *value, uint64_t number)
{
	const struct confirm_cap *c = cap_of(r, option);

	ok(c != NULL && strcmp(c->value, value) == 0 && c->number == number);
	if (c != NULL)
		printf("# %s %s %s %ju\n", option, c->value, c->key,
		       (uintmax_t)c->number);
}

static void every_runner_has_the_alarm(void)
{
	for (enum language l = 0; l < LANGUAGE_MAX_; l++) {
		const struct runner *r = runner_of(l);

		if (r == NULL)
			continue;
		ok_int(r->alarm_s, CONFIRM_ALARM_S);
		ok(r->security_review == NULL);
		ok(cap_of(r, "wall-time-s")->number == CONFIRM_ALARM_S + 5);
	}
}

static void tighter_caps_are_taken(void)
{
	const struct runner *python = runner_of(LANGUAGE_PYTHON), *r;
	struct caps c;

	ok_int(read_spec(&c, "{'cpu_time_s':2,'as_bytes':'256M','nofile':12,"
			     "'wall_time_s':3,'data_bytes':'64M','scratch_"
			     "inodes':99}"),
	       0);
	r = caps_runner(&c, python);
	ok(r != python);
	cap_is(r, "cpu-time-s", "2", 2);
	cap_is(r, "as-bytes", "268435456", 268435456);
	cap_is(r, "nofile", "12", 12);
	ok(cap_of(r, "data-bytes") == NULL);
	cap_is(r, "scratch-inodes", "99", 99);
	ok(strcmp(cap_of(r, "scratch-inodes")->key, "scratch_inodes") == 0);
	cap_is(r, "wall-time-s", "8", 8);
	ok_int(r->alarm_s, 3);
	cap_is(r, "fsize-bytes", cap_of(python, "fsize-bytes")->value,
	       (uint64_t)10 << 20);
	ok(r->security_review == NULL);
	cap_is(python, "cpu-time-s", "5", 5);
	r = caps_runner(&c, runner_of(LANGUAGE_JAVASCRIPT));
	cap_is(r, "data-bytes", "67108864", 67108864);
	ok(cap_of(r, "as-bytes") == NULL);
	caps_done(&c);
	ok(caps_runner(&c, python) == python);
	ok(caps_runner(NULL, python) == python);
	ok(caps_runner(&c, NULL) == NULL);
}

static void the_ceiling_itself_is_fine(void)
{
	struct caps c;

	ok_int(read_spec(&c, "{'cpu_time_s':5,'as_bytes':'512M','nofile':16,"
			     "'fsize_bytes':'10M','nproc':0,'wall_time_s':10,"
			     "'mem_bytes':'512M','output_bytes':'1M'}"),
	       0);
	caps_done(&c);
	ok_int(read_spec(&c, "{}"), 0);
	caps_done(&c);
}

static void looser_caps_name_cap_and_ceiling(void)
{
	static const struct {
		const char *cap, *what;
	} rows[] = {
		{ "'cpu_time_s':6", "cpu_time_s: is looser than the python "
				    "runner's 5;" },
		{ "'nofile':17", "nofile: is looser than the python "
				 "runner's 16;" },
		{ "'nproc':1", "nproc: is looser than the python runner's 0;" },
		{ "'fsize_bytes':'11M'", "10485760;" },
		{ "'as_bytes':536870913", "536870912;" },
		{ "'output_bytes':'2M'", "1048576;" },
		{ "'wall_time_s':11", "wall_time_s: is looser than the python "
				      "runner's 10;" },
		{ "'pids_max':1", "pids_max: is looser" },
		{ "'scratch_bytes':'65M'", "scratch_bytes: is looser" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct caps c;
		const char *what;
		char text[200];

		(void)snprintf(text, sizeof text, "{%s}", rows[i].cap);
		what = read_spec(&c, text) < 0
			       ? err.what
			       : caps_refusal(&c, runner_of(LANGUAGE_PYTHON));
		ok(err.cause == CUPEL_CAUSE_CALLER || err.cause == 0);
		ok_has(what, rows[i].what);
		ok_has(what, "security_review");
		caps_done(&c);
		(void)snprintf(text, sizeof text,
			       "{%s,'security_review':'SEC-7'}", rows[i].cap);
		ok_int(read_spec(&c, text), 0);
		ok(strcmp(caps_runner(&c, runner_of(LANGUAGE_PYTHON))
				  ->security_review,
			  "SEC-7") == 0);
		caps_done(&c);
	}
}

/* JavaScript has 32 descriptors, Python 16. */
static void each_runner_is_held_to_its_own_ceiling(void)
{
	const struct runner *python = runner_of(LANGUAGE_PYTHON);
	const struct runner *node = runner_of(LANGUAGE_JAVASCRIPT);
	struct caps c;

	ok_int(read_spec(&c, "{'nofile':32}"), 0);
	ok(caps_refusal(&c, node) == NULL);
	cap_is(caps_runner(&c, node), "nofile", "32", 32);
	ok_has(caps_refusal(&c, python), "python runner's 16");
	ok(caps_refusal(&c, NULL) == NULL);
	ok(caps_refusal(NULL, node) == NULL);
	caps_done(&c);
	ok(read_spec(&c, "{'nofile':33}") < 0);
	ok_int(err.cause, CUPEL_CAUSE_CALLER);
	ok_has(err.what, "python runner's 16");
	caps_done(&c);
	ok_int(read_spec(&c, "{'nofile':16}"), 0);
	ok(caps_refusal(&c, python) == NULL);
	caps_done(&c);
}

static void what_is_no_cap_is_refused(void)
{
	static const struct {
		const char *text, *what;
	} rows[] = {
		{ "", "job.json: line 1, column 1: empty" },
		{ "[]", "job.json: expected an object" },
		{ "{'cpu_time_s':2,'cpu_time_s':2}", "duplicate_name" },
		{ "{'network':'loopback'}", "network: expected a cap" },
		{ "{'env':{'A':'1'}}", "env: expected a cap" },
		{ "{'command':['sh']}", "command: expected a cap" },
		{ "{'profile':'default'}", "profile: expected a cap" },
		{ "{'wall_alarm':false}", "wall_alarm: expected a cap" },
		{ "{'rlimit':{'core':1}}", "rlimit: expected a cap" },
		{ "{'output_mode':'kill'}", "output_mode: expected a cap" },
		{ "{'nonsense':1}", "nonsense: expected a cap" },
		{ "{'nofile':'x'}", "nofile" },
		{ "{'nofile':-1}", "nofile" },
		{ "{'cpu_time_s':1.5}", "whole seconds" },
		{ "{'security_review':'','nofile':9}", "security_review" },
		{ "{'security_review':7}", "security_review" },
		{ "{'security_review':'a\\u0000'}", "security_review" },
		{ "{'security_review':'x','as_bytes':'unlimited'}",
		  "as_bytes: expected a number" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct caps c;

		ok(read_spec(&c, rows[i].text) < 0);
		ok_has(err.what, rows[i].what);
		ok_has(err.what, "job.json");
		caps_done(&c);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(every_runner_has_the_alarm), CASE(tighter_caps_are_taken),
		CASE(the_ceiling_itself_is_fine),
		CASE(looser_caps_name_cap_and_ceiling),
		CASE(each_runner_is_held_to_its_own_ceiling),
		CASE(what_is_no_cap_is_refused), TAP_END });
}
