/* build_tool.c -- see build_tool.h. */
#include "parsers/build_tool.h"

#include <string.h>

static const char config_ends[] = "js cjs mjs ts cts mts json yaml yml toml";

void tool_fact(struct slice_list *f, const char *name, const char *evidence,
	       struct json_text version, const struct parse_input *in)
{
	struct jsonw *w = slice_item(f);

	jsonw_text(w, "name", name);
	jsonw_text(w, "evidence", evidence);
	text_put(w, "version", version);
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

/* Whether base is head and then ".js" or ".prod.js" and the like. */
static bool has_config_end(struct json_text base, struct json_text head)
{
	const char *dot = memrchr(base.bytes, '.', base.len);
	struct json_text end;

	if (base.len <= head.len || dot == NULL ||
	    memcmp(base.bytes, head.bytes, head.len) != 0)
		return false;
	end = text_from(base, (size_t)(dot - base.bytes) + 1);
	return text_in(end, config_ends);
}

bool tool_fits_config(const struct tool *t, struct json_text base)
{
	const char *list = t->configs;
	struct json_text name;

	while (base.len > 0 && list_next(&list, &name))
		if (name.bytes[name.len - 1] == '.'
			    ? has_config_end(base, name)
			    : text_order(base, name) == 0)
			return true;
	return false;
}

bool tool_fits_program(const struct tool *t, const struct program *program)
{
	const char *list = t->programs;
	struct json_text name, sub;

	while (list_next(&list, &name)) {
		name = text_cut(name, ':', &sub);
		if (text_order(name, program->name) != 0)
			continue;
		if (sub.bytes == NULL || program_has_word(program, sub))
			return true;
	}
	return false;
}

static void files_read(const struct tools *t, const struct project *p,
		       struct slice_list *f)
{
	const struct json_text none = { NULL, 0 };

	for (size_t i = 0; i < p->inputs->len; i++) {
		const struct parse_input *in = &p->inputs->items[i];
		struct json_text base;

		base.bytes = input_base(in, &base.len);
		if (input_is_installed(in))
			continue;
		for (size_t k = 0; k < t->len; k++)
			if (tool_fits_config(&t->items[k], base))
				tool_fact(f, t->items[k].name, "config", none,
					  in);
	}
}

static void keys_read(const struct tool *t, const struct manifest *m,
		      struct slice_list *f)
{
	const struct json_text none = { NULL, 0 };
	const char *list = t->keys;
	struct json_text key;

	while (list_next(&list, &key))
		if (json_find_bytes(&m->tree, key.bytes, key.len) != NULL) {
			tool_fact(f, t->name, "config", none, m->in);
			return;
		}
}

static void packages_read_of(const struct tool *t, const struct project *p,
			     const struct manifest *m, struct slice_list *f)
{
	const char *list = t->packages;
	struct json_text name, version;
	char text[64];

	while (list_next(&list, &name)) {
		if (name.len >= sizeof text)
			continue;
		memcpy(text, name.bytes, name.len);
		text[name.len] = '\0';
		if (manifest_depends(p, m, text, &version)) {
			tool_fact(f, t->name, "dependency", version, m->in);
			return;
		}
	}
}

static void command_look(const struct tools *t, struct json_text command,
			 bool found[static TOOLS_MAX])
{
	struct programs programs = programs_of(command);
	struct program program;

	while (program_next(&programs, &program))
		for (size_t k = 0; k < t->len; k++)
			if (!found[k])
				found[k] = tool_fits_program(&t->items[k],
							     &program);
}

static void scripts_look(const struct tools *t, const struct manifest *m,
			 struct slice_list *f)
{
	const struct json_value *scripts = json_find(&m->tree, "scripts");
	const struct json_text none = { NULL, 0 };
	bool found[TOOLS_MAX] = { false };

	if (scripts == NULL || scripts->type != JSON_OBJECT)
		return;
	for (size_t i = 0; i < scripts->u.object.len; i++) {
		const struct json_value *v =
			&scripts->u.object.members[i].value;

		if (v->type == JSON_STRING &&
		    v->u.string.len <= PARSE_STRING_BYTES)
			command_look(t, v->u.string, found);
	}
	for (size_t k = 0; k < t->len; k++)
		if (found[k])
			tool_fact(f, t->items[k].name, "script", none, m->in);
}

void tools_read(const struct tools *t, const struct project *p,
		struct slice_list *f)
{
	files_read(t, p, f);
	for (const struct manifest *m = manifest_next(p, NULL); m != NULL;
	     m = manifest_next(p, m))
		for (size_t k = 0; k < t->len; k++) {
			keys_read(&t->items[k], m, f);
			packages_read_of(&t->items[k], p, m, f);
		}
	for (const struct manifest *m = manifest_next(p, NULL); m != NULL;
	     m = manifest_next(p, m))
		scripts_look(t, m, f);
}
