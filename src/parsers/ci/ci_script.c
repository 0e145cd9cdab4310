/* ci_script.c -- scripts and steps: what they test, which images they build.
 * See ci.h. */
#include <string.h>

#include "base/utf8.h"
#include "parsers/ci/ci.h"
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
	text_put(w, "command", command);
}

static void test_add(struct ci_flow *f, struct json_text command,
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
	text_put(w, "context", b->context);
	text_put(w, "repository", b->repository);
	jsonw_array(w, "tags");
	for (size_t i = 0; i < b->tags_len; i++)
		jsonw_bytes(w, NULL, b->tags[i].bytes, b->tags[i].len);
	jsonw_end_array(w);
	ci_flow_item_end(f, CI_IMAGES);
}

static struct json_text trim(struct json_text t)
{
	while (t.len > 0 && (t.bytes[0] == ' ' || t.bytes[0] == '\t')) {
		t.bytes++;
		t.len--;
	}
	while (t.len > 0 && strchr(" \t\r\n", t.bytes[t.len - 1]) != NULL)
		t.len--;
	return t;
}

/* more: lines of the script before this one. */
static void command_take(struct ci_flow *f, struct json_text command,
			 struct ci_origin from, size_t more)
{
	struct json_text none = { NULL, 0 };
	struct ci_found found;
	size_t line;

	command = trim(command);
	if (command.len == 0 || command.bytes[0] == '#')
		return;
	ci_command_find(f->ci->table, command.bytes, command.len, &found);
	f->ci->script_work += found.work;
	if (found.is_cut)
		ci_flow_tell(f, CI_TOLD_LONG, (int64_t)from.offset);
	if (found.tests_len == 0 && found.builds_len == 0 &&
	    !ci_value_find(f, command, &found))
		return;
	line = ci_flow_line(f, from.offset) + from.header +
	       (from.is_literal ? more : 0);
	if (found.tests_len > 0)
		test_add(f, command, none, line, &found);
	for (size_t i = 0; i < found.builds_len; i++)
		ci_flow_build(f, command, none, line, &found.builds[i]);
}

/* The word that ends a here document which begins in this line, or nothing.  If
 * a shell reads the document, its lines are commands like all others. */
static struct json_text here_end(struct json_text line)
{
	struct json_text none = { NULL, 0 }, word;
	const char *at, *end = line.bytes + line.len;

	line = trim(line);
	if (line.len > 2 && (memcmp(line.bytes, "sh ", 3) == 0 ||
			     memcmp(line.bytes, "ssh", 3) == 0 ||
			     memcmp(line.bytes, "bas", 3) == 0))
		return none;
	at = line.len > 0 ? memmem(line.bytes, line.len, "<<", 2) : NULL;
	if (at == NULL || (at += 2) == end || *at == '<')
		return none;
	if (*at == '-' || *at == '~')
		at++;
	while (at < end && *at == ' ')
		at++;
	if (at < end && (*at == '\'' || *at == '"' || *at == '\\'))
		at++;
	word.bytes = at;
	while (at < end &&
	       (*at == '_' || (*at >= 'A' && *at <= 'Z') ||
		(*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9')))
		at++;
	word.len = (size_t)(at - word.bytes);
	/* "<< parameters.x >>" is an expression. */
	if (word.len == 0 || (at < end && (*at == '.' || *at == '[')) ||
	    memmem(at, (size_t)(end - at), " >>", 3) == at)
		return none;
	return word;
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

/* An input by name; names of inputs are the same in any case. */
static const struct yaml_node *input_of(const struct yaml_node *inputs,
					struct json_text name)
{
	if (inputs == NULL || inputs->type != YAML_MAPPING || name.len == 0)
		return NULL;
	for (size_t i = 0; i < inputs->u.mapping.len; i++) {
		const struct yaml_node *key = inputs->u.mapping.pairs[i].key;

		if (key->type == YAML_SCALAR && key->u.text.len == name.len &&
		    strncasecmp(key->u.text.bytes, name.bytes, name.len) == 0)
			return inputs->u.mapping.pairs[i].value;
	}
	return NULL;
}

static void tag_take(struct ci_flow *f, struct ci_build *b,
		     struct json_text tag, const struct yaml_node *n)
{
	if (tag.len > 0 && b->tags_len == CI_TAGS_MAX)
		ci_flow_tell(f, CI_TOLD_LONG, (int64_t)n->offset);
	else if (tag.len > 0)
		b->tags[b->tags_len++] = tag;
}

/* Tags come as a list, or one to a line. */
static void tags_take(struct ci_flow *f, struct ci_build *b,
		      const struct yaml_node *n)
{
	struct json_text text = ci_text(f, n);
	struct lines lines = { .bytes = text.bytes, .len = text.len };
	struct line l;

	while (lines_next(&lines, &l))
		tag_take(f, b, trim((struct json_text){ l.bytes, l.len }), n);
	if (n == NULL || n->type != YAML_SEQUENCE)
		return;
	for (size_t i = 0; i < n->u.sequence.len; i++)
		tag_take(f, b, ci_text(f, n->u.sequence.items[i]), n);
}

/* The condition holds for the input, or for one of its list. */
static bool is_fitting(struct ci_flow *f, const struct ci_step *step,
		       const struct yaml_node *n)
{
	if (n == NULL || n->type != YAML_SEQUENCE)
		return ci_step_fits(step, ci_text(f, n));
	for (size_t i = 0; i < n->u.sequence.len; i++)
		if (ci_step_fits(step, ci_text(f, n->u.sequence.items[i])))
			return true;
	return false;
}

static void step_take(struct ci_flow *f, struct json_text name, size_t line,
		      const struct ci_step *step,
		      const struct yaml_node *inputs)
{
	struct json_text none = { NULL, 0 };
	struct json_text value =
		ci_text(f, input_of(inputs, ci_step_input(step)));
	struct ci_build b = { .tool = step->name };
	struct ci_found found;

	if (step->kind == CI_STEP_SCRIPT) {
		ci_flow_script(f, input_of(inputs, step->inputs[0]));
		return;
	}
	if (!is_fitting(f, step, input_of(inputs, ci_step_input(step))))
		return;
	if (step->kind == CI_STEP_TEST) {
		found.tests[0] = step->name;
		found.tests_len = 1;
		test_add(f, value, name, line, &found);
		return;
	}
	b.dockerfile = ci_text(f, input_of(inputs, step->inputs[0]));
	b.context = ci_text(f, input_of(inputs, step->inputs[1]));
	tags_take(f, &b, input_of(inputs, step->inputs[2]));
	b.repository = ci_text(f, input_of(inputs, step->inputs[3]));
	ci_flow_build(f, none, name, line, &b);
}

void ci_flow_step(struct ci_flow *f, const struct yaml_node *name,
		  const struct yaml_node *inputs)
{
	struct json_text text = ci_text(f, name);
	struct ci_step step;

	for (size_t at = 0;
	     text.bytes != NULL && ci_step_find(f->ci->table, text, at, &step);
	     at++)
		step_take(f, text, ci_flow_line(f, name->offset), &step,
			  inputs);
}
