/* depend_text.c -- requirements.txt and setup.cfg: requirements, line by
 * line. */
#include <string.h>

#include "parsers/depend/depend.h"

#define JOINED_BYTES ((size_t)16 << 10) /* a requirement with all its hashes */

/* Cut at a '#' at the beginning or after a blank. */
static struct json_text comment_cut(struct json_text line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.bytes[i] == '#' &&
		    (i == 0 || line.bytes[i - 1] == ' ' ||
		     line.bytes[i - 1] == '\t'))
			line.len = i;
	return text_trim(line);
}

/* "-e X" and "--editable X" are requirements; other options are not. */
static void pip_line_take(struct depend *d, struct depend_file *f,
			  struct json_text line)
{
	struct json_text rest = line, word = text_word(&rest);

	if (text_in(word, "-e --editable"))
		line = text_trim(rest);
	else if (text_begins(line, "--editable="))
		line = text_from(line, strlen("--editable="));
	else if (text_begins(line, "-"))
		return;
	depend_requirement_take(d, f, line, "runtime");
}

int depend_requirements_read(struct depend *d, struct depend_file *f)
{
	struct lines l = lines_of(f->in);
	owned_buf struct buf joined = { .cap_bytes = JOINED_BYTES };
	struct json_text line;
	size_t at;

	(void)input_bom_note(f->in, d->report);
	l.at = text_bom((struct json_text){ f->in->bytes, f->in->len });
	while (line_next(&l, &line, &at)) {
		bool goes_on = text_ends(line, "\\");

		if (goes_on)
			line.len--;
		line = comment_cut(line);
		if (!goes_on && joined.len == 0) {
			pip_line_take(d, f, line);
			continue;
		}
		buf_add(&joined, line.bytes, line.len);
		buf_char(&joined, ' ');
		if (goes_on)
			continue;
		if (buf_has_failed(&joined))
			report_note(&d->report->warnings, "line_too_long",
				    f->in, (int64_t)at,
				    "a requirement over 16 KiB is passed over");
		else
			pip_line_take(d, f,
				      text_trim((struct json_text){
					      joined.bytes, joined.len }));
		joined.len = 0;
		joined.failed = false;
	}
	return 0;
}

/* The position of the reader in setup.cfg. */
struct cfg {
	struct json_text section;
	const char *kind; /* of the requirements that are listed; NULL: none */
};

static const char *cfg_kind(const struct cfg *c, struct json_text key)
{
	if (text_is(c->section, "options.extras_require"))
		return "optional";
	if (!text_is(c->section, "options"))
		return NULL;
	if (text_is(key, "install_requires"))
		return "runtime";
	if (text_is(key, "setup_requires"))
		return "build";
	return text_is(key, "tests_require") ? "dev" : NULL;
}

/* Source: setuptools, "Configuring setuptools using setup.cfg files". */
int depend_setup_cfg_read(struct depend *d, struct depend_file *f)
{
	struct lines l = lines_of(f->in);
	struct cfg c = { 0 };
	struct json_text line, value, key;
	size_t at;

	while (line_next(&l, &line, &at)) {
		bool is_more = line.len > 0 &&
			       (line.bytes[0] == ' ' || line.bytes[0] == '\t');

		line = comment_cut(line);
		if (line.len == 0)
			continue;
		if (!is_more && line.bytes[0] == '[') {
			c.section = text_cut(text_from(line, 1), ']', NULL);
			c.kind = NULL;
			continue;
		}
		if (!is_more) {
			key = text_trim(text_cut(line, '=', &value));
			c.kind = cfg_kind(&c, key);
			line = text_trim(value);
		}
		/* "file: requirements.txt" names a file that is read, too */
		if (c.kind != NULL && line.len > 0 &&
		    !text_begins(line, "file:"))
			depend_requirement_take(d, f, line, c.kind);
	}
	return 0;
}
