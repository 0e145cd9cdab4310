/* tests_glob.c -- a pattern of jest's as one of base/glob.h.  Source: micromatch. */
#include <string.h>

#include "parsers/tests/tests.h"

#define GROUPS_MAX 8U /* groups in groups, of one pattern */

/* The groups that are open in a pattern: whether each began with a '('. */
struct groups {
	bool is_round[GROUPS_MAX];
	size_t len;
};

static bool is_round(const struct groups *g)
{
	return g->len > 0 && g->is_round[g->len - 1];
}

static bool group_open(struct groups *g, bool round)
{
	if (g->len == GROUPS_MAX)
		return false;
	g->is_round[g->len++] = round;
	return true;
}

/* What stands for c in a pattern of ours, at most two bytes; NULL: nothing does.
 * ret_taken is 2 if the byte behind c belongs to it. */
static const char *glob_byte(struct groups *g, char c, char after,
			     size_t *ret_taken)
{
	*ret_taken = 1;
	if (after == '(' && c != '\0' && strchr("?+@*!", c) != NULL) {
		*ret_taken = 2;
		if (c == '*' || c == '!' || !group_open(g, true))
			return NULL;
		return c == '?' ? "{," : "{";
	}
	if (c == '(' || c == '{')
		return group_open(g, c == '(') ? "{" : NULL;
	if (c == ')' || c == '}') {
		if (g->len == 0 || is_round(g) != (c == ')'))
			return NULL;
		g->len--;
		return "}";
	}
	if (c == '|' || (c == ',' && is_round(g)))
		return c == '|' && is_round(g) ? "," : NULL;
	return c == '\\' || (c == '.' && after == '.') ? NULL : "";
}

size_t tests_glob_translate(struct json_text t, char *out)
{
	struct groups groups = { .len = 0 };
	size_t len = 0, taken;
	bool in_class = false;

	for (size_t i = 0; i < t.len; i += taken) {
		const char c = t.bytes[i];
		const char after = i + 1 < t.len ? t.bytes[i + 1] : '\0';
		const char *put = "";

		taken = 1;
		if (in_class)
			in_class = c != ']';
		else if (c == '[')
			in_class = true;
		else
			put = glob_byte(&groups, c, after, &taken);
		if (put == NULL)
			return 0;
		if (*put == '\0')
			out[len++] = c;
		while (*put != '\0')
			out[len++] = *put++;
	}
	return groups.len == 0 && !in_class ? len : 0;
}
