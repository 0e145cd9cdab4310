/* depend_text.c -- files of requirements, line by line. */
#include <string.h>

#include "parsers/depend/depend.h"

#define JOINED_BYTES ((size_t)16 << 10) /* a requirement with all its hashes */

struct json_text depend_comment_cut(struct json_text line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.bytes[i] == '#' &&
		    (i == 0 || line.bytes[i - 1] == ' ' ||
		     line.bytes[i - 1] == '\t'))
			line.len = i;
	return text_trim(line);
}

/* What is named after tests, tools or documents, or lies below a directory of that
 * name, is for those who work on the project. */
static const char *requirements_kind(const struct parse_input *in)
{
	static const char words[] =
		"test tests testing dev devel develop development lint linting "
		"typing qa ci doc docs documentation e2e mintest bench "
		"benchmark benchmarks";
	struct json_text rest = { in->name, input_dir_len(in) }, part;

	while (rest.bytes != NULL)
		if (text_in(text_cut(rest, '/', &rest), words))
			return "dev";

	rest.bytes = input_base(in, &rest.len);
	rest = text_cut(rest, '.', NULL);
	while (rest.bytes != NULL) {
		part = text_cut(rest, '-', &rest);
		while (part.bytes != NULL)
			if (text_in(text_cut(part, '_', &part), words))
				return "dev";
	}
	return "runtime";
}

/* Whether word begins with one of the options. */
static bool is_option(struct json_text word, const char *const *options)
{
	for (; *options != NULL; options++)
		if (text_begins(word, *options))
			return true;
	return false;
}

/* What an option of pip's has for a value: "-rX", "-r X", "--long=X" or
 * "--long X". */
static struct json_text value_cut(struct json_text word, struct json_text *rest)
{
	struct json_text value = { NULL, 0 };

	if (!text_begins(word, "--"))
		value = text_from(word, 2);
	else
		(void)text_cut(word, '=', &value);
	return value.len > 0 ? value : text_word(rest);
}

/* Options that say where packages are: "-i URL", "-iURL", "--index-url=URL"; those
 * that read another file of requirements; and "-e X", which is a requirement.  pip
 * takes several in a line, by any beginning of their names, and with quotes in
 * them. */
static void option_take(struct depend *d, struct depend_file *f,
			struct json_text line, size_t at)
{
	static const char *const places[] = {
		"-i", "-f", "--i", "--ex", "--f", NULL,
	};
	static const char *const files[] = {
		"-r", "-c", "--requirem", "--c", NULL,
	};
	static const char *const editable[] = { "-e", "--ed", NULL };
	bool is_place = text_has(line, "://");
	struct json_text rest = line, word;

	while ((word = text_word(&rest)).len > 0) {
		if (text_begins(word, "-") &&
		    (is_option(word, places) ||
		     text_length_before(text_cut(word, '=', NULL), "\"'\\") <
			     text_cut(word, '=', NULL).len))
			is_place = true;
		if (is_option(word, files) && !text_begins(word, "--conf"))
			depend_include_check(d, f, value_cut(word, &rest), at);
		else if (is_option(word, editable))
			depend_requirement_take(
				d, f, text_unquote(value_cut(word, &rest)),
				f->kind);
	}
	if (is_place)
		depend_registry_add(d, f, line);
}

static void pip_line_take(struct depend *d, struct depend_file *f,
			  struct json_text line, size_t at)
{
	if (text_begins(line, "-"))
		option_take(d, f, line, at);
	else
		depend_requirement_take(d, f, line, f->kind);
}

/* Take the line that was joined from several, and empty joined. */
static void joined_take(struct depend *d, struct depend_file *f,
			struct buf *joined, size_t at)
{
	if (buf_has_failed(joined))
		report_note(&d->report->warnings, "line_too_long", f->in,
			    (int64_t)at,
			    "a requirement longer than 16 KiB is left out");
	else
		pip_line_take(d, f,
			      depend_comment_cut((struct json_text){
				      joined->bytes, joined->len }),
			      at);
	joined->len = 0;
	joined->failed = false;
}

/* pip takes all backslashes off both ends of a line that goes on. */
static struct json_text backslashes_cut(struct json_text line)
{
	while (text_ends(line, "\\"))
		line.len--;
	while (text_begins(line, "\\"))
		line = text_from(line, 1);
	return line;
}

/* Lines are joined as pip does it: nothing is put between them, the comment is cut
 * from the whole, and a line that is a comment does not go on. */
int depend_requirements_read(struct depend *d, struct depend_file *f)
{
	struct depend_lines l = depend_lines_of(f->in, true);
	owned_buf struct buf joined = { .cap_bytes = JOINED_BYTES };
	bool is_joining = false;
	struct json_text line;
	size_t at = 0;

	f->kind = requirements_kind(f->in);
	(void)input_bom_note(f->in, d->report);
	depend_coding_check(d, f);
	l.lines.at = text_bom((struct json_text){ f->in->bytes, f->in->len });
	while (depend_line_next(&l, &line, &at)) {
		bool is_note = text_begins(text_trim(line), "#");
		bool goes_on = !is_note && text_ends(line, "\\");

		if (!goes_on && !is_joining) {
			pip_line_take(d, f, depend_comment_cut(line), at);
			continue;
		}
		if (goes_on)
			line = backslashes_cut(line);
		if (is_note)
			buf_char(&joined, ' ');
		buf_add(&joined, line.bytes, line.len);
		is_joining = goes_on;
		if (!goes_on)
			joined_take(d, f, &joined, at);
	}
	if (is_joining)
		joined_take(d, f, &joined, at);
	return 0;
}
