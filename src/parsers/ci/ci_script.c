/* ci_script.c -- scripts: what they test, which images they build.
 * See ci.h. */
#include <string.h>

#include "base/utf8.h"
#include "parsers/ci/ci.h"
#include "parsers/ci/ci_words.h"
#include "parsers/common/address_clean.h"
#include "parsers/common/here_document.h"
#include "parsers/common/lines.h"

/* A command as written, cut to CI_COMMAND_BYTES. */
static void command_write(struct ci_flow *f, struct jsonw *w,
			  struct json_text command)
{
	if (command.len > CI_COMMAND_BYTES) {
		command.len =
			utf8_cut(command.bytes, command.len, CI_COMMAND_BYTES);
		ci_flow_tell(f, CI_TOLD_CUT, -1);
	}
	address_put(w, "command", command, ADDRESS_COMMAND);
}

void ci_flow_test(struct ci_flow *f, struct json_text command,
		  struct json_text step, size_t line,
		  const struct ci_found *found)
{
	struct jsonw *w;

	if (f->lists[CI_TESTS].is_cut)
		return;
	w = ci_flow_item(f, CI_TESTS, line);
	jsonw_array(w, "runners");
	for (size_t i = 0; i < found->tests_len; i++)
		jsonw_bytes(w, NULL, found->tests[i].bytes,
			    found->tests[i].len);
	jsonw_end_array(w);
	command_write(f, w, command);
	text_put(w, "step", step);
	ci_flow_item_end(f, CI_TESTS);
}

void ci_flow_build(struct ci_flow *f, struct json_text command,
		   struct json_text step, size_t line, const struct ci_build *b)
{
	struct jsonw *w;

	if (f->lists[CI_IMAGES].is_cut)
		return;
	w = ci_flow_item(f, CI_IMAGES, line);
	jsonw_bytes(w, "tool", b->tool.bytes, b->tool.len);
	command_write(f, w, command);
	text_put(w, "step", step);
	text_put(w, "dockerfile", b->dockerfile);
	address_put(w, "context", b->context, ADDRESS_TEXT);
	address_put(w, "repository", b->repository, ADDRESS_TEXT);
	jsonw_array(w, "tags");
	for (size_t i = 0; i < b->tags_len; i++)
		jsonw_bytes(w, NULL, b->tags[i].bytes, b->tags[i].len);
	jsonw_end_array(w);
	ci_flow_item_end(f, CI_IMAGES);
}

/* more: lines of the script before this one. */
static void command_take(struct ci_flow *f, struct json_text command,
			 struct ci_origin from, size_t more)
{
	const struct json_text none = { NULL, 0 };
	struct ci_found found;
	size_t line;

	command = text_trim_lines(command);
	if (command.len == 0 || command.bytes[0] == '#')
		return;
	line = ci_flow_line(f, from.offset) + from.header +
	       (from.is_literal ? more : 0);
	ci_command_find(f->ci->table, command.bytes, command.len, &found);
	f->ci->script_work += found.work;
	if (found.tests_len > 0)
		ci_flow_test(f, command, none, line, &found);
	for (size_t i = 0; i < found.builds_len; i++)
		ci_flow_build(f, command, none, line, &found.builds[i]);
	if (found.is_cut)
		ci_flow_tell(f, CI_TOLD_LONG, (int64_t)from.offset);
}

static bool is_word(struct json_text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (!text_is_word_byte(t.bytes[i]))
			return false;
	return t.len > 0;
}

/* The word that ends a here document which begins in this line, or nothing.  If
 * a shell reads the document, its lines are commands like all others.
 * "<< parameters.x >>" is an expression. */
static struct json_text here_end(struct json_text line)
{
	const struct json_text none = { NULL, 0 };
	struct json_text before = none;
	bool has_tabs;
	struct json_text word = here_word_cut(&line, &before, &has_tabs);

	if (text_begins(word, "\\"))
		word = text_from(word, 1);
	return is_word(word) && !ci_words_run_shell(before) ? word : none;
}

#define HERE_BYTES ((size_t)64 << 10) /* searched for a document's end */
#define HERE_TRIES 64U /* searches without a find; then no more are made */

/* Whether the word stands alone in a line of what follows. */
static bool has_end(const struct lines *from, struct json_text word)
{
	size_t len = from->len - from->at;
	const char *at = from->bytes + from->at;

	if (len > HERE_BYTES)
		len = HERE_BYTES;
	return here_end_find(at, at + len, word, HERE_ALL_BLANKS) != NULL;
}

static bool is_continued(const struct line *l)
{
	return l->len > 0 && l->bytes[l->len - 1] == '\\';
}

void ci_flow_commands(struct ci_flow *f, struct json_text text,
		      struct ci_origin from)
{
	struct lines lines = { .bytes = text.bytes, .len = text.len };
	struct json_text here = { NULL, 0 }, command = { NULL, 0 };
	size_t begun = 0, tries = 0;
	struct line l;

	while (ci_flow_may_go_on(f, from.offset) && lines_next(&lines, &l)) {
		struct json_text line = { l.bytes, l.len };

		f->ci->script_work += l.len / 4;
		if (here.bytes != NULL) {
			if (here_is_end(line, here, HERE_ALL_BLANKS))
				here.bytes = NULL;
			continue;
		}
		if (command.bytes == NULL) {
			command = line;
			begun = l.number;
		}
		command.len =
			l.offset + l.len - (size_t)(command.bytes - text.bytes);
		if (is_continued(&l) && lines.at < lines.len)
			continue;
		command_take(f, command, from, begun - 1);
		command.bytes = NULL;
		here = here_end(line);
		if (here.bytes != NULL &&
		    (tries == HERE_TRIES || !has_end(&lines, here))) {
			tries += tries < HERE_TRIES;
			here.bytes = NULL;
		}
	}
}

/* The line of a scalar's text: a literal block's begins behind its header; of
 * other scalars only the first line is known. */
static void scalar_take(struct ci_flow *f, const struct yaml_node *n)
{
	struct ci_origin from = { .offset = n->offset };

	if (n->offset < f->in->len && f->in->bytes[n->offset] == '|') {
		from.header = 1;
		from.is_literal = true;
	}
	ci_flow_commands(f, n->u.text, from);
}

static void script_take(struct ci_flow *f, const struct yaml_node *n,
			unsigned depth)
{
	if (n == NULL)
		return;
	if (depth > CI_NESTED_MAX)
		ci_flow_tell(f, CI_TOLD_NESTED, (int64_t)n->offset);
	else if (n->type == YAML_SCALAR)
		scalar_take(f, n);
	else if (n->type == YAML_SEQUENCE)
		for (size_t i = 0; i < n->u.sequence.len; i++)
			script_take(f, n->u.sequence.items[i], depth + 1);
}

void ci_flow_script(struct ci_flow *f, const struct yaml_node *n)
{
	script_take(f, n, 0);
}
