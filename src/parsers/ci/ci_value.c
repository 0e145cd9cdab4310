/* ci_value.c -- a command whose words come from a matrix or from inputs: what
 * it does with each of their values.  See ci.h.
 * Source: GitHub's workflow syntax, "jobs.<job_id>.strategy.matrix" and
 * "on.workflow_call.inputs". */
#include <string.h>

#include "base/buf.h"
#include "parsers/ci/ci.h"

#define NAME_BYTES 64U
#define VALUES_MAX 16U /* that are tried for one command */

/* A command with one expression in it, and how many values are left to try. */
struct trial {
	struct ci_flow *f;
	struct json_text before, after; /* of the expression */
	struct ci_found *found;
	unsigned left;
};

/* Cut "${{ matrix.a.b }}" out of the command; ret_path is "matrix.a.b". */
static bool expression_find(struct json_text command, struct trial *t,
			    struct json_text *ret_path)
{
	const char *end = command.bytes + command.len;
	const char *open = memmem(command.bytes, command.len, "${{", 3);
	const char *close =
		open != NULL ? memmem(open, (size_t)(end - open), "}}", 2)
			     : NULL;

	if (close == NULL)
		return false;
	t->before = (struct json_text){ command.bytes,
					(size_t)(open - command.bytes) };
	t->after = text_from(command, (size_t)(close + 2 - command.bytes));
	*ret_path = text_trim(
		(struct json_text){ open + 3, (size_t)(close - open - 3) });
	return true;
}

static const struct yaml_node *member(const struct yaml_node *n,
				      struct json_text name)
{
	char text[NAME_BYTES];

	if (name.len == 0 || name.len >= sizeof text)
		return NULL;
	memcpy(text, name.bytes, name.len);
	text[name.len] = '\0';
	return yaml_find(n, text);
}

/* What stands at the path below n: each item of a sequence on the way counts,
 * so that this is tried for all of them.  Returns whether one is a test. */
static bool value_try(struct trial *t, const struct yaml_node *n,
		      struct json_text path, unsigned depth)
{
	owned_buf struct buf line = { .cap_bytes = CI_LINE_BYTES };
	struct json_text rest, name;

	if (n == NULL || depth > CI_NESTED_MAX || t->left == 0)
		return false;
	if (n->type == YAML_SEQUENCE) {
		for (size_t i = 0; i < n->u.sequence.len; i++)
			if (value_try(t, n->u.sequence.items[i], path,
				      depth + 1))
				return true;
		return false;
	}
	if (path.len > 0) {
		name = text_cut(path, '.', &rest);
		return value_try(t, member(n, name), rest, depth + 1);
	}
	if (n->type != YAML_SCALAR)
		return false;
	t->left--;
	buf_add(&line, t->before.bytes, t->before.len);
	buf_add(&line, n->u.text.bytes, n->u.text.len);
	buf_add(&line, t->after.bytes, t->after.len);
	if (buf_has_failed(&line) || line.bytes == NULL)
		return false;
	ci_command_find(t->f->ci->table, line.bytes, line.len, t->found);
	t->f->ci->script_work += t->found->work;
	return t->found->tests_len > 0;
}

bool ci_value_find(struct ci_flow *f, struct json_text command,
		   struct ci_found *found)
{
	struct trial t = { .f = f, .found = found, .left = VALUES_MAX };
	struct json_text path, rest, first;
	const struct yaml_node *input;

	if (!expression_find(command, &t, &path))
		return false;
	first = text_cut(path, '.', &rest);
	if (text_is(first, "matrix"))
		return value_try(&t, f->matrix, rest, 0) ||
		       value_try(&t, yaml_find(f->matrix, "include"), rest, 0);
	if (!text_is(first, "inputs"))
		return false;
	input = member(f->inputs, rest);
	return value_try(&t, yaml_find(input, "default"), TEXT(""), 0) ||
	       value_try(&t, yaml_find(input, "options"), TEXT(""), 0);
}
