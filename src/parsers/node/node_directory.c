/* node_directory.c -- packages that a manifest or a lockfile takes from a
 * directory. */
#include <string.h>

#include "base/name.h"
#include "parsers/node/node.h"

/* What stands before the path.  Source: docs.npmjs.com, "package.json", local
 * paths; yarnpkg.com, "Protocols". */
static const char *const prefixes[] = { "file:", "link:", "portal:", "" };
static const char *const archives[] = { ".tgz", ".tar.gz", ".tar" };

static void note(struct node *n, const struct parse_input *in, size_t offset,
		 struct json_text path)
{
	owned_buf struct buf text = { .cap_bytes = PARSE_STRING_BYTES };

	buf_text(&text, "no package.json was read in the directory ");
	name_write(&text, path.bytes, path.len);
	report_note(&n->report->warnings, "directory_unread", in,
		    (int64_t)offset,
		    buf_has_failed(&text)
			    ? "no package.json was read in a directory"
			    : text.bytes);
}

void node_directory_look(struct node *n, const struct parse_input *in,
			 size_t offset, struct json_text path)
{
	const struct json_text here = { in->name, input_dir_len(in) };
	owned_buf struct buf dir = { .cap_bytes = PARSE_STRING_BYTES };

	if (!node_path_join(&dir, here, path) ||
	    node_package_find(n, (struct json_text){ dir.bytes, dir.len }) ==
		    NULL)
		note(n, in, offset, path);
}

static void wish_look(struct node *n, const struct parse_input *in,
		      const struct json_value *constraint)
{
	struct json_text path = constraint->u.string;
	size_t i = 0;

	while (!text_begins(path, prefixes[i]))
		i++;
	path = text_from(path, strlen(prefixes[i]));
	if (prefixes[i][0] == '\0' && !text_begins(path, "./") &&
	    !text_begins(path, "../") && !text_begins(path, "/") &&
	    !text_begins(path, "~/"))
		return;
	for (size_t k = 0; k < sizeof archives / sizeof *archives; k++)
		if (text_ends(path, archives[k]))
			return;
	node_directory_look(n, in, constraint->offset, path);
}

void node_directories_look(struct node *n, const struct node_package *p)
{
	for (size_t i = 0; i < NODE_SECTIONS; i++) {
		const struct json_value *s =
			node_section_find(p, node_sections[i].key);
		size_t len = s != NULL ? s->u.object.len : 0;

		for (size_t k = 0; k < len; k++)
			if (s->u.object.members[k].value.type == JSON_STRING)
				wish_look(n, p->in,
					  &s->u.object.members[k].value);
	}
}
