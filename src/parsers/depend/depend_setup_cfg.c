/* depend_setup_cfg.c -- setup.cfg: requirements in its sections.
 *
 * Source: setuptools, "Configuring setuptools using setup.cfg files"; Python's
 * configparser, "Supported INI File Structure". */
#include <string.h>

#include "parsers/depend/depend.h"

#define KEY_BYTES 64U /* no key that counts is longer */

/* The position of the reader. */
struct cfg {
	struct depend *depend;
	struct depend_file *file;
	struct json_text section;
	const char *kind; /* of the requirements that are listed; NULL: none */
	bool has_key;     /* a line that is indented more belongs to it */
	size_t indent;
	struct json_text first; /* on the key's line, until more follows */
};

/* Fold a key as setuptools does, which still takes "Install-Requires". */
static bool is_key(struct json_text key, const char *want)
{
	if (key.len != strlen(want) || key.len > KEY_BYTES)
		return false;
	for (size_t i = 0; i < key.len; i++) {
		char c = key.bytes[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if ((c == '-' ? '_' : c) != want[i])
			return false;
	}
	return true;
}

static const char *kind_of(const struct cfg *c, struct json_text key)
{
	if (text_is(c->section, "options.extras_require"))
		return "optional";
	if (!text_is(c->section, "options"))
		return NULL;
	if (is_key(key, "install_requires"))
		return "runtime";
	if (is_key(key, "setup_requires"))
		return "build";
	return is_key(key, "tests_require") ? "dev" : NULL;
}

/* "attr: x.y" is computed, and "file: VERSION" is read. */
static void metadata_take(struct depend_file *f, struct json_text key,
			  struct json_text value)
{
	if (value.len == 0 || text_begins(value, "attr:") ||
	    text_begins(value, "file:"))
		return;
	if (is_key(key, "name"))
		f->name = value;
	else if (is_key(key, "version"))
		f->version = value;
}

/* "file: a.txt, b.txt" names files that are read, if they are called like files of
 * requirements. */
static void files_check(struct cfg *c, struct json_text list)
{
	const size_t at = (size_t)(list.bytes - c->file->in->bytes);

	while (list.bytes != NULL)
		depend_include_check(c->depend, c->file,
				     text_trim(text_cut(list, ',', &list)), at);
}

static void requirement_take(struct cfg *c, struct json_text line)
{
	line = depend_comment_cut(line);
	if (c->kind == NULL || line.len == 0)
		return;
	if (text_begins(line, "file:"))
		files_check(c, text_from(line, strlen("file:")));
	else
		depend_requirement_take(c->depend, c->file, line, c->kind);
}

/* A value of a single line is cut at its semicolons, so there are no markers in
 * it. */
static void first_take(struct cfg *c, bool is_single)
{
	struct json_text rest = c->first;

	c->first = (struct json_text){ NULL, 0 };
	if (!is_single)
		requirement_take(c, rest);
	while (is_single && rest.bytes != NULL)
		requirement_take(c, text_trim(text_cut(rest, ';', &rest)));
}

/* "[section]", "key = value" or "key: value". */
static void statement_take(struct cfg *c, struct json_text line)
{
	const size_t n = text_length_before(line, "=:");
	const struct json_text key = text_trim(text_first(line, n));

	c->has_key = false;
	c->kind = NULL;
	if (text_begins(line, "[") && text_has(line, "]")) {
		c->section = text_cut(text_from(line, 1), ']', NULL);
		return;
	}
	c->has_key = true;
	c->kind = kind_of(c, key);
	c->first = text_trim(text_from(line, n + 1));
	if (text_is(c->section, "metadata"))
		metadata_take(c->file, key, depend_comment_cut(c->first));
}

int depend_setup_cfg_read(struct depend *d, struct depend_file *f)
{
	struct cfg c = { .depend = d, .file = f };
	struct lines l = lines_of(f->in);
	struct json_text line, text;
	size_t at;

	l.at = text_bom((struct json_text){ f->in->bytes, f->in->len });
	while (line_next(&l, &line, &at)) {
		size_t indent;

		text = text_trim(line);
		indent = (size_t)(text.bytes - line.bytes);
		if (text.len == 0 || text_begins(text, "#") ||
		    text_begins(text, ";"))
			continue;
		if (c.has_key && indent > c.indent) {
			first_take(&c, false);
			requirement_take(&c, text);
			continue;
		}
		first_take(&c, true);
		c.indent = indent;
		statement_take(&c, text);
	}
	first_take(&c, true);
	return 0;
}
