/* ci_make_call.c -- see ci_make_call.h.  Source: make(1). */
#include "parsers/ci/ci_make_call.h"

#include <string.h>

#include "parsers/common/text_piece.h"

/* The word behind an option that may be joined to it: "-C dir", "-Cdir",
 * "--directory=dir". */
static bool option_take(struct json_text word, struct json_text *rest,
			char letter, const char *name, struct json_text *ret)
{
	if (text_begins(word, "--")) {
		struct json_text value,
			key = text_cut(text_from(word, 2), '=', &value);

		if (!text_is(key, name))
			return false;
		*ret = value.bytes != NULL ? value
					   : text_cut(*rest, '\0', rest);
		return true;
	}
	if (word.len < 2 || word.bytes[0] != '-' || word.bytes[1] != letter)
		return false;
	*ret = word.len > 2 ? text_from(word, 2) : text_cut(*rest, '\0', rest);
	return true;
}

/* "-j 4" and "-j $(nproc)": the number may be a word of its own. */
static void number_skip(struct json_text *rest)
{
	struct json_text behind, word = text_cut(*rest, '\0', &behind);

	if (word.len > 0 &&
	    (text_begins(word, "$(") || text_begins(word, "`") ||
	     text_begins(word, "${") ||
	     (word.bytes[0] >= '0' && word.bytes[0] <= '9')))
		*rest = behind;
}

static void option_read(struct ci_make_call *m, struct json_text word,
			struct json_text *rest)
{
	struct json_text value;

	if (option_take(word, rest, 'C', "directory", &value))
		ci_dir_enter(&m->dir, value);
	else if (option_take(word, rest, 'f', "file", &value) ||
		 option_take(word, rest, 'f', "makefile", &value))
		m->file = value;
	else if (text_in(word, "-o -W -I -E --old-file --what-if "
			       "--include-dir --eval"))
		(void)text_cut(*rest, '\0', rest);
	else if (text_in(word, "-j -l --jobs --load-average"))
		number_skip(rest);
	else if (text_in(word, "-n --dry-run --just-print --recon -q "
			       "--question -t --touch -v --version -h --help"))
		m->is_unknown = true;
}

/* Whether the word is a redirection; of ">" and "2>" the file is the next. */
static bool is_redirection(struct json_text word, struct json_text *rest)
{
	size_t n = text_length_before(word, "<>");

	if (n == word.len || n > 2)
		return false;
	if (word.bytes[word.len - 1] == '>' || word.bytes[word.len - 1] == '<')
		(void)text_cut(*rest, '\0', rest);
	return true;
}

void ci_make_read(struct ci_make_call *m, struct json_text rest)
{
	(void)text_cut(rest, '\0', &rest); /* the program */
	while (rest.bytes != NULL) {
		struct json_text word = text_cut(rest, '\0', &rest);

		if (word.len == 0 || is_redirection(word, &rest) ||
		    memchr(word.bytes, '=', word.len) != NULL) {
			if (text_begins(word, "--"))
				option_read(m, word, &rest);
			continue;
		}
		if (word.bytes[0] == '-') {
			option_read(m, word, &rest);
			continue;
		}
		if (m->targets_len == CI_TARGETS_MAX ||
		    text_length_before(word, "$`<") < word.len)
			m->is_unknown = true;
		else
			m->targets[m->targets_len++] = word;
	}
}
