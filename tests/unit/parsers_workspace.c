/* parsers_workspace.c -- node_build_system: workspaces, monorepo tools. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"node_build_system", node_build_system_run,                    \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

static void workspaces_of_package_managers(void)
{
	char *o = PROBE({ "p/a/package.json", "{}" },
			{ "p/b/package.json", "{}" },
			{ "package.json", "{\"workspaces\":[\"p/*\",\"!p/b\","
					  "\"p/b\"]}" },
			{ "q/package.json", "{}" });

	ok_json(o, "/slice/workspaces",
		"{\"kind\":\"npm\",\"globs\":[\"p/*\",\"!p/b\",\"p/b\"],"
		"\"packages\":[\"p/a\",\"p/b\"],\"source\":\"package.json\","
		"\"others\":[]}");
	free(o);
	o = PROBE({ "p/a/package.json", "{}" }, { "p/b/package.json", "{}" },
		  { "package.json", "{\"workspaces\":[\"x\"]}" },
		  { "pnpm-workspace.yaml",
		    "packages:\n- '!p/b'\n- ./p/**\n- '.'\n" });
	ok_json(o, "/slice/workspaces",
		"{\"kind\":\"pnpm\",\"globs\":[\"!p/b\",\"./p/**\",\".\"],"
		"\"packages\":[\"p/a\",\".\"],"
		"\"source\":\"pnpm-workspace.yaml\","
		"\"others\":[{\"kind\":\"npm\",\"globs\":[\"x\"]}]}");
	ok_json(o, "/slice/monorepo_tools/ANY",
		"{\"name\":\"pnpm\",\"version\":null,\"evidence\":\"config\","
		"\"source\":\"pnpm-workspace.yaml\"}");
	free(o);
	o = PROBE({ "package.json", "{\"workspaces\":{\"packages\":[\"p/*/\"]},"
				    "\"packageManager\":\"yarn@4.0.0\"}" },
		  { "p/a/package.json", "{}" });
	ok_json(o, "/slice/workspaces",
		"{\"kind\":\"yarn\",\"globs\":[\"p/*/\"],"
		"\"packages\":[\"p/a\"]}");
	free(o);
	o = PROBE({ "p/a/package.json", "{}" },
		  { "package.json", "{\"workspaces\":[\"p/*\"],"
				    "\"packageManager\":\"yarn@1.22.0\"}" },
		  { "pnpm-workspace.yaml", "packages: [q]\n" });
	ok_json(o, "/slice/workspaces",
		"{\"kind\":\"yarn\",\"globs\":[\"p/*\"]}");
	ok_json(o, "/slice/workspaces/others/ANY",
		"{\"kind\":\"pnpm\",\"globs\":[\"q\"]}");
	free(o);
}

static void workspaces_of_lerna_and_rush(void)
{
	char *o = PROBE({ "lerna.json", "{\"packages\":[\"m/*\"],"
					"\"version\":\"1.0.0\"}" },
			{ "m/a/package.json", "{}" }, { "package.json", "{}" });
	ok_json(o, "/slice/workspaces",
		"{\"kind\":\"lerna\",\"globs\":[\"m/*\"],"
		"\"packages\":[\"m/a\"],\"source\":\"lerna.json\"}");
	ok_json(o, "/slice/monorepo_tools/ANY",
		"{\"name\":\"lerna\",\"version\":null,"
		"\"evidence\":\"config\",\"source\":\"lerna.json\"}");
	free(o);
	o = PROBE(
		{ "apps/a/package.json", "{}" },
		{ "rush.json",
		  "{ // x\n\"rushVersion\":\"5.1.0\",\"pnpmVersion\":\"7.0.0\","
		  "\"nodeSupportedVersionRange\":\">=12\","
		  "\"projects\":[{\"projectFolder\":"
		  "\"apps/a\"},{}],}" });
	ok_json(o, "/slice/workspaces",
		"{\"kind\":\"rush\",\"globs\":[],\"packages\":[\"apps/a\"],"
		"\"source\":\"rush.json\"}");
	ok_json(o, "/slice/monorepo_tools/ANY",
		"{\"name\":\"rush\",\"version\":\"5.1.0\"}");
	ok_json(o, "/slice/package_manager",
		"{\"name\":\"pnpm\",\"version\":\"7.0.0\"}");
	ok_json(o, "/slice/node_constraints/ANY",
		"{\"constraint\":\">=12\",\"kind\":\"engines\","
		"\"field\":\"rush.nodeSupportedVersionRange\"}");
	free(o);
}

static void a_project_may_lie_below_the_root(void)
{
	char *o = PROBE(
		{ "docs/.nvmrc", "18\n" }, { "web/app/p/a/package.json", "{}" },
		{ "web/package.json", "{\"workspaces\":[\"p/*\"]}" },
		{ "web/p/a/package.json", "{}" }, { "web/yarn.lock", NULL });

	ok_json(o, "/slice/package_manager/name", "\"yarn\"");
	ok_json(o, "/slice/workspaces/packages", "[\"web/p/a\"]");
	free(o);
}

static void globs_that_lead_out_are_told(void)
{
	char *o = PROBE({ "package.json", "{\"workspaces\":[\"../x\","
					  "\"a/!(b)\",7]}" },
			{ "pnpm-workspace.yaml", "packages: 5\n" });

	ok_json(o, "/warnings/ANY/code", "\"workspace_outside\"");
	ok_json(o, "/warnings/ANY/code", "\"workspace_glob\"");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"bad_workspaces\","
		"\"source\":\"pnpm-workspace.yaml\"}");
	free(o);
}

static void monorepo_tools_by_file_or_dependency(void)
{
	char *o = PROBE(
		{ ".bazelversion", "7.1.0\n" }, { ".moon/workspace.yml", NULL },
		{ "MODULE.bazel", NULL }, { "nx.json", NULL },
		{ "package.json", "{\"devDependencies\":{\"nx\":\"17.0.0\","
				  "\"turbo\":\"^2\"}}" },
		{ "sub/lerna.json", "{}" });

	ok_json(o, "/slice/monorepo_tools",
		"[{\"name\":\"nx\",\"version\":\"17.0.0\","
		"\"evidence\":\"config\",\"source\":\"nx.json\"},"
		"{\"name\":\"turbo\",\"version\":\"^2\","
		"\"evidence\":\"dependency\",\"source\":\"package.json\"},"
		"{\"name\":\"moon\",\"version\":null,\"evidence\":\"config\","
		"\"source\":\".moon/workspace.yml\"},{\"name\":\"bazel\","
		"\"version\":\"7.1.0\",\"evidence\":\"config\","
		"\"source\":\"MODULE.bazel\"}]");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(workspaces_of_package_managers),
		CASE(workspaces_of_lerna_and_rush),
		CASE(a_project_may_lie_below_the_root),
		CASE(globs_that_lead_out_are_told),
		CASE(monorepo_tools_by_file_or_dependency), TAP_END });
}
