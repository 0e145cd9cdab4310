/* ci_shell.c -- see ci_shell.h.
 *
 * A script is read by its lines, and no condition is computed.  Source: the
 * grammar of the Shell Command Language in POSIX, "Function Definition Command"
 * and "Case Conditional Construct". */
#include "parsers/ci/ci_shell.h"

#include <stdlib.h>
#include <string.h>

#include "parsers/ci/ci.h"
#include "parsers/ci/ci_package.h"

#define SECTIONS_MAX 256U  /* functions and cases of one script */
#define LINES_MAX    5000U /* of one script that are read */
#define KNOWN_MAX    128U
#define WORDS_BYTES  ((size_t)512) /* of a call, to be known again */

/* A function, or the lines of a case; or all that is outside of them. */
struct section {
	struct json_text name; /* bytes NULL: outside */
	bool is_case, is_run, is_read;
};

/* A logical line and where it is. */
struct script_line {
	struct json_text text;
	size_t section;
};

struct script {
	const struct parse_input *in;
	struct section sections[SECTIONS_MAX];
	size_t sections_len;
	struct script_line lines[LINES_MAX];
	size_t lines_len;
	bool is_cut; /* one of the caps was met */
	struct ci_found found;
};

struct ci_shells {
	struct {
		const struct parse_input *in;
		struct ci_dir dir;
		char words[WORDS_BYTES];
		size_t words_len;
		bool is_test;
	} known[KNOWN_MAX];
	size_t known_len;
	struct script *script[CI_RUNS_DEPTH]; /* one for each depth */
};

/* --- sections ----------------------------------------------------------------- */

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || strchr("_-:.", c) != NULL;
}

/* The name in "name() {" or "function name {", or bytes NULL. */
static struct json_text function_of(struct json_text line)
{
	const struct json_text none = { NULL, 0 };
	struct json_text name = line;
	bool is_function = text_begins(line, "function ");
	size_t n = 0;

	if (is_function)
		name = text_trim(text_from(line, 9));
	while (n < name.len && name.bytes[n] != '\0' &&
	       is_name_byte(name.bytes[n]))
		n++;
	if (n == 0 ||
	    (!is_function && !text_begins(text_trim(text_from(name, n)), "()")))
		return none;
	return text_first(name, n);
}

/* The patterns in "a|b)" or "(a)", or bytes NULL. */
static struct json_text case_of(struct json_text line)
{
	const struct json_text none = { NULL, 0 };
	struct json_text label;
	size_t n;

	if (text_begins(line, "("))
		line = text_from(line, 1);
	n = text_length_before(line, ")");
	label = text_first(line, n);
	if (n == line.len || n == 0 ||
	    text_length_before(label, "$(`;&<>= \t") < n)
		return none;
	return label;
}

static size_t section_add(struct script *s, struct json_text name, bool is_case)
{
	if (s->sections_len == SECTIONS_MAX) {
		s->is_cut = true;
		return SECTIONS_MAX - 1;
	}
	s->sections[s->sections_len] =
		(struct section){ .name = name, .is_case = is_case };
	return s->sections_len++;
}

static void line_add(struct script *s, struct json_text text, size_t section)
{
	if (text.len == 0 || text.bytes[0] == '#')
		return;
	if (s->lines_len == LINES_MAX)
		s->is_cut = true;
	else
		s->lines[s->lines_len++] =
			(struct script_line){ text, section };
}

/* A script on its way: the section that lines belong to, and the one around a
 * case. */
struct place {
	size_t section, outer;
	unsigned cases; /* "case" without their "esac" */
};

static void line_place(struct script *s, struct place *p, struct json_text raw)
{
	struct json_text line = text_trim(raw), name;

	if (text_begins(line, "case ") && !text_ends(line, "esac")) {
		if (p->cases++ == 0)
			p->outer = p->section;
	} else if (p->cases > 0 && text_begins(line, "esac")) {
		if (--p->cases == 0)
			p->section = p->outer;
		return;
	} else if (p->cases == 1 && (name = case_of(line)).bytes != NULL) {
		p->section = section_add(s, name, true);
		line = text_trim(
			text_from(line, text_length_before(line, ")") + 1));
	} else if (p->cases == 0 && (name = function_of(line)).bytes != NULL) {
		p->section = section_add(s, name, false);
		if (text_ends(line, "}") || text_ends(line, ")")) {
			line_add(s,
				 text_from(line,
					   text_length_before(line, "{") + 1),
				 p->section);
			p->section = text_ends(line, ")") ? p->section : 0;
		}
		return;
	} else if (p->cases == 0 && text_begins(raw, "}")) {
		p->section = 0;
		return;
	}
	line_add(s, line, p->section);
	if (p->cases == 1 && text_ends(line, ";;"))
		p->section = p->outer;
}

static void script_read(struct script *s, const struct parse_input *in)
{
	struct lines lines = { .bytes = in->bytes, .len = in->len };
	struct json_text text = { NULL, 0 };
	struct place place = { 0 };
	struct line l;

	s->in = in;
	s->is_cut = false;
	s->sections_len = s->lines_len = 0;
	(void)section_add(s, text, false);
	while (lines_next(&lines, &l)) {
		if (text.bytes == NULL)
			text.bytes = l.bytes;
		text.len = (size_t)(l.bytes + l.len - text.bytes);
		if (l.len > 0 && l.bytes[l.len - 1] == '\\')
			continue;
		line_place(s, &place, text);
		text.bytes = NULL;
	}
}

/* --- what is run -------------------------------------------------------------- */

static bool patterns_have(struct json_text patterns, struct json_text word)
{
	while (patterns.bytes != NULL) {
		struct json_text one = text_cut(patterns, '|', &patterns);

		if (text_order(text_unquote(text_trim(one)), word) == 0)
			return true;
	}
	return false;
}

/* Mark the sections that a word of the call stands for. */
static void sections_choose(struct ci *ci, struct script *s,
			    struct json_text words)
{
	for (size_t i = 1; i < s->sections_len; i++) {
		const struct section *one = &s->sections[i];
		struct json_text rest = words, word;

		(void)text_cut(rest, '\0', &rest); /* the program */
		while (rest.bytes != NULL) {
			word = text_cut(rest, '\0', &rest);
			ci->script_work += one->name.len / 4 + 1;
			if (word.len > 0 &&
			    (one->is_case
				     ? patterns_have(one->name, word)
				     : word.len > 2 &&
					       one->name.len >= word.len &&
					       memcmp(one->name.bytes +
							      one->name.len -
							      word.len,
						      word.bytes,
						      word.len) == 0))
				s->sections[i].is_run = true;
		}
	}
	s->sections[0].is_run = true;
}

/* Functions that a line calls are run, too: those whose names begin it. */
static void calls_choose(struct script *s, struct json_text line)
{
	size_t n = text_length_before(line, " \t;&|");

	for (size_t i = 1; i < s->sections_len; i++)
		if (!s->sections[i].is_case &&
		    text_order(s->sections[i].name, text_first(line, n)) == 0)
			s->sections[i].is_run = true;
}

static bool line_tests(struct ci *ci, struct script *s, struct ci_dir *dir,
		       struct json_text line, unsigned depth)
{
	calls_choose(s, line);
	ci_command_find(ci->table, line.bytes, line.len, &s->found);
	ci->script_work += s->found.work + s->sections_len;
	if (s->found.is_cut)
		ci_tell(ci, s->in, CI_TOLD_LINES, -1);
	return ci_line_tests(ci, dir, &s->found, depth + 1);
}

/* Read the sections that are run until no other one is. */
static bool sections_test(struct ci *ci, struct script *s, struct ci_dir dir,
			  unsigned depth)
{
	bool is_more = true;

	while (is_more) {
		is_more = false;
		for (size_t i = 0; i < s->sections_len; i++) {
			struct ci_dir at = dir;

			if (!s->sections[i].is_run || s->sections[i].is_read)
				continue;
			s->sections[i].is_read = is_more = true;
			for (size_t k = 0; k < s->lines_len; k++)
				if (s->lines[k].section == i &&
				    (ci_is_spent(ci) ||
				     line_tests(ci, s, &at, s->lines[k].text,
						depth)))
					return !ci_is_spent(ci);
			ci->script_work += s->lines_len / 4;
		}
	}
	return false;
}

/* "--skip-tests" and its kind. */
static bool is_kept_from(struct json_text words)
{
	return text_has(words, "skip-test") || text_has(words, "no-test") ||
	       text_has(words, "without-test");
}

static bool script_tests(struct ci *ci, struct ci_dir dir,
			 const struct parse_input *in, struct json_text words,
			 unsigned depth)
{
	struct ci_shells *known = ci->shells;

	if (known->script[depth] == NULL)
		known->script[depth] = calloc(1, sizeof(struct script));
	if (known->script[depth] == NULL) {
		ci_tell(ci, in, CI_TOLD_MEMORY, -1);
		return false;
	}
	ci->script_work += in->len / 4;
	script_read(known->script[depth], in);
	if (known->script[depth]->is_cut)
		ci_tell(ci, in, CI_TOLD_SECTIONS, -1);
	sections_choose(ci, known->script[depth], words);
	return sections_test(ci, known->script[depth], dir, depth);
}

static bool is_same(const struct ci_dir *a, const struct ci_dir *b)
{
	return a->is_unknown == b->is_unknown && a->len == b->len &&
	       memcmp(a->bytes, b->bytes, a->len) == 0;
}

bool ci_shell_find(struct ci *ci, const struct ci_dir *dir,
		   struct json_text words, unsigned depth)
{
	struct json_text program = text_cut(words, '\0', NULL);
	const struct parse_input *in = ci_script_file(ci, *dir, program);
	const size_t turned_back = ci->turned_back;
	struct ci_shells *s = ci->shells;
	bool is_test;

	if (in == NULL || !input_is_own(in) || is_kept_from(words))
		return false;
	if (in->is_name_only) {
		ci_tell(ci, in, CI_TOLD_UNREAD, -1);
		return false;
	}
	if (s == NULL)
		s = ci->shells = calloc(1, sizeof *s);
	if (s == NULL) {
		ci_tell(ci, in, CI_TOLD_MEMORY, -1);
		return false;
	}
	for (size_t i = 0; i < s->known_len; i++)
		if (s->known[i].in == in && is_same(&s->known[i].dir, dir) &&
		    s->known[i].words_len == words.len &&
		    memcmp(s->known[i].words, words.bytes, words.len) == 0)
			return s->known[i].is_test;
	if (!ci_run_begin(ci, depth, in, words))
		return false;
	is_test = script_tests(ci, *dir, in, words, depth);
	if (s->known_len < KNOWN_MAX && words.len < WORDS_BYTES &&
	    !ci_is_spent(ci) && ci->turned_back == turned_back) {
		s->known[s->known_len].in = in;
		s->known[s->known_len].dir = *dir;
		s->known[s->known_len].words_len = words.len;
		s->known[s->known_len].is_test = is_test;
		memcpy(s->known[s->known_len++].words, words.bytes, words.len);
	}
	return is_test;
}

void ci_shells_done(struct ci *ci)
{
	for (size_t i = 0; ci->shells != NULL && i < CI_RUNS_DEPTH; i++)
		free(ci->shells->script[i]);
	free(ci->shells);
	ci->shells = NULL;
}
