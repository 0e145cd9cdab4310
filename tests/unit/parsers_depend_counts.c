/* parsers_depend_counts.c -- the probe dependencies: which files its ecosystems
 * count, and which one is the primary one. */
#include <stdlib.h>

#include "probe_files.h"

#define EMPTY_LOCK "{\"lockfileVersion\":3,\"packages\":{\"\":{}}}"

#define ECOSYSTEM(name, manifests, lockfiles, dependencies)                    \
	"{\"name\":\"" name "\",\"manifests\":" #manifests                     \
	",\"lockfiles\":" #lockfiles ",\"dependencies\":" #dependencies        \
	",\"packages\":0}"

struct counted {
	struct probe_file files[4];
	const char *primary, *ecosystems; /* as JSON */
};

static void counts_hold(const struct counted *rows, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char *o = probe_files("dependencies", dependencies_run,
				      rows[i].files);

		ok_json(o, "/slice/primary", rows[i].primary);
		ok_json(o, "/slice/ecosystems", rows[i].ecosystems);
		free(o);
	}
}
#define ALL_HOLD(rows) counts_hold(rows, sizeof(rows) / sizeof *(rows))

static void a_manifest_counts_without_dependencies(void)
{
	static const struct counted rows[] = {
		{ { F("package.json", "{\"scripts\":{\"test\":\"node t\"}}") },
		  "\"npm\"",
		  "[" ECOSYSTEM("npm", 1, 0, 0) "]" },
		{ { F("package.json", "{\"workspaces\":[\"p/*\"]}"),
		    F("p/a/package.json", "{\"dependencies\":{\"x\":\"1\"}}"),
		    F("p/b/package.json", "{}") },
		  "\"npm\"",
		  "[" ECOSYSTEM("npm", 3, 0, 1) "]" },
		{ { F("go.mod", "module m.example/x\n") },
		  "\"golang\"",
		  "[" ECOSYSTEM("golang", 1, 0, 0) "]" },
		{ { F("Cargo.toml", "[package]\nname='x'\n") },
		  "\"cargo\"",
		  "[" ECOSYSTEM("cargo", 1, 0, 0) "]" },
		{ { F("pyproject.toml", "[project]\nname='x'\n") },
		  "\"pypi\"",
		  "[" ECOSYSTEM("pypi", 1, 0, 0) "]" },
		{ { F("setup.cfg", "[metadata]\nname = x\n"),
		    F("setup.py", "setup()\n") },
		  "\"pypi\"",
		  "[" ECOSYSTEM("pypi", 2, 0, 0) "]" },
	};

	ALL_HOLD(rows);
}

/* What pins or configures something, and what is not the project's own, does not
 * say which package manager the project has. */
static void other_files_without_dependencies_do_not_count(void)
{
	static const struct counted rows[] = {
		{ { F(".npmrc", "registry=https://r.example\n"),
		    F("go.sum", ""), F("package-lock.json", EMPTY_LOCK) },
		  "null",
		  "[]" },
		{ { F("pyproject.toml", "[tool.ruff]\nline-length = 80\n"),
		    F("setup.cfg", "[flake8]\nmax-line-length = 80\n") },
		  "null",
		  "[]" },
		{ { F("tests/fixtures/x/package.json", "{\"name\":\"x\"}") },
		  "null",
		  "[]" },
	};

	ALL_HOLD(rows);
}

static void of_two_at_the_top_the_one_that_declares_most_is_primary(void)
{
	static const struct counted rows[] = {
		{ { F("package.json", "{\"name\":\"x\"}"),
		    F("pyproject.toml", "[project]\ndependencies=['a']\n") },
		  "\"pypi\"",
		  "[" ECOSYSTEM("npm", 1, 0, 0) "," ECOSYSTEM("pypi", 1, 0,
							      1) "]" },
		{ { F("package.json", "{\"name\":\"x\"}"),
		    F("tool/pyproject.toml", "[project]\ndependencies=['a']") },
		  "\"npm\"",
		  "[" ECOSYSTEM("npm", 1, 0, 0) "," ECOSYSTEM("pypi", 1, 0,
							      1) "]" },
	};

	ALL_HOLD(rows);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_manifest_counts_without_dependencies),
		CASE(other_files_without_dependencies_do_not_count),
		CASE(of_two_at_the_top_the_one_that_declares_most_is_primary),
		TAP_END,
	});
}
