/* jobs_gather_select.c -- which probes are run, and which requests are refused
 * in one line that names the culprit. */
#include "jobs/gather/select.h"

#include "base/error.h"
#include "tap.h"

static const struct probe_input_rule no_rules[] = { { NULL, 0 } };
static const char *const words[] = { "true", NULL };
static struct cupel_error err;
static struct selection got;

#define OTHER(name_, ...)                                                      \
	{                                                                      \
		.name = (name_), .version = "1", .schema_version = "1.0",      \
		.rules = no_rules, .command = words,                           \
		.requires = (const char *const[])                              \
		{                                                              \
			__VA_ARGS__ __VA_OPT__(, ) NULL                        \
		}                                                              \
	}

static int choose(const struct probe *others, size_t n, const char *only)
{
	const char *const names[] = { only };
	const struct select_request req = { .others = others,
					    .others_len = n,
					    .only = names,
					    .only_len = only != NULL };

	memset(&err, 0, sizeof err);
	memset(&got, 0, sizeof got);
	return select_run(&req, &got, &err);
}

static void all_of_them_come_sorted_by_name(void)
{
	const struct probe others[] = { OTHER("zz"), OTHER("aa") };

	ok_int(choose(others, 2, NULL), 0);
	ok_int((intmax_t)got.len, (intmax_t)probes_len + 2);
	ok(strcmp(got.probes[0]->name, "aa") == 0);
	for (size_t i = 1; i < got.len; i++)
		ok(strcmp(got.probes[i - 1]->name, got.probes[i]->name) < 0);
	ok_int((intmax_t)selection_find(&got, "zz"), (intmax_t)got.len - 1);
	ok_int((intmax_t)selection_find(&got, "nope"), PROBES_MAX);
}

static void one_brings_along_what_it_requires(void)
{
	const struct probe others[] = { OTHER("a", "b"), OTHER("b", "c"),
					OTHER("c", "node_manifest"),
					OTHER("d") };

	ok_int(choose(others, 4, "a"), 0);
	ok_int((intmax_t)got.len, 4);
	ok(strcmp(got.probes[3]->name, "node_manifest") == 0);
	ok_int(choose(others, 4, "d"), 0);
	ok_int((intmax_t)got.len, 1);
}

static void refused(int e, const char *part)
{
	ok(e < 0);
	ok_int(err.cause, CUPEL_CAUSE_CALLER);
	if (strstr(err.what, part) == NULL)
		fprintf(stderr, "# got: %s\n", err.what);
	ok(strstr(err.what, part) != NULL);
}

static void circles_are_refused_with_their_names(void)
{
	const struct probe ring[] = { OTHER("a", "b"), OTHER("b", "c"),
				      OTHER("c", "a"), OTHER("x") };
	const struct probe self[] = { OTHER("own", "own") };

	refused(choose(ring, 4, NULL), "in a circle: a, b, c");
	refused(choose(ring, 4, "b"), "in a circle: a, b, c");
	ok_int(choose(ring, 4, "x"), 0);
	refused(choose(self, 1, NULL), "in a circle: own");
}

static void names_are_refused_that_are_not_known_or_not_free(void)
{
	const struct probe twice[] = { OTHER("a"), OTHER("a") };
	const struct probe ours[] = { OTHER("node_manifest") };
	const struct probe lost[] = { OTHER("a", "nobody") };
	const struct probe secret[] = { OTHER("api_key") };

	refused(choose(NULL, 0, "nope"), "nope");
	refused(choose(NULL, 0, "nope"), "node_manifest");
	refused(choose(twice, 2, NULL), "two manifests");
	refused(choose(ours, 1, NULL), "a built-in probe");
	refused(choose(lost, 1, NULL), "a requires nobody");
	refused(choose(secret, 1, NULL), "api_key");
}

static void too_many_are_refused(void)
{
	struct probe many[PROBES_MAX] = { 0 };
	char names[PROBES_MAX][8];

	for (unsigned i = 0; i < PROBES_MAX; i++) {
		(void)snprintf(names[i], sizeof names[i], "p%u", i);
		many[i] = (struct probe){ .name = names[i],
					  .rules = no_rules,
					  .command = words };
	}
	ok_int(choose(many, PROBES_MAX - probes_len, NULL), 0);
	refused(choose(many, PROBES_MAX, NULL), "at most 64");
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(all_of_them_come_sorted_by_name),
		CASE(one_brings_along_what_it_requires),
		CASE(circles_are_refused_with_their_names),
		CASE(names_are_refused_that_are_not_known_or_not_free),
		CASE(too_many_are_refused), TAP_END });
}
