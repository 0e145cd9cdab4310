/* jobs_gather_explain.c -- the way to one fact, and where it ends. */
#include "jobs/gather/explain_path.h"

#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "tap.h"

static const char document[] =
	"{\"version\":\"1.0\",\"repo\":{\"files\":2},\"probes\":{"
	"\"ci\":{\"probe\":\"ci\",\"errors\":[],\"slice\":null},"
	"\"node_manifest\":{\"probe\":\"node_manifest\",\"confidence\":"
	"\"high\","
	"\"warnings\":[{\"code\":\"bom\",\"source\":\"w.json\"}],"
	"\"slice\":{\"packages\":[{\"name\":\"a\",\"source\":\"package.json\","
	"\"dependencies\":[{\"name\":\"x\",\"source\":\"other.json\"},"
	"{\"name\":\"y\"}]},{\"name\":\"b\",\"source\":null}],"
	"\"lockfiles\":[],\"a/b\":{\"~\":7},\"odd.name\":1}}}}";

static struct arena arena;
static struct json_value context;
static struct buf why;
static struct explain_found found;

static int find(const char *path)
{
	buf_done(&why);
	found = (struct explain_found){ 0 };
	return explain_find(&context, path, &found, &why);
}

static void leads(const char *path, const char *value, const char *source)
{
	owned_buf struct buf text = { 0 };

	ok_int(find(path), 0);
	if (found.value != NULL)
		json_write(found.value, &text);
	ok(text.bytes != NULL && strcmp(text.bytes, value) == 0);
	ok(source == NULL ? found.source.bytes == NULL
			  : found.source.bytes != NULL &&
				    strcmp(found.source.bytes, source) == 0);
	ok_int((intmax_t)why.len, 0);
	if (tap_bad)
		fprintf(stderr, "# %s: %s (%s)\n", path,
			text.bytes ? text.bytes : "nothing",
			found.source.bytes ? found.source.bytes : "none");
}

static void ends(const char *path, const char *line)
{
	ok_int(find(path), -ENOENT);
	ok(why.bytes != NULL && strcmp(why.bytes, line) == 0);
	if (tap_bad)
		fprintf(stderr, "# %s: %s\n", path,
			why.bytes ? why.bytes : "nothing");
}

static void a_path_leads_to_value_and_source(void)
{
	leads("node_manifest.slice.packages[0].name", "\"a\"", "package.json");
	leads("node_manifest.packages[0].name", "\"a\"", "package.json");
	leads("probes.node_manifest.slice.packages[0].name", "\"a\"",
	      "package.json");
	leads("/probes/node_manifest/slice/packages/0/name", "\"a\"",
	      "package.json");
	leads("node_manifest.packages[0].dependencies[0].name", "\"x\"",
	      "other.json");
	leads("node_manifest.packages[0].dependencies[1].name", "\"y\"",
	      "package.json");
	leads("node_manifest.packages[1].name", "\"b\"", NULL);
	leads("node_manifest.warnings[0].code", "\"bom\"", "w.json");
	leads("node_manifest.lockfiles", "[]", NULL);
	leads("version", "\"1.0\"", NULL);
	leads("repo.files", "2", NULL);
	leads("ci.slice", "null", NULL);
	leads("/probes/node_manifest/slice/a~1b/~0", "7", NULL);
	leads("/probes/node_manifest/slice/odd.name", "1", NULL);
}

static void it_names_the_probe(void)
{
	ok_int(find("node_manifest.packages[0]"), 0);
	ok(strcmp(found.probe.bytes, "node_manifest") == 0);
	ok(json_is_text(json_find(found.output, "confidence"), "high"));
	ok_int(find("/probes/ci"), 0);
	ok(strcmp(found.probe.bytes, "ci") == 0);
	ok_int(find("repo"), 0);
	ok(found.output == NULL && found.probe.bytes == NULL);
	ok_int(find("probes"), 0);
	ok(found.output == NULL);
}

static void it_says_where_the_way_ends_and_what_is_there(void)
{
	ends("nope", "the context has no 'nope'; it has ci, node_manifest");
	ends("node_manifest.pakages",
	     "node_manifest has no 'pakages'; it has probe, confidence, "
	     "warnings, slice");
	ends("node_manifest.slice.pakages[1]",
	     "node_manifest.slice has no 'pakages'; it has packages, "
	     "lockfiles, a/b, odd.name");
	ends("node_manifest.packages[2]",
	     "node_manifest.packages is a list with items [0] to [1], no 2");
	ends("node_manifest.packages.name",
	     "node_manifest.packages is a list with items [0] to [1], no name");
	ends("node_manifest.lockfiles[0]",
	     "node_manifest.lockfiles is an empty list");
	ends("version.x", "version is a string, which has nothing below it");
	ends("ci.slice.x", "ci.slice is null, which has nothing below it");
	ends("/probes/ci/slice/0", "/probes/ci/slice is null, which has "
				   "nothing below it");
	ends("/ci", "the context has no 'ci'; it has version, repo, probes");
	ends("/probes/node_manifest/packages",
	     "/probes/node_manifest has no 'packages'; it has probe, "
	     "confidence, warnings, slice");
	ends("node_manifest.packages[0][0]",
	     "node_manifest.packages[0] has no '0'; it has name, source, "
	     "dependencies");
}

static void what_is_no_path_is_refused(void)
{
	static const char *const paths[] = {
		"",
		".",
		"a.",
		".a",
		"a..b",
		"a[",
		"a[]",
		"a[x]",
		"a[-1]",
		"a[1",
		"a]",
		"a[01]",
		"a[9999999999]",
		"a[1]b",
		"[0]",
		"/a~",
		"/a~2",
		"a[1]]",
		"a[1][",
	};
	owned_buf struct buf longest = { 0 };

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		ok_int(find(paths[i]), -EINVAL);
		ok_has(why.bytes, "is not a path");
		if (tap_bad)
			fprintf(stderr, "# '%s'\n", paths[i]);
	}
	for (int i = 0; i < 70; i++)
		buf_text(&longest, "/a");
	ok_int(find(longest.bytes), -EINVAL);
	ok(why.len < 300);
	for (int i = 0; i < 5000; i++)
		buf_char(&longest, 'a');
	ok_int(find(longest.bytes), -EINVAL);
	ok_int(find("a\n\x1b(31m"), -ENOENT);
	ok(strchr(why.bytes, '\n') == NULL && strchr(why.bytes, 27) == NULL);
}

int main(void)
{
	struct json_error e;
	int r;

	if (json_parse(document, sizeof document - 1, NULL, &arena, &context,
		       &e) < 0)
		return 99;
	r = tap_run((struct tap_case[]){
		CASE(a_path_leads_to_value_and_source),
		CASE(it_names_the_probe),
		CASE(it_says_where_the_way_ends_and_what_is_there),
		CASE(what_is_no_path_is_refused), TAP_END });
	buf_done(&why);
	arena_done(&arena);
	return r;
}
