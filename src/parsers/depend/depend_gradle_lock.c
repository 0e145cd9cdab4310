/* depend_gradle_lock.c -- gradle.lockfile and buildscript-gradle.lockfile.
 *
 * A line is "group:name:version=configuration,configuration"; "empty=" has the
 * configurations without a dependency.  Source: docs.gradle.org, "Locking
 * Versions". */
#include "parsers/depend/depend.h"

int depend_gradle_lock_read(struct depend *d, struct depend_file *f)
{
	struct depend_lines l = depend_lines_of(f->in, false);
	struct json_text line;
	size_t at;

	while (depend_line_next(&l, &line, &at)) {
		struct depend_pin p = { .file = f };
		struct json_text name, version, rest;
		struct json_text group =
			text_cut(text_cut(line, '=', NULL), ':', &name);

		name = text_cut(name, ':', &version);
		version = text_cut(version, ':', &rest);
		if (text_begins(line, "#") || group.len == 0 || name.len == 0 ||
		    version.len == 0 || rest.bytes != NULL)
			continue;
		p.name = depend_keep(
			d, (struct json_text){ group.bytes,
					       group.len + 1 + name.len });
		p.version = depend_keep(d, version);
		depend_pin_add(d, &p);
	}
	return 0;
}
