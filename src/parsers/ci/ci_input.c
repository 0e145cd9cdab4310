/* ci_input.c -- steps by name with their inputs: what they test, which images they
 * build.  See ci.h. */
#include <string.h>

#include "parsers/ci/ci.h"
#include "parsers/common/lines.h"

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
		tag_take(f, b,
			 text_trim_lines((struct json_text){ l.bytes, l.len }),
			 n);
	if (n == NULL || n->type != YAML_SEQUENCE)
		return;
	for (size_t i = 0; i < n->u.sequence.len; i++)
		tag_take(f, b, ci_text(f, n->u.sequence.items[i]), n);
}

static bool fits(struct ci_flow *f, const struct ci_step *step,
		 struct json_text value)
{
	f->ci->script_work += value.len * CI_STEP_WORK;
	return ci_step_fits(step, value);
}

/* The condition holds for the input, or for one of its list. */
static bool is_fitting(struct ci_flow *f, const struct ci_step *step,
		       const struct yaml_node *n)
{
	if (n != NULL && !ci_flow_may_go_on(f, n->offset))
		return false;
	if (n == NULL || n->type != YAML_SEQUENCE)
		return fits(f, step, ci_text(f, n));
	for (size_t i = 0; i < n->u.sequence.len && !ci_is_spent(f->ci); i++)
		if (fits(f, step, ci_text(f, n->u.sequence.items[i])))
			return true;
	return false;
}

static void test_tell(struct ci_flow *f, struct json_text name, size_t line,
		      const struct ci_step *step, struct json_text value)
{
	struct ci_found found;

	found.tests[0] = step->name;
	found.tests_len = 1;
	ci_flow_test(f, value, name, line, &found);
}

static void step_take(struct ci_flow *f, struct json_text name, size_t line,
		      const struct ci_step *step,
		      const struct yaml_node *inputs)
{
	const struct yaml_node *input = input_of(inputs, ci_step_input(step));
	struct json_text none = { NULL, 0 };
	struct ci_build b = { .tool = step->name };

	if (step->kind == CI_STEP_SCRIPT) {
		ci_flow_script(f, input_of(inputs, step->inputs[0]));
		return;
	}
	if (!is_fitting(f, step, input))
		return;
	if (step->kind == CI_STEP_TEST) {
		test_tell(f, name, line, step, ci_text(f, input));
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
