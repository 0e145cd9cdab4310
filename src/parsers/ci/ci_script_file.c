/* ci_script_file.c -- which file of the repository a script is.  See ci_shell.h. */
#include <string.h>

#include "parsers/ci/ci.h"
#include "parsers/ci/ci_shell.h"

/* The only script whose path ends so, where variables stand before it; one that
 * was read comes before those that were not. */
static const struct parse_input *only_find(struct ci *ci, struct json_text end)
{
	const struct parse_input *hit = NULL, *unread = NULL;

	ci->script_work += ci->inputs->len / 4;
	for (size_t i = 0; i < ci->inputs->len; i++) {
		const struct parse_input *in = &ci->inputs->items[i];
		const size_t n = in->name_len;

		if (n < end.len ||
		    memcmp(in->name + n - end.len, end.bytes, end.len) != 0 ||
		    (n > end.len && in->name[n - end.len - 1] != '/'))
			continue;
		if (in->is_name_only)
			unread = in;
		else if (hit != NULL)
			return NULL;
		else
			hit = in;
	}
	return hit != NULL ? hit : unread;
}

const struct parse_input *ci_script_file(struct ci *ci, struct ci_dir dir,
					 struct json_text path)
{
	const char *slash = memrchr(path.bytes, '/', path.len);
	struct json_text base = path, rest = path, one;
	char name[CI_BASE_BYTES];

	/* Behind the last part that is not literal. */
	for (bool is_literal = true; rest.bytes != NULL;) {
		one = text_cut(rest, '/', &rest);
		if (text_length_before(one, "$`{<") < one.len) {
			is_literal = false;
			base = rest;
		}
		if (rest.bytes == NULL && !is_literal)
			return base.bytes != NULL && base.len > 3
				       ? only_find(ci, base)
				       : NULL;
	}
	if (slash != NULL) {
		const size_t n = (size_t)(slash - path.bytes);

		base = text_from(path, n + 1);
		ci_dir_enter(&dir, text_first(path, n));
	}
	if (dir.is_unknown || base.len >= sizeof name)
		return NULL;
	memcpy(name, base.bytes, base.len);
	name[base.len] = '\0';
	return input_find(ci->inputs, dir.bytes, dir.len, name);
}
