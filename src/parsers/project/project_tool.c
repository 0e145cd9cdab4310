/* project_tool.c -- see project_tool.h. */
#include "parsers/project/project_tool.h"

#include <string.h>

#include "parsers/common/address_clean.h"

static const char config_ends[] = "js cjs mjs ts cts mts json yaml yml toml";

void project_tool_fact(struct slice_list *f, const char *name,
		       const char *evidence, struct json_text version,
		       const struct parse_input *in)
{
	struct jsonw *w = slice_item(f);

	jsonw_text(w, "name", name);
	jsonw_text(w, "evidence", evidence);
	address_put(w, "version", version, ADDRESS_TEXT);
	source_write(w, "source", in);
	slice_item_end(f);
}

/* The next word of a list that spaces part; false behind the last. */
static bool list_next(const char **list, struct json_text *ret)
{
	if (*list == NULL || **list == '\0')
		return false;
	ret->bytes = *list;
	ret->len = strcspn(*list, " ");
	*list += ret->len + ((*list)[ret->len] == ' ');
	return true;
}

/* Whether base is head and then ".js" or ".prod.js" and the like.  A head that
 * ends in ".+" wants a word before the end: webpack.prod.js configures, and
 * webpack.js is any source. */
static bool has_config_end(struct json_text base, struct json_text head)
{
	const char *dot = memrchr(base.bytes, '.', base.len);
	const bool wants_word = text_ends(head, "+");
	struct json_text end;

	head.len -= wants_word;
	if (base.len <= head.len || dot == NULL ||
	    memcmp(base.bytes, head.bytes, head.len) != 0)
		return false;
	end = text_from(base, (size_t)(dot - base.bytes) + 1);
	if (wants_word && (size_t)(dot - base.bytes) < head.len)
		return false;
	return text_in(end, config_ends) && !text_has(base, ".test.") &&
	       !text_has(base, ".spec.");
}

bool project_tool_fits_config(const struct tool *t, struct json_text base)
{
	const char *list = t->configs;
	struct json_text name;

	while (base.len > 0 && list_next(&list, &name))
		if (strchr(".+", name.bytes[name.len - 1]) != NULL
			    ? has_config_end(base, name)
			    : text_order(base, name) == 0)
			return true;
	return false;
}

/* Whether a script that runs it uses t. */
static bool tool_fits_program(const struct tool *t,
			      const struct program *program)
{
	const char *list = t->programs;
	struct json_text name, sub;

	while (list_next(&list, &name)) {
		name = text_cut(name, ':', &sub);
		if (text_order(name, program->name) != 0)
			continue;
		if (sub.bytes == NULL || project_program_has_word(program, sub))
			return true;
	}
	return false;
}

static bool keys_fit(const struct tool *t, const struct manifest *m)
{
	const char *list = t->keys;
	struct json_text key;

	while (list_next(&list, &key))
		if (json_find_bytes(&m->tree, key.bytes, key.len) != NULL)
			return true;
	return false;
}

static bool packages_fit(const struct tool *t, const struct project *p,
			 const struct manifest *m, struct json_text *ret)
{
	const char *list = t->packages;
	struct json_text name;
	char text[64];

	while (list_next(&list, &name)) {
		if (name.len >= sizeof text)
			continue;
		memcpy(text, name.bytes, name.len);
		text[name.len] = '\0';
		if (project_manifest_depends(p, m, text, ret))
			return true;
	}
	return false;
}

uint64_t project_tools_in_command(const struct tools *t,
				  struct json_text command)
{
	struct programs programs = project_programs_of(command);
	struct program program;
	uint64_t found = 0;

	while (project_program_next(&programs, &program))
		for (size_t k = 0; k < t->len; k++)
			if (tool_fits_program(&t->items[k], &program))
				found |= (uint64_t)1 << k;
	return found;
}

static uint64_t tools_in_scripts(const struct tools *t,
				 const struct manifest *m)
{
	const struct json_value *scripts = json_find(&m->tree, "scripts");
	uint64_t found = 0;

	if (scripts == NULL || scripts->type != JSON_OBJECT)
		return 0;
	for (size_t i = 0; i < scripts->u.object.len; i++) {
		const struct json_value *v =
			&scripts->u.object.members[i].value;

		if (v->type == JSON_STRING &&
		    v->u.string.len <= PARSE_STRING_BYTES)
			found |= project_tools_in_command(t, v->u.string);
	}
	return found;
}

uint64_t project_tools_in_manifest(const struct tools *t,
				   const struct project *p,
				   const struct manifest *m,
				   struct slice_list *f, uint64_t *ret_scripts)
{
	const struct json_text none = { NULL, 0 };
	const uint64_t scripts = tools_in_scripts(t, m);
	uint64_t found = 0;

	for (size_t k = 0; k < t->len; k++) {
		const struct tool *tool = &t->items[k];
		struct json_text version = none;
		bool key = keys_fit(tool, m);
		bool package = packages_fit(tool, p, m, &version);

		if (package)
			project_tool_fact(f, tool->name, "dependency", version,
					  m->in);
		if (key)
			project_tool_fact(f, tool->name, "config", none, m->in);
		if (scripts >> k & 1)
			project_tool_fact(f, tool->name, "script", none, m->in);
		if (key || package)
			found |= (uint64_t)1 << k;
	}
	if (ret_scripts != NULL)
		*ret_scripts = scripts;
	return found;
}

uint64_t project_tools_in_files(const struct tools *t, const struct project *p,
				enum role_subject subject, struct slice_list *f)
{
	uint64_t found = 0;
	const struct json_text none = { NULL, 0 };

	for (size_t i = 0; i < p->inputs->len; i++) {
		const struct parse_input *in = &p->inputs->items[i];
		struct json_text base;

		base.bytes = input_base(in, &base.len);
		if (input_is_installed(in) || !input_is_own(in) ||
		    role_of((struct json_text){ in->name, in->name_len },
			    subject, &p->homes)
				    .kind != ROLE_OWN)
			continue;
		for (size_t k = 0; k < t->len; k++) {
			if (!project_tool_fits_config(&t->items[k], base))
				continue;
			project_tool_fact(f, t->items[k].name, "config", none,
					  in);
			found |= (uint64_t)1 << k;
		}
	}
	return found;
}
