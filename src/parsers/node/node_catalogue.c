/* node_catalogue.c -- native modules known by name, sorted for look-up.
 *
 * The catalogue is data (profiles/data/native-modules.txt): one name a line, a
 * '*' at its end for every name that begins so, '#' for a comment. */
#include <stdlib.h>
#include <string.h>

#include "parsers/node/node.h"

extern const char native_modules[], native_modules_end[]; /* parse_data.S */

static size_t lines_count(void)
{
	size_t lines = 1;

	for (const char *at = native_modules; at < native_modules_end; at++)
		lines += *at == '\n';
	return lines;
}

static int name_compare(const void *a, const void *b)
{
	return text_order(*(const struct json_text *)a,
			  *(const struct json_text *)b);
}

static void line_take(struct node_catalogue *c, struct json_text line)
{
	if (line.len == 0 || line.bytes[0] == '#')
		return;
	if (line.bytes[line.len - 1] != '*') {
		c->names[c->names_len++] = line;
		return;
	}
	line.len--;
	c->prefixes[c->prefixes_len++] = line;
}

void node_catalogue_read(struct node *n)
{
	struct node_catalogue *c = &n->catalogue;
	const char *at = native_modules;
	size_t lines = lines_count();

	c->names = calloc(lines, sizeof *c->names);
	c->prefixes = calloc(lines, sizeof *c->prefixes);
	if (c->names == NULL || c->prefixes == NULL)
		return;
	while (at < native_modules_end) {
		size_t left = (size_t)(native_modules_end - at);
		const char *eol = memchr(at, '\n', left);
		size_t len = eol ? (size_t)(eol - at) : left;

		line_take(c, (struct json_text){ at, len });
		at += len + 1;
	}
	qsort(c->names, c->names_len, sizeof *c->names, name_compare);
}

void node_catalogue_done(struct node *n)
{
	free(n->catalogue.names);
	free(n->catalogue.prefixes);
	n->catalogue = (struct node_catalogue){ 0 };
}

struct json_text node_native_family(const struct node *n, struct json_text name)
{
	const struct node_catalogue *c = &n->catalogue;

	for (size_t i = 0; i < c->prefixes_len; i++)
		if (name.len >= c->prefixes[i].len &&
		    memcmp(name.bytes, c->prefixes[i].bytes,
			   c->prefixes[i].len) == 0)
			return (struct json_text){ c->prefixes[i].bytes,
						   c->prefixes[i].len + 1 };
	return (struct json_text){ NULL, 0 };
}

bool node_native_is_known(const struct node *n, struct json_text name)
{
	const struct node_catalogue *c = &n->catalogue;

	if (node_native_family(n, name).bytes != NULL)
		return true;
	return c->names_len > 0 && bsearch(&name, c->names, c->names_len,
					   sizeof name, name_compare) != NULL;
}
