/* ci_variable.c -- variables with literal values in a command.  See ci.h. */
#include <string.h>

#include "base/buf.h"
#include "parsers/ci/ci.h"

struct json_text ci_variable_find(const struct ci_variables *v,
				  struct json_text name)
{
	for (size_t i = 0; v != NULL && i < v->len; i++)
		if (text_order(v->items[i].name, name) == 0)
			return v->items[i].value;
	return (struct json_text){ NULL, 0 };
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

/* rest begins behind a '$'.  Cut "name", "{name}" or "{env.name}" off; bytes
 * NULL: it is something else, and rest stays. */
static struct json_text variable_cut(struct json_text *rest)
{
	const bool is_braced = text_begins(*rest, "{");
	struct json_text t = text_from(*rest, is_braced);
	size_t n = 0;

	if (is_braced && text_begins(t, "env."))
		t = text_from(t, 4);
	while (n < t.len && is_name(t.bytes[n]))
		n++;
	if (n == 0 || (is_braced && (n == t.len || t.bytes[n] != '}')))
		return (struct json_text){ NULL, 0 };
	*rest = text_from(t, n + is_braced);
	t.len = n;
	return t;
}

/* Whether a variable with a known value stands in the command; out is the
 * command with it. */
static bool variables_put(const struct ci_flow *f, struct json_text command,
			  struct buf *out)
{
	struct json_text rest = command, before, name, value;
	bool is_there = false;

	while (rest.bytes != NULL) {
		before = text_cut(rest, '$', &rest);
		buf_add(out, before.bytes, before.len);
		if (rest.bytes == NULL)
			break;
		before = rest;
		name = variable_cut(&rest);
		value = ci_variable_find(f->variables, name);
		if (value.bytes != NULL) {
			buf_add(out, value.bytes, value.len);
			is_there = true;
			continue;
		}
		buf_char(out, '$');
		rest = before;
	}
	return is_there && !buf_has_failed(out);
}

bool ci_variables_try(struct ci_flow *f, struct json_text command,
		      struct ci_found *found)
{
	owned_buf struct buf line = { .cap_bytes = CI_LINE_BYTES };

	if (f->variables == NULL || !variables_put(f, command, &line))
		return false;
	ci_command_find(f->ci->table, line.bytes, line.len, found);
	f->ci->script_work += found->work;
	return found->tests_len > 0;
}
