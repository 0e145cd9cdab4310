/* parsers_depend_locks.c -- the probe dependencies: which of several versions of a
 * package a lockfile of npm and its kin means for a declaration. */
#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "parsers/node/node.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"dependencies", dependencies_run,                              \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

#define ASKS(t)        "{\"dependencies\":{" t "}}"
#define ASKS_ONE(r)    ASKS("\"a\":\"" r "\"")
#define NPM_LOCK(t)    "{\"lockfileVersion\":3,\"packages\":{\"\":{}," t "}}"
#define AT(path, v)    "\"" path "\":{\"version\":\"" v "\"}"
#define TOP(t)         "node_modules/" t
#define HEAD(t, v)     t ":\n  version \"" v "\"\n"
#define BERRY(t, v, r) "\"" t "\":\n  version: " v "\n  resolution: \"" r "\"\n"

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

/* --- yarn: "name@constraint" ------------------------------------------------------ */

static void yarn_1_has_a_version_for_each_constraint(void)
{
	char *o =
		PROBE(F("package.json", "{\"workspaces\":[\"p\",\"q\",\"r\"],"
					"\"dependencies\":{\"a\":\"^8.7.1\"}}"),
		      F("p/package.json", ASKS_ONE("^7.0.0")),
		      F("q/package.json", ASKS("\"x\":\"npm:a@^6\"")),
		      F("r/package.json", ASKS_ONE("^5")),
		      F("yarn.lock",
			"# yarn lockfile v1\n" HEAD("a@^7.0.0", "7.4.1")
				HEAD("a@^8.2.4, a@^8.7.1", "8.7.1")
					HEAD("\"x@npm:a@^6\"", "6.1.0")));

	gets(o, "package.json", "8.7.1");
	gets(o, "p/package.json", "7.4.1");
	gets(o, "q/package.json", "6.1.0");
	gets(o, "r/package.json", NULL); /* not in the lockfile */
	ok_json(o, "/errors", "[]");
	free(o);
}

static void yarn_2_has_a_protocol_in_each_constraint(void)
{
	char *o = PROBE(
		F("package.json", "{\"workspaces\":[\"p\",\"q\",\"r\",\"s\"],"
				  "\"dependencies\":{\"a\":\"^8.7.1\"}}"),
		F("p/package.json", ASKS_ONE("npm:^7")),
		F("q/package.json", ASKS("\"x\":\"npm:a@^6\"")),
		F("r/package.json", ASKS_ONE("workspace:*")),
		F("s/package.json", ASKS_ONE("^5")),
		F("yarn.lock",
		  "__metadata:\n  version: 8\n" BERRY(
			  "a@npm:^8.2.4, a@npm:^8.7.1", "8.7.1", "a@npm:8.7.1")
			  BERRY("a@npm:^7", "7.4.1", "a@npm:7.4.1") BERRY(
				  "x@npm:a@^6", "6.1.0", "a@npm:6.1.0")
				  BERRY("a@npm:^5::__archiveUrl=u", "5.1.0",
					"a@npm:5.1.0")
					  BERRY("a@workspace:*, a@workspace:t",
						"0.0.0-use.local",
						"a@workspace:t")));

	gets(o, "package.json", "8.7.1");
	gets(o, "p/package.json", "7.4.1");
	gets(o, "q/package.json", "6.1.0");
	gets(o, "r/package.json", NULL); /* a directory of the repository */
	gets(o, "s/package.json", "5.1.0");
	free(o);
}

/* yarn reads only one of them, and it is not said which. */
static void a_constraint_that_is_there_twice_says_nothing(void)
{
	static const char *const versions[] = { "7.4.1", "8.7.1" };

	for (size_t i = 0; i < 2; i++) {
		struct buf lock = { 0 };
		char *o;

		buf_format(&lock,
			   "# yarn lockfile v1\n" HEAD("a@^8", "8.7.1")
				   HEAD("a@^8", "%s") HEAD("a@^1", "1.0.0"),
			   versions[i]);
		o = PROBE(F("package.json", ASKS_ONE("^8")),
			  F("yarn.lock", lock.bytes));
		gets(o, "package.json", i > 0 ? "8.7.1" : NULL);
		ok_json(o, "/warnings/ANY", "{\"code\":\"duplicate_name\"}");
		free(o);
		buf_done(&lock);
	}
}

/* --- pnpm: importers --------------------------------------------------------------- */

/* What a package.json gets where pnpm-lock.yaml says this version for it. */
static void importer_holds(const char *lock_version, const char *said,
			   const char *version)
{
	const bool is_5 = lock_version[0] == '5';
	const char *slash = is_5 ? "/" : "@";
	struct buf lock = { 0 };
	char *o;

	buf_format(&lock,
		   "lockfileVersion: '%s'\nimporters:\n"
		   "  .:\n    dependencies:\n",
		   lock_version);
	if (is_5)
		buf_format(&lock,
			   "      a: 9.9.9\n  w/p:\n"
			   "    devDependencies:\n      a: %s\n",
			   said);
	else
		buf_format(&lock,
			   "      a: {specifier: ^9, version: 9.9.9}\n  w/p:\n"
			   "    devDependencies:\n      a:\n"
			   "        specifier: ^1\n        version: %s\n",
			   said);
	buf_format(&lock,
		   "packages:\n"
		   "  /a%s1.0.0:\n    resolution: {integrity: sha512-AAAA}\n"
		   "  /a%s9.9.9:\n    resolution: {integrity: sha512-BBBB}\n",
		   slash, slash);
	o = PROBE(F("package.json", ASKS_ONE("^9")),
		  F("pnpm-workspace.yaml", "packages:\n- w/*\n"),
		  F("w/p/package.json", "{\"devDependencies\":{\"a\":\"^1\"}}"),
		  F("w/q/package.json", "{\"peerDependencies\":{\"a\":\"*\"}}"),
		  F("pnpm-lock.yaml", lock.bytes));
	gets(o, "package.json", "9.9.9");
	gets(o, "w/p/package.json", version);
	gets(o, "w/q/package.json", NULL); /* the lockfile does not say it */
	ok_json(o, "/errors", "[]");
	free(o);
	buf_done(&lock);
}

static void pnpm_has_a_version_for_each_importer(void)
{
	importer_holds("9.0", "1.0.0", "1.0.0");
	importer_holds("9.0", "1.0.0(b@2.0.0)(c@3.0.0(d@4.0.0))", "1.0.0");
	importer_holds("9.0", "1.0.0-rc.1+x", "1.0.0-rc.1+x");
	importer_holds("9.0", "'@s/other@1.0.0(b@2.0.0)'", "1.0.0");
	importer_holds("9.0", "7zip@1.0.0", "1.0.0");
	importer_holds("9.0", "link:../q", NULL);
	importer_holds("9.0", "file:../q(b@2.0.0)", NULL);
	importer_holds("9.0", "https://h.example/a.tgz", NULL);
	importer_holds("9.0", "''", NULL);
	importer_holds("6.0", "1.0.0(b@2.0.0)", "1.0.0");
	importer_holds("6.0", "1.0.0_b@2.0.0", "1.0.0");
	importer_holds("6.0", "/other@1.0.0(b@2.0.0)", "1.0.0");
	importer_holds("5.4", "1.0.0", "1.0.0");
	importer_holds("5.4", "1.0.0_b@2.0.0+c@3.0.0", "1.0.0");
	importer_holds("5.4", "/@s/other/1.0.0_b@2.0.0", "1.0.0");
	importer_holds("5.4", "link:../q", NULL);
	importer_holds("5.4", "github.com/o/r/0123abc", NULL);
}

static void pnpm_has_one_project_at_the_top(void)
{
	static const char packages[] =
		"packages:\n"
		"  /a@1.0.0:\n    resolution: {integrity: sha512-AAAA}\n"
		"  /a@9.9.9:\n    resolution: {integrity: sha512-BBBB}\n";
	char lock[512], *o;

	(void)snprintf(lock, sizeof lock,
		       "lockfileVersion: '6.0'\noptionalDependencies:\n  a:\n"
		       "    specifier: ^1\n    version: 1.0.0(b@2.0.0)\n%s",
		       packages);
	o = PROBE(
		F("package.json", "{\"optionalDependencies\":{\"a\":\"^1\"}}"),
		F("pnpm-lock.yaml", lock));
	gets(o, "package.json", "1.0.0");
	free(o);
}

/* --- large ones -------------------------------------------------------------------- */

/* Each lockfile has half of the room that the ones before it left. */
static void what_has_no_room_is_told(void)
{
	const unsigned room = NODE_CHOICES_MAX / 2;

	for (unsigned more = 0; more < 2; more++) {
		struct buf lock = { 0 };
		char *o;

		buf_text(&lock, "# yarn lockfile v1\n" HEAD("a@*", "1.0.0"));
		for (unsigned i = 2; i < room + more; i++)
			buf_format(&lock, "a@%u, ", i);
		buf_text(&lock, HEAD("a@^8", "8.7.1"));
		o = PROBE(F("package.json", ASKS_ONE("*")),
			  F("yarn.lock", lock.bytes),
			  F("z/package.json", ASKS_ONE("^2")),
			  F("z/yarn.lock",
			    "# yarn lockfile v1\n" HEAD("a@^1", "1.0.0")
				    HEAD("a@^2", "2.0.0")));
		gets(o, "package.json", "1.0.0");
		gets(o, "z/package.json", "2.0.0");
		ok_int(json_count(o, "/warnings/ANY",
				  "{\"code\":\"truncated\","
				  "\"source\":\"yarn.lock\"}"),
		       more > 0);
		free(o);
		buf_done(&lock);
	}
}

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
	tap_time(clock() - begin, PROBE_BOUND);
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
		CASE(yarn_1_has_a_version_for_each_constraint),
		CASE(yarn_2_has_a_protocol_in_each_constraint),
		CASE(a_constraint_that_is_there_twice_says_nothing),
		CASE(pnpm_has_a_version_for_each_importer),
		CASE(pnpm_has_one_project_at_the_top),
		CASE(what_has_no_room_is_told),
		CASE(many_names_and_directories_are_fast),
		TAP_END,
	});
}
