/* build_node.c -- which Node the repository asks for, and where.
 *
 * Sources: npm "package.json" (engines, devEngines), nvm's README (.nvmrc),
 * docs.volta.sh, asdf-vm.com (.tool-versions), mise.jdx.dev ("[tools]"). */
#include "parsers/builds/build_system.h"
#include "parsers/common/address_clean.h"

#define CONSTRAINT_BYTES ((size_t)1024)

static void constraint_add(struct build *b, struct json_text constraint,
			   const char *kind, const char *field,
			   const struct parse_input *in)
{
	struct jsonw *w;

	if (constraint.bytes == NULL || constraint.len == 0)
		return;
	w = slice_item(&b->lists[BUILD_NODES]);
	address_put(w, "constraint", constraint, ADDRESS_TEXT);
	jsonw_text(w, "kind", kind);
	jsonw_text_or_null(w, "field", field);
	source_write(w, "source", in);
	slice_item_end(&b->lists[BUILD_NODES]);
}

/* devEngines.runtime: {name, version} or a list of such. */
static void runtime_read(struct build *b, const struct manifest *m,
			 const struct json_value *v)
{
	if (v != NULL && v->type == JSON_ARRAY) {
		for (size_t i = 0; i < v->u.array.len; i++)
			if (v->u.array.items[i].type == JSON_OBJECT)
				runtime_read(b, m, &v->u.array.items[i]);
		return;
	}
	if (json_is_text(json_find(v, "name"), "node"))
		constraint_add(
			b,
			parse_text(json_find(v, "version"), m->in, b->report),
			"engines", "devEngines.runtime", m->in);
}

void build_nodes_read_manifest(struct build *b, const struct manifest *m)
{
	const struct json_value *engines = json_find(&m->tree, "engines");
	const struct json_value *dev = json_find(&m->tree, "devEngines");
	const struct json_value *volta = json_find(&m->tree, "volta");
	const struct json_value *node = json_find(engines, "node");

	if (node != NULL && node->type != JSON_STRING)
		report_note(&b->report->warnings, "bad_constraint", m->in,
			    (int64_t)node->offset,
			    "expected a constraint in quotes");
	constraint_add(b, parse_text(node, m->in, b->report), "engines",
		       "engines.node", m->in);
	runtime_read(b, m, json_find(dev, "runtime"));
	constraint_add(b, parse_text(json_find(dev, "node"), m->in, b->report),
		       "engines", "devEngines.node", m->in);
	constraint_add(b,
		       parse_text(json_find(volta, "node"), m->in, b->report),
		       "volta", "volta.node", m->in);
}

void build_nodes_read_rush(struct build *b)
{
	const struct project *p = &b->project;

	if (p->declared.rush != NULL)
		constraint_add(
			b,
			parse_text(json_find(&p->declared.rush_tree,
					     "nodeSupportedVersionRange"),
				   p->declared.rush, b->report),
			"engines", "rush.nodeSupportedVersionRange",
			p->declared.rush);
}

static void note_long(struct build *b, const struct parse_input *in,
		      size_t offset)
{
	report_note(&b->report->warnings, "line_too_long", in, (int64_t)offset,
		    "expected a version");
}

/* The first line that is neither empty nor a comment. */
static void first_line_read(struct build *b, const struct parse_input *in,
			    const char *kind)
{
	struct lines lines = lines_of(in);
	struct json_text line;
	size_t offset;

	while (line_next(&lines, &line, &offset)) {
		line = text_trim(text_cut(line, '#', NULL));
		if (line.len == 0)
			continue;
		if (line.len > CONSTRAINT_BYTES)
			note_long(b, in, offset);
		else
			constraint_add(b, line, kind, NULL, in);
		return;
	}
	report_note(&b->report->warnings, "empty_version", in, 0,
		    "expected a version of Node");
}

static const char *manager_of(struct json_text tool)
{
	static const char *const names[] = { "npm", "pnpm", "yarn", "bun" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (text_is(tool, names[i]))
			return names[i];
	return NULL;
}

static void tool_take(struct build *b, const struct parse_input *in,
		      struct json_text tool, struct json_text version)
{
	if (text_is(tool, "node") || text_is(tool, "nodejs"))
		constraint_add(b, version, "tool-versions", NULL, in);
	else if (manager_of(tool) != NULL && version.len > 0)
		build_claim_add(b, &(struct claim){ .manager = manager_of(tool),
						    .version = version,
						    .kind = CLAIM_TOOL_VERSIONS,
						    .in = in });
}

/* "nodejs 20.11.0 18.19.0  # why". */
static void tool_versions_read(struct build *b, const struct parse_input *in)
{
	struct lines lines = lines_of(in);
	struct json_text line, tool;
	size_t offset;

	while (line_next(&lines, &line, &offset)) {
		line = text_trim(text_cut(line, '#', NULL));
		if (line.len > TEXT_LINE_BYTES) {
			note_long(b, in, offset);
			continue;
		}
		tool = text_word(&line);
		tool_take(b, in, tool, text_trim(line));
	}
}

/* The value of a TOML line: '"20"', '["20", "22"]', '{ version = "20" }'.  For
 * the last two, the text between the brackets as written. */
static struct json_text toml_value(struct json_text v)
{
	struct json_text first, rest;

	v = text_trim(v);
	if (text_begins(v, "\"") || text_begins(v, "'")) {
		char quote = v.bytes[0];

		return text_cut(text_from(v, 1), quote, NULL);
	}
	if (text_begins(v, "["))
		return text_trim(text_cut(text_from(v, 1), ']', NULL));
	if (!text_begins(v, "{"))
		return text_trim(text_cut(v, '#', NULL));
	first = text_trim(text_from(v, 1));
	while (first.len > 0) {
		struct json_text name = text_trim(text_cut(first, '=', &rest));

		if (text_is(name, "version"))
			return toml_value(text_trim(rest));
		(void)text_cut(first, ',', &first);
		first = text_trim(first);
	}
	return (struct json_text){ NULL, 0 };
}

/* The lines of the table [tools] in mise.toml. */
static void mise_read(struct build *b, const struct parse_input *in)
{
	struct lines lines = lines_of(in);
	struct json_text line, name, value;
	bool in_tools = false;
	size_t offset;

	while (line_next(&lines, &line, &offset)) {
		line = text_trim(line);
		if (text_begins(line, "["))
			in_tools = text_is(text_trim(text_cut(line, '#', NULL)),
					   "[tools]");
		if (!in_tools || line.len == 0 || line.bytes[0] == '#' ||
		    line.bytes[0] == '[')
			continue;
		if (line.len > TEXT_LINE_BYTES) {
			note_long(b, in, offset);
			continue;
		}
		name = text_unquote(text_trim(text_cut(line, '=', &value)));
		if (value.bytes != NULL)
			tool_take(b, in, name, toml_value(value));
	}
}

void build_nodes_read_files(struct build *b)
{
	for (size_t i = 0; i < b->project.inputs->len; i++) {
		const struct parse_input *in = &b->project.inputs->items[i];

		if (in->is_name_only || input_is_installed(in) ||
		    !input_is_own(in))
			continue;
		if (input_base_is(in, ".nvmrc"))
			first_line_read(b, in, "nvmrc");
		else if (input_base_is(in, ".node-version"))
			first_line_read(b, in, "node-version");
		else if (input_base_is(in, ".tool-versions"))
			tool_versions_read(b, in);
		else if (input_base_is(in, "mise.toml") ||
			 input_base_is(in, ".mise.toml"))
			mise_read(b, in);
	}
}
