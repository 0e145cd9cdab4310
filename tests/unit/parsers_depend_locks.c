/* parsers_depend_locks.c -- the probe dependencies: which of several versions of a
 * package a lockfile of npm and its kin means for a declaration. */
#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"dependencies", dependencies_run,                              \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

/* Of processor time.  With a sanitizer it takes up to five times as long. */
#ifdef __SANITIZE_ADDRESS__
#define BOUND (10 * CLOCKS_PER_SEC)
#else
#define BOUND (2 * CLOCKS_PER_SEC)
#endif

#define ASKS(t)     "{\"dependencies\":{" t "}}"
#define ASKS_ONE(r) ASKS("\"a\":\"" r "\"")
#define NPM_LOCK(t) "{\"lockfileVersion\":3,\"packages\":{\"\":{}," t "}}"
#define AT(path, v) "\"" path "\":{\"version\":\"" v "\"}"
#define TOP(t)      "node_modules/" t

/* The version of a that the file asks for; NULL: it is not known. */
static void gets(const char *o, const char *source, const char *version)
{
	char want[256];

	(void)snprintf(want, sizeof want,
		       "{\"name\":\"a\",\"source\":\"%s\",\"resolved\":%s%s%s}",
		       source, version != NULL ? "\"" : "",
		       version != NULL ? version : "null",
		       version != NULL ? "\"" : "");
	ok_json(o, "/slice/dependencies/ANY", want);
}

/* --- npm: directories ------------------------------------------------------------ */

static void node_modules_are_looked_at_from_the_package_upward(void)
{
	char *o = PROBE(
		F("package.json", "{\"workspaces\":[\"packages/**\"],"
				  "\"dependencies\":{\"a\":\"^2\"}}"),
		F("packages/p/package.json", ASKS_ONE("^1.0.0")),
		F("packages/pp/package.json", ASKS_ONE("^2")),
		F("packages/q/r/s/package.json", ASKS_ONE("^3")),
		F("package-lock.json",
		  NPM_LOCK(AT("packages/p/node_modules/a", "1.5.0") "," AT(
			  "packages/q/node_modules/a",
			  "3.1.0") "," AT("packages/q/r/s/node_modules/b",
					  "1.0.0") "," AT("packages/p/"
							  "node_modules/b/"
							  "node_modules/a",
							  "7.0.0") "," AT(TOP("a"),
									  "2.1."
									  "0"))));

	gets(o, "package.json", "2.1.0");
	gets(o, "packages/p/package.json", "1.5.0");
	gets(o, "packages/pp/package.json", "2.1.0");
	gets(o, "packages/q/r/s/package.json", "3.1.0");
	ok_json(o, "", "{\"errors\":[],\"warnings\":[]}");
	free(o);
}

static void a_lockfile_below_the_root_has_paths_of_its_own(void)
{
	char *o =
		PROBE(F("web/package.json", "{\"workspaces\":[\"p\"],"
					    "\"dependencies\":{\"a\":\"^2\"}}"),
		      F("web/p/package.json", ASKS_ONE("^1")),
		      F("web/package-lock.json",
			NPM_LOCK(AT("p/node_modules/a",
				    "1.5.0") "," AT(TOP("a"), "2.1.0"))));

	gets(o, "web/package.json", "2.1.0");
	gets(o, "web/p/package.json", "1.5.0");
	free(o);
}

static void a_package_has_the_name_of_its_directory(void)
{
	char *o = PROBE(F("package.json",
			  "{\"workspaces\":[\"p\"],\"dependencies\":{"
			  "\"x\":\"npm:a@^1\",\"y\":\"npm:a@^2\"}}"),
			F("p/package.json", ASKS("\"x\":\"npm:a@^3\"")),
			F("package-lock.json",
			  NPM_LOCK("\"node_modules/x\":{\"name\":\"a\","
				   "\"version\":\"1.2.0\"},"
				   "\"node_modules/y\":{\"name\":\"a\","
				   "\"version\":\"2.2.0\"},"
				   "\"p/node_modules/x\":{\"name\":\"a\","
				   "\"version\":\"3.2.0\"}")));

	ok_json(o, "/slice/dependencies/ANY",
		"{\"name\":\"a\",\"constraint\":\"^1\","
		"\"resolved\":\"1.2.0\"}");
	ok_json(o, "/slice/dependencies/ANY",
		"{\"name\":\"a\",\"constraint\":\"^2\","
		"\"resolved\":\"2.2.0\"}");
	gets(o, "p/package.json", "3.2.0");
	free(o);
}

/* What is linked has the version that its own package.json says, and not that of
 * a package of the same name. */
static void a_link_is_no_version(void)
{
	char *o = PROBE(
		F("package.json", "{\"workspaces\":[\"p\",\"q\"]}"),
		F("p/package.json", "{\"name\":\"a\"}"),
		F("q/package.json", ASKS_ONE("^1")),
		F("package-lock.json",
		  NPM_LOCK("\"node_modules/a\":{\"resolved\":\"p\","
			   "\"link\":true}," AT("node_modules/b/node_modules/a",
						"9.0.0"))));

	gets(o, "q/package.json", NULL);
	free(o);
}

/* --- large ones -------------------------------------------------------------------- */

/* A package.json that lies deep asks for many names, and the lockfile has packages
 * in each directory above it. */
static void many_names_and_directories_are_fast(void)
{
	struct buf dir = { 0 }, lock = { 0 }, asks = { 0 };
	char name[512], *o;
	clock_t begin;

	buf_text(&lock, "{\"lockfileVersion\":3,\"packages\":{\"\":{}");
	for (unsigned deep = 0; deep < 100; deep++) {
		for (unsigned i = 0; i < 500; i++)
			buf_format(
				&lock,
				",\"%snode_modules/n%u\":{\"version\":\"%u\"}",
				dir.len > 0 ? dir.bytes : "", 2 * i, deep);
		buf_text(&dir, "dd/");
	}
	buf_text(&lock, "}}");
	buf_text(&asks, "{\"dependencies\":{\"n0\":\"*\"");
	for (unsigned i = 1; i < 50000; i++)
		buf_format(&asks, ",\"n%u\":\"*\"", 2 * i + 1);
	buf_text(&asks, "}}");
	(void)snprintf(name, sizeof name, "%spackage.json", dir.bytes);
	begin = clock();
	o = PROBE(F(name, asks.bytes), F("package-lock.json", lock.bytes));
	ok(clock() - begin < BOUND);
	ok_json(o, "/slice/dependencies/ANY",
		"{\"name\":\"n0\",\"resolved\":\"99\"}");
	free(o);
	buf_done(&dir);
	buf_done(&lock);
	buf_done(&asks);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(node_modules_are_looked_at_from_the_package_upward),
		CASE(a_lockfile_below_the_root_has_paths_of_its_own),
		CASE(a_package_has_the_name_of_its_directory),
		CASE(a_link_is_no_version),
		CASE(many_names_and_directories_are_fast),
		TAP_END,
	});
}
