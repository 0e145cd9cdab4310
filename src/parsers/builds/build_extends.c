/* build_extends.c -- what a tsconfig extends, and the options that result.
 *
 * Source: typescriptlang.org "TSConfig Reference", extends: a base's options
 * come first, later bases override earlier ones, and the file's own options
 * override all; each option is replaced as a whole.  The name of a package is
 * resolved only when a package.json of the repository has that name. */
#include <string.h>

#include "parsers/builds/build_typescript.h"

#define PATH_BYTES 4096U

static void note(struct ts *t, struct ts_file *c, const struct json_value *v,
		 const char *code, const char *message)
{
	if (!c->is_noted)
		report_note(&t->build->report->warnings, code, c->in,
			    (int64_t)v->offset, message);
}

/* Add the segments of path to dir; false when they climb out of it. */
static bool path_add(struct buf *dir, struct json_text path)
{
	while (path.bytes != NULL) {
		struct json_text segment = text_cut(path, '/', &path);

		if (segment.len == 0 || text_is(segment, "."))
			continue;
		if (text_is(segment, "..")) {
			const char *slash = NULL;

			if (dir->len == 0)
				return false;
			slash = memrchr(dir->bytes, '/', dir->len);
			dir->len = slash ? (size_t)(slash - dir->bytes) : 0;
			continue;
		}
		if (dir->len > 0)
			buf_char(dir, '/');
		buf_add(dir, segment.bytes, segment.len);
	}
	return !buf_has_failed(dir);
}

/* Try path itself, then with ".json" and with "/tsconfig.json" appended. */
static const struct parse_input *path_find(struct ts *t, const struct buf *path)
{
	static const char *const ends[] = { "", ".json", "/tsconfig.json" };
	const struct parse_inputs *inputs = t->build->project.inputs;
	const struct parse_input *in = NULL;

	for (size_t i = 0; i < 3 && in == NULL; i++) {
		owned_buf struct buf name = { 0 };

		buf_add(&name, path->bytes ? path->bytes : "", path->len);
		buf_text(&name, ends[i]);
		if (name.len > 0 && !buf_has_failed(&name))
			in = input_find(inputs, "", 0, name.bytes);
		if (in != NULL && in->is_name_only)
			in = NULL;
	}
	return in;
}

static bool is_relative(struct json_text text)
{
	return text_begins(text, "./") || text_begins(text, "../") ||
	       text_is(text, ".") || text_is(text, "..");
}

static bool is_absolute(struct json_text text)
{
	return text_begins(text, "/") || text_begins(text, "\\") ||
	       (text.len > 1 && text.bytes[1] == ':');
}

/* "@scope/name/rest" -> the package's name and the rest. */
static struct json_text package_of(struct json_text text,
				   struct json_text *ret_rest)
{
	struct json_text first = text_cut(text, '/', ret_rest);

	if (text_begins(first, "@") && ret_rest->bytes != NULL) {
		struct json_text second = text_cut(*ret_rest, '/', ret_rest);

		first.len += 1 + second.len;
	}
	return first;
}

static const struct parse_input *package_resolve(struct ts *t,
						 struct ts_file *c,
						 const struct json_value *v,
						 struct json_text text)
{
	owned_buf struct buf path = { .cap_bytes = PARSE_STRING_BYTES };
	const struct parse_input *in = NULL;
	const struct manifest *m;
	struct json_text rest;

	m = project_manifest_named(&t->build->project, package_of(text, &rest));
	if (m == NULL) {
		note(t, c, v, "extends_package",
		     "extends a package that is not in the repository");
		return NULL;
	}
	buf_add(&path, m->in->name, input_dir_len(m->in));
	if (path_add(&path, rest))
		in = path_find(t, &path);
	if (in == NULL)
		note(t, c, v, "extends_not_found",
		     "extends a file that this probe did not read");
	return in;
}

/* The input that "extends": text of c means, or NULL (noted). */
static const struct parse_input *ts_resolve(struct ts *t, struct ts_file *c,
					    const struct json_value *v)
{
	owned_buf struct buf path = { .cap_bytes = PARSE_STRING_BYTES };
	struct json_text text = parse_text(v, c->in, t->build->report);
	const struct parse_input *in = NULL;

	if (text.bytes == NULL || text.len == 0 || text.len > PATH_BYTES ||
	    memchr(text.bytes, '\0', text.len) != NULL) {
		note(t, c, v, "bad_extends",
		     "expected a path or a list of them");
		return NULL;
	}
	if (is_absolute(text)) {
		note(t, c, v, "extends_outside",
		     "extends an absolute path, which is not followed");
		return NULL;
	}
	if (!is_relative(text))
		return package_resolve(t, c, v, text);
	buf_add(&path, c->in->name, input_dir_len(c->in));
	if (!path_add(&path, text)) {
		note(t, c, v, "extends_outside",
		     "extends a path outside the repository, which is not "
		     "followed");
		return NULL;
	}
	in = path_find(t, &path);
	if (in == NULL)
		note(t, c, v, "extends_not_found",
		     "extends a file that this probe did not read");
	return in;
}

static void options_add(struct ts *t, const struct ts_file *c)
{
	const struct json_value *v = json_find(&c->tree, "compilerOptions");

	if (v == NULL || v->type != JSON_OBJECT)
		return;
	t->work += v->u.object.len / 8;
	for (size_t i = 0; i < v->u.object.len; i++) {
		const struct json_member *m = &v->u.object.members[i];

		if (t->options_len == TS_OPTIONS_MAX) {
			t->is_cut = true;
			return;
		}
		t->options[t->options_len] =
			(struct ts_option){ m->name, &m->value, c->in,
					    t->options_len };
		t->options_len++;
	}
}

static void base_follow(struct ts *t, struct ts_file *c,
			const struct json_value *v, unsigned depth)
{
	const struct parse_input *in;
	struct ts_file *base;

	if (t->is_cut || ++t->work > TS_WORK_MAX) {
		t->is_cut = true;
		return;
	}
	in = ts_resolve(t, c, v);
	base = in != NULL ? build_ts_file_find(t, in) : NULL;
	if (base == NULL)
		return;
	if (base->is_open) {
		if (!c->is_circle_noted)
			note(t, c, v, "extends_circular",
			     "extends itself through the files that it "
			     "extends");
		c->is_circle_noted = true;
		return;
	}
	if (depth == TS_DEPTH_MAX) {
		if (!c->is_deep_noted)
			report_note(&t->build->report->warnings,
				    "extends_too_deep", c->in,
				    (int64_t)v->offset,
				    "the file that it extends is the fifth in "
				    "a row, and is not followed");
		c->is_deep_noted = true;
		return;
	}
	if (t->chain_len == TS_CHAIN_MAX) {
		t->is_cut = true;
		return;
	}
	t->chain[t->chain_len++] = base->in;
	build_ts_collect(t, base, depth + 1);
}

void build_ts_collect(struct ts *t, struct ts_file *c, unsigned depth)
{
	const struct json_value *v = json_find(&c->tree, "extends");

	c->is_open = true;
	if (v != NULL && v->type == JSON_ARRAY) {
		for (size_t i = 0; i < v->u.array.len; i++)
			base_follow(t, c, &v->u.array.items[i], depth);
	} else if (v != NULL && v->type != JSON_NULL) {
		base_follow(t, c, v, depth);
	}
	c->is_open = false;
	c->is_noted = true;
	options_add(t, c);
}
