/* parsers_typescript.c -- node_build_system's tsconfig files, and its caps. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"node_build_system", node_build_system_run,                    \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

static void options_say_which_file_they_come_from(void)
{
	char *o = PROBE(
		{ "cfg/base.json", "{\"extends\":\"./deep\","
				   "\"compilerOptions\":{\"strict\":false,"
				   "\"target\":\"ES2020\"}}" },
		{ "cfg/deep.json",
		  "{\"compilerOptions\":{\"target\":\"ES5\",\"a\":1.50}}" },
		{ "tsconfig.json",
		  "{ // comment\n\"extends\": \"./cfg/base\",\n"
		  "\"compilerOptions\": { \"strict\": true,"
		  "\"lib\":[\"dom\"],\"paths\":{\"@/token\":[\"x\"]},},\n"
		  "\"references\":[{\"path\":\"./p\"},{}] }" });

	ok_json(o, "/slice/typescript",
		"[{\"path\":\"tsconfig.json\",\"extends\":\"./cfg/base\","
		"\"chain\":[\"cfg/base.json\",\"cfg/deep.json\"],"
		"\"options\":[{\"name\":\"a\",\"value\":1.50,"
		"\"source\":\"cfg/deep.json\"},{\"name\":\"lib\","
		"\"value\":[\"dom\"],\"source\":\"tsconfig.json\"},"
		"{\"name\":\"paths\","
		"\"value\":\"{\\\"@/token\\\":[\\\"x\\\"]}\","
		"\"encoding\":\"json\",\"source\":\"tsconfig.json\"},"
		"{\"name\":\"strict\",\"value\":true,"
		"\"source\":\"tsconfig.json\"},{\"name\":\"target\","
		"\"value\":\"ES2020\",\"source\":\"cfg/base.json\"}],"
		"\"references\":[\"./p\"],\"source\":\"tsconfig.json\"}]");
	ok_json(o, "/warnings", "[]");
	free(o);
}

static void later_bases_win(void)
{
	char *o = PROBE(
		{ "a.tsconfig.json",
		  "{\"compilerOptions\":{\"x\":\"a\",\"y\":\"a\"}}" },
		{ "b.tsconfig.json", "{\"compilerOptions\":{\"x\":\"b\"}}" },
		{ "tsconfig.app.json", "{\"extends\":[\"./a.tsconfig.json\","
				       "\"./b.tsconfig\"]}" });

	ok_json(o, "/slice/typescript/ANY",
		"{\"path\":\"tsconfig.app.json\","
		"\"extends\":[\"./a.tsconfig.json\",\"./b.tsconfig\"]}");
	ok_json(o, "/slice/typescript/ANY/options/ANY",
		"{\"name\":\"x\",\"value\":\"b\","
		"\"source\":\"b.tsconfig.json\"}");
	ok_json(o, "/slice/typescript/ANY/options/ANY",
		"{\"name\":\"y\",\"value\":\"a\","
		"\"source\":\"a.tsconfig.json\"}");
	ok_no_json(o, "{\"path\":\"a.tsconfig.json\"}");
	free(o);
}

static void what_leads_out_is_a_warning(void)
{
	static const struct {
		const char *extends, *code;
	} rows[] = {
		{ "@tsconfig/node18/tsconfig.json", "extends_package" },
		{ "pkg", "extends_package" },
		{ "../../x.json", "extends_outside" },
		{ "./a/../../../x", "extends_outside" },
		{ "/etc/passwd", "extends_outside" },
		{ "C:/x.json", "extends_outside" },
		{ "./gone", "extends_not_found" },
		{ "./tsconfig", "extends_circular" },
		{ "", "bad_extends" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[128], want[128], *o;

		(void)snprintf(text, sizeof text,
			       "{\"extends\":\"%s\",\"compilerOptions\":"
			       "{\"a\":1}}",
			       rows[i].extends);
		(void)snprintf(
			want, sizeof want,
			"{\"code\":\"%s\",\"source\":\"p/tsconfig.json\","
			"\"offset\":11",
			rows[i].code);
		o = PROBE({ "p/tsconfig.json", text });
		ok_has(o, want);
		(void)snprintf(want, sizeof want, "\"extends\":\"%s\"",
			       rows[i].extends);
		ok_has(o, want);
		ok_json(o, "/slice/typescript/ANY/options/ANY/name", "\"a\"");
		free(o);
	}
}

static void a_workspace_is_a_package_one_can_extend(void)
{
	char *o = PROBE(
		{ "a/tsconfig.json", "{\"extends\":\"@r/ts/base.json\"}" },
		{ "b/tsconfig.json", "{\"extends\":\"@r/ts\"}" },
		{ "c/tsconfig.json", "{\"extends\":\"@r/ts/../../x\"}" },
		{ "package.json", "{\"workspaces\":[\"p/*\"]}" },
		{ "p/ts/base.json", "{\"compilerOptions\":{\"base\":true}}" },
		{ "p/ts/package.json", "{\"name\":\"@r/ts\"}" },
		{ "p/ts/tsconfig.json",
		  "{\"compilerOptions\":{\"whole\":true}}" });

	ok_json(o, "/slice/typescript/ANY",
		"{\"path\":\"a/tsconfig.json\","
		"\"extends\":\"@r/ts/base.json\","
		"\"chain\":[\"p/ts/base.json\"],"
		"\"options\":[{\"name\":\"base\"}]}");
	ok_json(o, "/slice/typescript/ANY",
		"{\"path\":\"b/tsconfig.json\",\"extends\":\"@r/ts\","
		"\"chain\":[\"p/ts/tsconfig.json\"]}");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"extends_not_found\","
		"\"source\":\"c/tsconfig.json\"}");
	free(o);
}

static void four_deep_and_no_deeper(void)
{
	char *o = PROBE({ "1.json", "{\"extends\":\"./2\"}" },
			{ "2.json", "{\"extends\":\"./3\"}" },
			{ "3.json", "{\"extends\":\"./4\"}" },
			{ "4.json", "{\"compilerOptions\":{\"four\":1}}" },
			{ "tsconfig.json", "{\"extends\":\"./1\"}" });

	ok_json(o, "/slice/typescript/ANY/options/ANY",
		"{\"name\":\"four\",\"value\":1,\"source\":\"4.json\"}");
	ok_json(o, "/warnings", "[]");
	free(o);
	o = PROBE({ "1.json", "{\"extends\":\"./2\"}" },
		  { "2.json", "{\"extends\":\"./3\"}" },
		  { "3.json", "{\"extends\":\"./4\"}" },
		  { "4.json", "{\"extends\":\"./5\"}" },
		  { "5.json", "{\"compilerOptions\":{\"five\":1}}" },
		  { "tsconfig.json", "{\"extends\":\"./1\"}" });
	ok_no_json(o, "\"five\"");
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"extends_too_deep\",\"source\":\"4.json\"}");
	free(o);
}

static void a_circle_of_three_is_told(void)
{
	char *o = PROBE({ "a.json", "{\"extends\":\"./b\"}" },
			{ "b.json", "{\"extends\":\"./tsconfig\","
				    "\"compilerOptions\":{\"b\":1}}" },
			{ "tsconfig.json", "{\"extends\":\"./a\"}" });

	ok_json(o, "/warnings/ANY",
		"{\"code\":\"extends_circular\",\"source\":\"b.json\"}");
	ok_json(o, "/slice/typescript/ANY/options/ANY",
		"{\"name\":\"b\",\"value\":1,\"source\":\"b.json\"}");
	free(o);
}

/* Each of 60 files extends all the others, 4 deep: 60^4 ways. */
static void a_bomb_of_extends_is_cut(void)
{
	struct parse_input items[60];
	char names[60][32], *o;
	struct buf text = { 0 };

	buf_text(&text, "{\"compilerOptions\":{\"o\":1},\"extends\":[");
	for (int i = 0; i < 60; i++)
		buf_format(&text, "%s\"./tsconfig.%02d.json\"", i ? "," : "",
			   i);
	buf_text(&text, "]}");
	for (int i = 0; i < 60; i++) {
		(void)snprintf(names[i], sizeof names[i], "tsconfig.%02d.json",
			       i);
		items[i] = (struct parse_input){ names[i],   strlen(names[i]),
						 text.bytes, text.len,
						 false,      NULL };
	}
	o = probe_inputs("node_build_system", node_build_system_run,
			 &(struct parse_inputs){ items, 60 });
	ok_json(o, "/warnings/ANY/code", "\"extends_cut\"");
	ok_json(o, "/slice/typescript/ANY/path", "\"tsconfig.59.json\"");
	free(o);
	buf_done(&text);
}

static void large_lists_are_cut_and_said_so(void)
{
	owned_buf struct buf b = { 0 };
	char *o;

	buf_text(&b, "{\"name\":\"r\",\"scripts\":{\"s\":\"s\"");
	for (int i = 0; i < 40000; i++)
		buf_format(&b, ",\"script-number-%d\":\"node x %d\"", i, i);
	buf_text(&b, "}}");
	o = PROBE({ ".nvmrc", "18" }, { "package.json", b.bytes },
		  { "yarn.lock", NULL });
	ok_json(o, "/warnings/ANY",
		"{\"code\":\"truncated\",\"source\":null,"
		"\"message\":\"scripts: there are too many items, the rest is "
		"left out\"}");
	ok_json(o, "/slice/node_constraints/ANY/constraint", "\"18\"");
	ok_json(o, "/slice/scripts/ANY/name", "\"script-number-5\"");
	ok_no_json(o, "{\"name\":\"script-number-39999\"}");
	ok(strlen(o) < (1 << 20) + 4096);
	free(o);
}

static void odd_shapes_are_no_crash(void)
{
	char *o = PROBE(
		{ ".npmrc", "=\n\n==\nkey\n" }, { ".nvmrc", "" },
		{ ".tool-versions", "nodejs\n\t\n yarn \n" },
		{ ".yarnrc", "yarn-path\nyarn-path \"\n" },
		{ ".yarnrc.yml", "[unfinished" }, { "lerna.json", "[]" },
		{ "mise.toml", "[tools]\nnode\nnode=\n=\nnode={\n[tools" },
		{ "package.json",
		  "{\"packageManager\":7,\"engines\":[],\"volta\":\"\","
		  "\"devEngines\":{\"packageManager\":[[],1,{}],"
		  "\"runtime\":[null]},\"scripts\":[],\"workspaces\":\"x\","
		  "\"dependencies\":[\"vite\"],\"name\":{}}" },
		{ "pnpm-workspace.yaml", "- a\n" }, { "rush.json", "{" },
		{ "tsconfig.a.json",
		  "{\"extends\":[7,[],\"\"],\"compilerOptions\":[],"
		  "\"references\":{}}" },
		{ "tsconfig.json", "{\"extends\":{},\"compilerOptions\":{"
				   "\"x\":null,\"y\":[[1]]}}" });

	ok_json(o, "/warnings/ANY/code", "\"bad_package_manager\"");
	ok_json(o, "/warnings/ANY/code", "\"bad_scripts\"");
	ok_json(o, "/warnings/ANY/code", "\"bad_workspaces\"");
	ok_json(o, "/warnings/ANY/code", "\"bad_extends\"");
	ok_json(o, "/slice/typescript/ANY/options/ANY",
		"{\"name\":\"y\",\"value\":\"[[1]]\"}");
	ok_json(o, "/confidence", "\"low\"");
	free(o);
	o = PROBE({ "x", NULL });
	ok_json(o, "/slice",
		"{\"package_manager\":null,\"workspaces\":null,"
		"\"node_constraints\":[],\"scripts\":[],\"bundlers\":[],"
		"\"typescript\":[],\"monorepo_tools\":[]}");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(options_say_which_file_they_come_from),
		CASE(later_bases_win), CASE(what_leads_out_is_a_warning),
		CASE(a_workspace_is_a_package_one_can_extend),
		CASE(four_deep_and_no_deeper), CASE(a_circle_of_three_is_told),
		CASE(a_bomb_of_extends_is_cut),
		CASE(large_lists_are_cut_and_said_so),
		CASE(odd_shapes_are_no_crash), TAP_END });
}
