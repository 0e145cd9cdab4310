/* idle.c -- see idle.h. */
#include "jobs/gate/kinds/idle.h"

#include <stddef.h>
#include <string.h>

#define BLANKS " \t\r\n"

static struct json_text trim(struct json_text t)
{
	while (t.len > 0 && strchr(BLANKS "({", t.bytes[0]) != NULL) {
		t.bytes++;
		t.len--;
	}
	while (t.len > 0 && strchr(BLANKS ")}", t.bytes[t.len - 1]) != NULL)
		t.len--;
	return t;
}

static bool word_is(struct json_text t, const char *word)
{
	size_t n = strlen(word);

	return t.len >= n && memcmp(t.bytes, word, n) == 0 &&
	       (t.len == n || strchr(BLANKS, t.bytes[n]) != NULL);
}

/* "exit" and "exit 0"; "exit 1" fails, so it does something. */
static bool is_good_exit(struct json_text t)
{
	struct json_text rest;

	if (!word_is(t, "exit"))
		return false;
	rest = trim((struct json_text){ t.bytes + 4, t.len - 4 });
	return rest.len == 0 || (rest.len == 1 && rest.bytes[0] == '0');
}

static bool part_is_idle(struct json_text t)
{
	static const char *const words[] = { "echo", "printf", "true", ":",
					     "sleep" };

	if (t.len == 0 || is_good_exit(t))
		return true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (word_is(t, words[i]))
			return true;
	return false;
}

/* The first part, up to an operator.  *ret_rest begins after the operator.
 * *ret_joint is '&' for "&&", '|' for "||", ';' for a pipe and ';', and 0 at
 * the end. */
static struct json_text part_take(struct json_text t,
				  struct json_text *ret_rest, char *ret_joint)
{
	for (size_t i = 0; i < t.len; i++) {
		char c = t.bytes[i];
		bool is_double = (c == '&' || c == '|') && i + 1 < t.len &&
				 t.bytes[i + 1] == c;
		size_t behind = i + (is_double ? 2 : 1);

		if (c != ';' && c != '\n' && c != '|' && c != '&')
			continue;
		*ret_joint = is_double ? c : ';';
		*ret_rest =
			(struct json_text){ t.bytes + behind, t.len - behind };
		return (struct json_text){ t.bytes, i };
	}
	*ret_joint = '\0';
	*ret_rest = (struct json_text){ t.bytes + t.len, 0 };
	return t;
}

/* is_idle: the status of what has been read is 0, whatever it ran. */
bool script_is_idle(struct json_text command)
{
	bool is_idle = true;
	char joint = ';';

	command = trim(command);
	while (joint != '\0') {
		struct json_text rest, part;
		char next;

		part = trim(part_take(command, &rest, &next));
		if (is_good_exit(part) && (joint == ';' || is_idle))
			return true;
		if (joint == '&')
			is_idle = is_idle && part_is_idle(part);
		else if (joint == '|')
			is_idle = is_idle || part_is_idle(part);
		else if (part.len > 0)
			is_idle = part_is_idle(part);
		joint = next;
		command = rest;
	}
	return is_idle;
}
