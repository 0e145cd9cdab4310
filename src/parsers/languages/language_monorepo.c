/* language_monorepo.c -- finds evidence at the root for several packages.
 *
 * TOML and go.work are looked at a line at a time: a table's head, a key, a
 * directive at the beginning of a line.  Nothing of them is resolved. */
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/languages/language.h"
#include "parsers/yaml/yaml.h"

#define TREE_BYTES ((size_t)56 << 20) /* of one file */

struct evidence {
	const char *file, *reason;
	bool (*holds)(const struct parse_input *in, struct parse_report *r);
	size_t packages_min; /* below the root, for it to hold */
};

/* "workspaces": [globs] or {"packages": [globs]} */
static bool has_workspaces(const struct parse_input *in, struct parse_report *r)
{
	struct arena arena = { 0 };
	struct json_value tree;
	const struct json_value *w = NULL;
	bool holds;

	if (parse_json(in, &arena, TREE_BYTES, &tree, r) == 0)
		w = json_find(&tree, "workspaces");
	if (w != NULL && w->type == JSON_OBJECT)
		w = json_find(w, "packages");
	holds = w != NULL && w->type == JSON_ARRAY && w->u.array.len > 0;
	arena_done(&arena);
	return holds;
}

/* The file may have only settings, or name only the root. */
static bool has_packages(const struct parse_input *in, struct parse_report *r)
{
	struct arena arena = { 0 };
	struct yaml_documents docs = { 0 };
	const struct yaml_node *p = NULL;
	bool holds = false;

	(void)yaml_read(in, NULL, &arena, &docs, r);
	if (docs.len > 0)
		p = yaml_find(docs.items[0], "packages");
	for (size_t i = 0; !holds && p != NULL && p->type == YAML_SEQUENCE &&
			   i < p->u.sequence.len;
	     i++) {
		struct json_text t = yaml_text(p->u.sequence.items[i], in, r);

		holds = t.len > 1 && t.bytes[0] != '!';
	}
	arena_done(&arena);
	return holds;
}

/* "key =" at the beginning of a line, with any white space between. */
static bool is_key(struct json_text line, const char *key)
{
	size_t i = strlen(key);

	if (!text_begins(line, key))
		return false;
	while (i < line.len && (line.bytes[i] == ' ' || line.bytes[i] == '\t'))
		i++;
	return i < line.len && line.bytes[i] == '=';
}

/* Whether the table (named with its brackets) has a key "members". */
static bool has_members(const struct parse_input *in, const char *table)
{
	struct lines lines = lines_of(in);
	struct json_text line;
	size_t offset;
	bool within = false;

	while (line_next(&lines, &line, &offset)) {
		line = text_trim(line);
		if (line.len > 0 && line.bytes[0] == '[')
			within = text_begins(line, table);
		else if (within && is_key(line, "members"))
			return true;
	}
	return false;
}

static bool has_crates(const struct parse_input *in, struct parse_report *r)
{
	(void)r;
	return has_members(in, "[workspace]");
}

static bool has_projects(const struct parse_input *in, struct parse_report *r)
{
	(void)r;
	return has_members(in, "[tool.uv.workspace]");
}

/* At least two modules: "use ./a" or lines between "use (" and ")". */
static bool has_modules(const struct parse_input *in, struct parse_report *r)
{
	struct lines lines = lines_of(in);
	struct json_text line;
	size_t offset;
	bool within = false, is_use;
	size_t modules = 0;

	(void)r;
	while (modules < 2 && line_next(&lines, &line, &offset)) {
		line = text_trim(line);
		is_use = text_begins(line, "use ") ||
			 text_begins(line, "use\t") ||
			 text_begins(line, "use(");
		if (line.len == 0 || text_begins(line, "//"))
			continue;
		if (within && line.bytes[0] == ')')
			within = false;
		else if (is_use && line.bytes[line.len - 1] == '(')
			within = true;
		else
			modules += within || is_use;
	}
	return modules >= 2;
}

static const struct evidence table[] = {
	{ "Cargo.toml", "cargo_workspace", has_crates, 0 },
	{ "go.work", "go_work", has_modules, 0 },
	{ "lerna.json", "lerna", NULL, 0 },
	{ "nx.json", "nx", NULL, 2 },
	{ "package.json", "workspaces", has_workspaces, 0 },
	{ "pnpm-workspace.yaml", "pnpm_workspace", has_packages, 0 },
	{ "pyproject.toml", "uv_workspace", has_projects, 0 },
	{ "rush.json", "rush", NULL, 0 },
	{ "turbo.json", "turbo", NULL, 2 },
};

bool language_monorepo_write(const struct parse_inputs *in, size_t packages,
			     struct jsonw *w, struct parse_report *r)
{
	bool any = false;

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct evidence *e = &table[i];
		const struct parse_input *file = input_find(in, "", 0, e->file);

		if (file == NULL || packages < e->packages_min)
			continue;
		if (e->holds != NULL &&
		    (file->is_name_only || !e->holds(file, r)))
			continue;
		any = true;
		jsonw_object(w, NULL);
		jsonw_text(w, "reason", e->reason);
		source_write(w, "source", file);
		jsonw_end_object(w);
	}
	return any;
}
