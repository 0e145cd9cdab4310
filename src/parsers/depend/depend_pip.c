/* depend_pip.c -- what pip would see in a file of requirements and this reader does
 * not: another coding, and another file.
 *
 * Source: pip, req/req_file.py and auto_decode() in utils/encoding.py; PEP 263. */
#include <string.h>
#include <strings.h>

#include "parsers/depend/depend.h"

static void coding_note(struct depend *d, const struct depend_file *f)
{
	report_note(&d->report->errors, "bad_encoding", f->in, 0,
		    "it is not in UTF-8, so pip may read something else in "
		    "it");
}

/* The name behind "coding:" or "coding=" in a comment; empty: there is none. */
static struct json_text coding_find(struct json_text line)
{
	static const char word[] = "coding";
	struct json_text t = { NULL, 0 };
	const char *at;

	while ((at = line.len > 0 ? memmem(line.bytes, line.len, word,
					   sizeof word - 1)
				  : NULL) != NULL) {
		line = text_from(line,
				 (size_t)(at - line.bytes) + sizeof word - 1);
		if (!text_begins(line, ":") && !text_begins(line, "="))
			continue;
		t = text_from(line, 1);
		while (t.len > 0 && strchr(" \t\r\v\f", t.bytes[0]) != NULL)
			t = text_from(t, 1);
		t.len = text_length_before(t, " \t\r\v\f;,*\"'()");
		return t;
	}
	return t;
}

static bool is_plain(struct json_text coding)
{
	static const char *const names[] = {
		"utf-8",    "utf8",    "utf_8",  "ascii",
		"us-ascii", "latin-1", "latin1", "iso-8859-1",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (coding.len == strlen(names[i]) &&
		    strncasecmp(coding.bytes, names[i], coding.len) == 0)
			return true;
	return false;
}

void depend_coding_check(struct depend *d, const struct depend_file *f)
{
	const struct json_text whole = { f->in->bytes, f->in->len };
	struct lines l = lines_of(f->in);
	struct json_text line;
	size_t at;

	if (text_begins(whole, "\xff\xfe") || text_begins(whole, "\xfe\xff") ||
	    (whole.len > 0 && memchr(whole.bytes, '\0', whole.len) != NULL)) {
		coding_note(d, f);
		return;
	}
	for (unsigned i = 0; i < 2 && line_next(&l, &line, &at); i++) {
		line = text_from(line, text_bom(line));
		if (!text_begins(line, "#"))
			continue;
		line = coding_find(line);
		if (line.bytes == NULL)
			continue;
		if (!is_plain(line))
			coding_note(d, f);
		return;
	}
}

bool depend_path_write(struct json_text dir, struct json_text file,
		       struct buf *out)
{
	buf_add(out, dir.bytes, dir.len);
	while (file.bytes != NULL) {
		struct json_text part = text_cut(file, '/', &file);

		if (part.len == 0 || text_is(part, "."))
			continue;
		if (!text_is(part, "..")) {
			if (out->len > 0)
				buf_char(out, '/');
			buf_add(out, part.bytes, part.len);
			continue;
		}
		if (out->len == 0)
			return false;
		while (out->len > 0 && out->bytes[out->len - 1] != '/')
			out->len--;
		if (out->len > 0)
			out->len--;
	}
	return !buf_has_failed(out) && out->len > 0;
}

static bool is_read(const struct depend_file *f, struct json_text file)
{
	const struct json_text dir = { f->in->name, input_dir_len(f->in) };
	owned_buf struct buf path = { .cap_bytes = TEXT_LINE_BYTES };
	struct parse_input in = { 0 };

	/* quotes, escapes, variables of the environment, "file:x" */
	if (text_begins(file, "/") ||
	    text_length_before(file, "\"'\\$:") < file.len ||
	    !depend_path_write(dir, file, &path))
		return false;
	in.name = path.bytes;
	in.name_len = path.len;
	return !input_is_installed(&in) && depend_is_requirements(&in);
}

void depend_include_check(struct depend *d, const struct depend_file *f,
			  struct json_text file, size_t offset)
{
	d->includes += file.len + 16;
	if (d->includes > DEPEND_INCLUDES_BYTES) {
		if (!d->has_unlooked)
			report_note(&d->report->errors, "truncated", f->in,
				    (int64_t)offset,
				    "more files are included than are looked "
				    "for");
		d->has_unlooked = true;
		return;
	}
	if (file.len > 0 && !text_has(file, "://") && !is_read(f, file))
		report_note(&d->report->errors, "include_unread", f->in,
			    (int64_t)offset,
			    "it includes a file whose name is not one of a "
			    "file of requirements, so that is not read");
}
