/* json_at.c -- what other tests compare JSON with. */
#include "json_at.h"

#define TEXT                                                                   \
	"{\"a\":[{\"n\":1,\"m\":[1,2]},{\"n\":2,\"m\":[]}],"                   \
	"\"b/c\":{\"~\":null},\"s\":\"a\\\"b\",\"ANYTHING\":true}"

static void a_path_leads_to_one_value(void)
{
	static const struct {
		const char *path, *want;
		long count;
	} rows[] = {
		{ "", "{}", 1 },
		{ "", "[]", 0 },
		{ "/a/0/n", "1", 1 },
		{ "/a/0/n", "1.0", 1 },
		{ "/a/0/n", "\"1\"", 0 },
		{ "/a/1/n", "1", 0 },
		{ "/a/2/n", "1", 0 },
		{ "/a/n", "1", 0 },
		{ "/b~1c/~0", "null", 1 },
		{ "/b~1c", "null", 0 },
		{ "/s", "\"a\\\"b\"", 1 },
		{ "/s", "\"a\"", 0 },
		{ "/ANYTHING", "true", 1 },
		{ "/none", "null", 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ok_int(json_count(TEXT, rows[i].path, rows[i].want),
		       rows[i].count);
}

static void any_and_all_are_some(void)
{
	ok_int(json_count(TEXT, "/a/ANY/n", "2"), 1);
	ok_int(json_count(TEXT, "/a/ANY", "{}"), 2);
	ok_int(json_count(TEXT, "/ANY/1/n", "2"), 1);
	ok_int(json_count(TEXT, "/ALL/n", "2"), 1);
	ok_int(json_count(TEXT, "/ALL", "2"), 2);
	ok_int(json_count(TEXT, "/ALL", "\"a\""), 0);
}

static void an_object_may_have_more_and_a_list_may_not(void)
{
	ok_int(json_count(TEXT, "/a/0", "{\"n\":1}"), 1);
	ok_int(json_count(TEXT, "/a/0", "{\"n\":1,\"m\":[1,2]}"), 1);
	ok_int(json_count(TEXT, "/a/0", "{\"n\":1,\"x\":null}"), 0);
	ok_int(json_count(TEXT, "/a/0/m", "[1]"), 0);
	ok_int(json_count(TEXT, "/a/0/m", "[2,1]"), 0);
	ok_int(json_count(TEXT, "/a", "[{\"n\":1},{\"n\":2}]"), 1);
}

/* A negative check must not pass because there was nothing to check. */
static void what_is_no_json_is_no_answer(void)
{
	ok_int(json_count("{\"a\":1,}", "/ALL", "2"), -1);
	ok_int(json_count("", "/ALL", "2"), -1);
	ok_int(json_count(NULL, "/ALL", "2"), -1);
	ok_int(json_count("{}", "/ALL", "{2"), -1);
	ok(!is_json("nonsense", "", "{}"));
	ok(is_in_open_list("[{\"a\":1},{\"a\":2}", "{\"a\":2}"));
	ok(!is_in_open_list("[{\"a\":1}", "{\"a\":2}"));
	ok(!is_in_open_list("", "{}"));
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_path_leads_to_one_value), CASE(any_and_all_are_some),
		CASE(an_object_may_have_more_and_a_list_may_not),
		CASE(what_is_no_json_is_no_answer), TAP_END });
}
