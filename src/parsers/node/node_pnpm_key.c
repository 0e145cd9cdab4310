/* node_pnpm_key.c -- the names of a pnpm lockfile's packages.
 *
 * Source: pnpm's specification of lockfiles 5.x, 6.0 and 9.0 ("dependency
 * paths"). */
#include <string.h>

#include "parsers/node/node.h"

/* Up to one of stop, or all of it. */
static size_t span_len(struct json_text t, size_t from, const char *stop)
{
	size_t i = from;

	while (i < t.len &&
	       (t.bytes[i] == '\0' || strchr(stop, t.bytes[i]) == NULL))
		i++;
	return i;
}

/* "a" or "@a/b" at the front. */
static size_t name_len(struct json_text t)
{
	size_t len = span_len(t, 0, "/");

	if (t.len > 0 && t.bytes[0] == '@' && len < t.len)
		len = span_len(t, len + 1, "/");
	return len;
}

static void split_before_6(struct json_text key, struct json_text *ret_name,
			   struct json_text *ret_version)
{
	size_t name, end;

	*ret_name = key;
	if (key.len == 0 || key.bytes[0] != '/')
		return; /* a file, a tarball, git: the entry has its name */
	key.bytes++;
	key.len--;
	name = name_len(key);
	if (name + 1 >= key.len)
		return;
	end = span_len(key, name + 1, "/_(");
	*ret_name = (struct json_text){ key.bytes, name };
	*ret_version =
		(struct json_text){ key.bytes + name + 1, end - name - 1 };
}

void node_pnpm_key_split(struct json_text key, bool is_before_6,
			 struct json_text *ret_name,
			 struct json_text *ret_version)
{
	*ret_version = (struct json_text){ NULL, 0 };
	if (is_before_6) {
		split_before_6(key, ret_name, ret_version);
		return;
	}
	if (key.len > 0 && key.bytes[0] == '/') {
		key.bytes++;
		key.len--;
	}
	key.len = span_len(key, 0, "(");
	node_text_split(key, ret_name, ret_version);
}
