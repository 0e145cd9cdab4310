/* jobs_sarif.c -- reading SARIF: what becomes a flag, what does not, and
 * why. */
#include "jobs/confirm/sarif.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "tap.h"

/* ' is " here. */
struct sarif_case {
	struct arena arena;
	struct rules rules;
	struct flags flags;
	const char *why;
	int returned;
};

static void read_text(struct sarif_case *c, const char *text, size_t n)
{
	struct cupel_error err = { 0 };
	struct json_error e = { 0 };
	struct json_value log;
	struct json_caps caps = { .text_bytes = FLAGS_BYTES,
				  .memory_bytes = SARIF_MEMORY };

	*c = (struct sarif_case){ 0 };
	ok_int(json_parse(text, n, &caps, &c->arena, &log, &e), 0);
	ok_int(rules_read_own(&c->rules, &err), 0);
	c->returned = sarif_read(&log, "/home/me/repo", &c->rules, &c->flags,
				 &c->why);
}

static void read_log(struct sarif_case *c, const char *log)
{
	char *text = strdup(log);

	for (char *p = text; *p != '\0'; p++)
		if (*p == '\'')
			*p = '"';
	read_text(c, text, strlen(text));
	free(text);
}

static void done(struct sarif_case *c)
{
	flags_done(&c->flags);
	rules_done(&c->rules);
	arena_done(&c->arena);
}

/* A run of ruff with these results and these further members. */
static void read_results(struct sarif_case *c, const char *results,
			 const char *more)
{
	owned_buf struct buf log = { 0 };

	buf_format(&log,
		   "{'version':'2.1.0','runs':[{'tool':{'driver':{'name':"
		   "'ruff','rules':[{'id':'F401'},{'id':'F821'}]},"
		   "'extensions':[{'name':'x','rules':[{'id':'F823'}]}]},"
		   "'results':[%s]%s}]}",
		   results, more);
	read_log(c, log.bytes);
	ok_int(c->returned, 0);
}

#define AT(uri, line)                                                          \
	"'locations':[{'physicalLocation':{'artifactLocation':{" uri           \
	"},'region':{'startLine':" line "}}}]"
#define HERE AT("'uri':'a.py'", "7")

static void text_is(const char *got, const char *want)
{
	ok(got != NULL && strcmp(got, want) == 0);
	if (got == NULL || strcmp(got, want) != 0)
		printf("# %s, not %s\n", got ? got : "NULL", want);
}

static void rules_are_found_where_they_stand(void)
{
	static const struct {
		const char *rule, *want;
	} rows[] = {
		{ "'ruleId':'F821'", "name-undefined" },
		{ "'rule':{'id':'F821'}", "name-undefined" },
		{ "'ruleIndex':1", "name-undefined" },
		{ "'rule':{'index':1}", "name-undefined" },
		{ "'rule':{'index':0,'toolComponent':{'index':0}}",
		  "unbound-local" },
		{ "'ruleId':'F823/sub','rule':{'index':0,'toolComponent':"
		  "{'index':0}}",
		  "unbound-local" },
		{ "'ruleIndex':0", "ruff:F401" },
		{ "'ruleId':'what'", "ruff:what" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sarif_case c;
		char result[400];

		(void)snprintf(result, sizeof result, "{%s,%s}", rows[i].rule,
			       HERE);
		read_results(&c, result, "");
		ok_int((intmax_t)c.flags.len, 1);
		if (c.flags.len == 1) {
			text_is(c.flags.items[0].flag_class, rows[i].want);
			text_is(c.flags.items[0].tool, "ruff");
			text_is(c.flags.items[0].file, "a.py");
			ok_int((intmax_t)c.flags.items[0].line, 7);
			ok(c.flags.items[0].function == NULL);
		}
		done(&c);
	}
}

static void what_is_no_finding_is_left_out(void)
{
	static const struct {
		const char *more;
		size_t want;
	} rows[] = {
		{ "'kind':'pass'", 0 },
		{ "'kind':'notApplicable'", 0 },
		{ "'kind':'fail'", 1 },
		{ "'kind':'review'", 1 },
		{ "'baselineState':'absent'", 0 },
		{ "'baselineState':'new'", 1 },
		{ "'suppressions':[]", 1 },
		{ "'suppressions':[{'kind':'inSource'}]", 0 },
		{ "'suppressions':[{'kind':'external','status':'accepted'}]",
		  0 },
		{ "'suppressions':[{'kind':'external','status':'rejected'}]",
		  1 },
		{ "'suppressions':[{'kind':'inSource'},"
		  "{'status':'underReview'}]",
		  1 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sarif_case c;
		char result[400];

		(void)snprintf(result, sizeof result, "{'ruleId':'F821',%s,%s}",
			       rows[i].more, HERE);
		read_results(&c, result, "");
		ok_int((intmax_t)c.flags.len, (intmax_t)rows[i].want);
		ok_int((intmax_t)c.flags.left_out,
		       (intmax_t)(1 - rows[i].want));
		ok_int((intmax_t)c.flags.faults_all, 0);
		done(&c);
	}
}

#define BASES                                                                  \
	",'artifacts':[{'location':{'uri':'src/x.py','uriBaseId':'SRCROOT'}}," \
	"{}],'originalUriBaseIds':{'SRCROOT':{'uri':'file:///ci/job/'},"       \
	"'HERE':{'uri':'file:///home/me/repo/sub/'},'LIB':{'uri':"             \
	"'file:///usr/lib/'},'IN':{'uri':'pkg','uriBaseId':'SRCROOT'},"        \
	"'BARE':{},'LOOP':{'uriBaseId':'LOOP'},'A':{'uri':'a/','uriBaseId':"   \
	"'B'},"                                                                \
	"'B':{'uri':'b/','uriBaseId':'A'}}"

static const struct {
	const char *uri, *want; /* NULL: a fault */
} places[] = {
	{ "'uri':'a.py'", "a.py" },
	{ "'uri':'./d//e/./f/../a.py'", "d/e/a.py" },
	{ "'uri':'a/..'", NULL },
	{ "'uri':'%61%2epy'", "a.py" },
	{ "'uri':'a%20b%25.py'", "a b%.py" },
	{ "'uri':'\xc3\xa9.py'", "\xc3\xa9.py" },
	{ "'uri':'%c3%a9.py'", "\xc3\xa9.py" },
	{ "'uri':'../a.py'", "../a.py" },
	{ "'uri':'a/../../%2e%2e/b.py'", "../../b.py" },
	{ "'uri':'..'", ".." },
	{ "'uri':'/../../etc/passwd'", "/etc/passwd" },
	{ "'uri':'file:///home/me/repo/a.py'", "a.py" },
	{ "'uri':'FILE:///home/me/repo/../repo/a.py'", "a.py" },
	{ "'uri':'file://localhost/home/me/repo/a.py'", "a.py" },
	{ "'uri':'file:/home/me/repo/a.py'", "a.py" },
	{ "'uri':'/home/me/repo/a.py'", "a.py" },
	{ "'uri':'/home/me/repository/a.py'", "/home/me/repository/a.py" },
	{ "'uri':'file:///etc/passwd'", "/etc/passwd" },
	{ "'uri':'a.py?q#f'", "a.py" },
	{ "'uri':'x.py','uriBaseId':'SRCROOT'", "x.py" },
	{ "'uri':'x.py','uriBaseId':'HERE'", "sub/x.py" },
	{ "'uri':'x.py','uriBaseId':'LIB'", "/usr/lib/x.py" },
	{ "'uri':'x.py','uriBaseId':'NOWHERE'", "x.py" },
	{ "'uri':'x.py','uriBaseId':'BARE'", "x.py" },
	{ "'index':0", "src/x.py" },
	{ "'index':1", NULL },
	{ "'index':2", NULL },
	{ "'index':-1", NULL },
	{ "'uri':'x.py','uriBaseId':'A'", NULL },
	{ "'uri':'%00.py'", NULL },
	{ "'uri':'\\u0000.py'", NULL },
	{ "'uri':'%2'", NULL },
	{ "'uri':'%zz'", NULL },
	{ "'uri':'%2z'", NULL },
	{ "'uri':'a%00b.py'", NULL },
	{ "'uri':'x.py','uriBaseId':'LOOP'", NULL },
	{ "'uri':''", NULL },
	{ "'uri':'https://x/a.py'", NULL },
	{ "'uri':'c:/a.py'", NULL },
	{ "'uri':'file://host/a.py'", NULL },
	{ "'uri':7", NULL },
	{ "'index':'0'", NULL },
	{ "'x':0", NULL },
};

static void places_are_resolved(void)
{

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct sarif_case c;
		char result[400];

		(void)snprintf(result, sizeof result,
			       "{'ruleId':'F821','locations':[{"
			       "'physicalLocation':{'artifactLocation':{%s},"
			       "'region':{'startLine':1}}}]}",
			       places[i].uri);
		read_results(&c, result, BASES);
		ok_int((intmax_t)c.flags.len, places[i].want != NULL);
		ok_int((intmax_t)c.flags.faults_len, places[i].want == NULL);
		if (c.flags.len == 1 && places[i].want != NULL)
			text_is(c.flags.items[0].file, places[i].want);
		else if ((c.flags.len == 1) != (places[i].want != NULL))
			printf("# %s\n", places[i].uri);
		done(&c);
	}
}

static void a_base_within_a_base_is_joined(void)
{
	struct sarif_case c;

	read_results(&c,
		     "{'ruleId':'F821'," AT("'uri':'x.py','uriBaseId':'IN'",
					    "1") "}",
		     ",'originalUriBaseIds':{'IN':{'uri':'pkg','uriBaseId':"
		     "'TOP'},'TOP':{'uri':'file:///home/me/repo/src'}}");
	ok_int((intmax_t)c.flags.len, 1);
	if (c.flags.len == 1)
		text_is(c.flags.items[0].file, "src/pkg/x.py");
	done(&c);
}

static void functions_are_named(void)
{
	static const struct {
		const char *logical, *want;
	} rows[] = {
		{ "{'name':'f'}", "f" },
		{ "{'name':'m','fullyQualifiedName':'C.m'}", "C.m" },
		{ "{'fullyQualifiedName':'pkg.mod.C.m'}", "C.m" },
		{ "{'fullyQualifiedName':'mod.f','kind':'function'}", "f" },
		{ "{'fullyQualifiedName':'other.f'}", "other.f" },
		{ "{'fullyQualifiedName':'modf'}", "modf" },
		{ "{'index':0}", "shared" },
		{ "{'name':'mod','kind':'module'}", NULL },
		{ "{'name':'f(int)'}", NULL },
		{ "{'name':''}", NULL },
		{ "{'name':7}", NULL },
		{ "7", NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sarif_case c;
		char result[600];

		(void)snprintf(
			result, sizeof result,
			"{'ruleId':'F821','locations':[{'physicalLocation':{"
			"'artifactLocation':{'uri':'src/pkg/mod.py'}},"
			"'logicalLocations':[%s]}]}",
			rows[i].logical);
		read_results(&c, result,
			     ",'logicalLocations':[{'name':'shared'}]");
		ok_int((intmax_t)c.flags.len, rows[i].want != NULL);
		ok_int((intmax_t)c.flags.faults_len, rows[i].want == NULL);
		if (c.flags.len == 1 && rows[i].want != NULL)
			text_is(c.flags.items[0].function, rows[i].want);
		done(&c);
	}
}

static void bad_results_are_numbered_and_skipped(void)
{
	static const struct {
		const char *result, *message;
	} bad[] = {
		{ "7", "expected an object" },
		{ "{}", "locations: expected" },
		{ "{'ruleId':'F821','locations':[]}", "locations: expected" },
		{ "{'ruleId':'F821','locations':{}}", "locations: expected" },
		{ "{'ruleId':'F821','locations':[{'physicalLocation':[]}]}",
		  "locations: expected" },
		{ "{'ruleId':'F821','locations':[{'physicalLocation':{}}]}",
		  "artifactLocation: expected" },
		{ "{" HERE "}", "expected a ruleId" },
		{ "{'ruleIndex':2," HERE "}", "expected a ruleId" },
		{ "{'ruleId':''," HERE "}", "expected a ruleId" },
		{ "{'ruleId':'a\\u0000'," HERE "}", "expected a ruleId" },
		{ "{'ruleId':'F821'," AT("'uri':'a'", "0") "}",
		  "startLine: expected" },
		{ "{'ruleId':'F821'," AT("'uri':'a'", "1.5") "}", "startLine" },
		{ "{'ruleId':'F821'," AT("'uri':'a'", "'1'") "}", "startLine" },
		{ "{'ruleId':'F821'," AT("'uri':'a'", "1e99") "}",
		  "startLine" },
		{ "{'ruleId':'F821','locations':[{'physicalLocation':{"
		  "'artifactLocation':{'uri':'a'}}}]}",
		  "startLine" },
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct sarif_case c;
		char results[600];

		(void)snprintf(results, sizeof results,
			       "{'ruleId':'F821',%s},%s,{'ruleId':'F821',%s}",
			       HERE, bad[i].result, HERE);
		read_results(&c, results, "");
		ok_int((intmax_t)c.flags.len, 2);
		ok_int((intmax_t)c.flags.faults_len, 1);
		if (c.flags.faults_len == 1) {
			ok_int((intmax_t)c.flags.faults[0].number, 2);
			ok_has(c.flags.faults[0].message, bad[i].message);
		}
		if (c.flags.len == 2)
			ok_int((intmax_t)c.flags.items[1].number, 3);
		done(&c);
	}
}

/* One name that all results point to is in the record of each of them. */
static void long_functions_are_skipped(void)
{
	static const char result[] =
		"{'ruleIndex':0,'locations':[{'physicalLocation':{"
		"'artifactLocation':{'uri':'a.py'},'region':{'startLine':7}},"
		"'logicalLocations':[{'index':0}]}]}";
	static const size_t rows[] = { 1024, 1025, 100000 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		owned_buf struct buf more = { 0 };
		struct sarif_case c;

		buf_text(&more, ",'logicalLocations':[{'fullyQualifiedName':'");
		for (size_t k = 0; k < rows[i]; k++)
			buf_char(&more, 'f');
		buf_text(&more, "'}]");
		read_results(&c, result, more.bytes);
		ok_int((intmax_t)c.flags.len, rows[i] <= 1024);
		ok_int((intmax_t)c.flags.faults_all, rows[i] > 1024);
		done(&c);
	}
}

static void bad_runs_are_refused(void)
{
	static const struct {
		const char *log;
		int want;
	} rows[] = {
		{ "{'runs':7}", -22 },
		{ "{'runs':[7]}", -22 },
		{ "{'runs':[{}]}", -22 },
		{ "{'runs':[{'tool':{'driver':{'name':''}}}]}", -22 },
		{ "{'runs':[{'tool':{'driver':{'name':'a'}},'results':7}]}",
		  -22 },
		{ "{'runs':[]}", 0 },
		{ "{'runs':[{'tool':{'driver':{'name':'a'}}}]}", 0 },
		{ "{'runs':[{'tool':{'driver':{'name':'a'}},'results':null}]}",
		  0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sarif_case c;

		read_log(&c, rows[i].log);
		ok_int(c.returned, rows[i].want);
		if (c.returned < 0)
			ok_has(c.why, "expected");
		done(&c);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(rules_are_found_where_they_stand),
		CASE(what_is_no_finding_is_left_out), CASE(places_are_resolved),
		CASE(a_base_within_a_base_is_joined), CASE(functions_are_named),
		CASE(bad_results_are_numbered_and_skipped),
		CASE(long_functions_are_skipped), CASE(bad_runs_are_refused),
		TAP_END });
}
