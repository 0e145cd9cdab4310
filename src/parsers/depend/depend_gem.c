/* depend_gem.c -- Gemfile.lock.
 *
 * Sections begin at the margin.  GEM, GIT and PATH have "remote:", then "name
 * (version)" indented by four blanks, and what that needs indented by six.
 * DEPENDENCIES has what the Gemfile asks for, indented by two.  Source:
 * bundler, LockfileParser. */
#include <stdlib.h>
#include <string.h>

#include "parsers/depend/depend.h"

struct gem {
	struct depend *depend;
	struct depend_file *file;
	enum depend_origin origin; /* of the section */
	bool is_list;              /* GEM, GIT, PATH */
	bool is_wishes;            /* DEPENDENCIES */
	struct json_text remote;
	/* the one that is being read, and what it requires */
	struct depend_pin pin;
	struct json_text names[DEPEND_REQUIRES_MAX];
	size_t names_len; /* also of those that are too many */
};

static void pin_end(struct gem *g)
{
	size_t len = g->names_len;

	if (len > 0)
	g->pin.requires = depend_requires_new(g->depend, &len);
	if (g->pin.requires != NULL) {
		memcpy(g->pin.requires, g->names, len * sizeof *g->names);
		g->pin.requires_len = len;
	}
	depend_pin_add(g->depend, &g->pin);
	g->pin = (struct depend_pin){ 0 };
	g->names_len = 0;
}

static void section_begin(struct gem *g, struct json_text line)
{
	pin_end(g);
	g->origin = text_is(line, "GIT")    ? DEPEND_GIT
		    : text_is(line, "PATH") ? DEPEND_PATH
					    : DEPEND_REGISTRY;
	g->is_list =
		text_in(line, "GEM GIT PATH") || text_is(line, "PLUGIN SOURCE");
	g->is_wishes = text_is(line, "DEPENDENCIES");
	g->remote = (struct json_text){ NULL, 0 };
}

/* Cut "name (text)"; without brackets *ret_text has bytes NULL. */
static struct json_text entry_cut(struct json_text line,
				  struct json_text *ret_text)
{
	struct json_text rest, name = text_cut(line, ' ', &rest);

	*ret_text = (struct json_text){ NULL, 0 };
	if (text_begins(rest, "("))
		*ret_text = text_cut(text_from(rest, 1), ')', NULL);
	return name;
}

/* Cut "1.2-x86_64-linux": a version of rubygems has no dash before the
 * platform. */
static struct json_text platform_cut(struct json_text version)
{
	return text_cut(version, '-', NULL);
}

static void pin_begin(struct gem *g, struct json_text line)
{
	struct json_text version, name = entry_cut(line, &version);

	pin_end(g);
	g->pin = (struct depend_pin){ .file = g->file, .origin = g->origin };
	g->pin.name = depend_keep(g->depend, name);
	g->pin.version = depend_keep(g->depend, platform_cut(version));
	if (g->origin == DEPEND_GIT)
		g->pin.url = g->remote;
}

static void requires_put(struct gem *g, struct json_text line)
{
	struct json_text text, name = entry_cut(line, &text);

	if (g->names_len < DEPEND_REQUIRES_MAX) {
		name = depend_keep(g->depend, name);
		g->names[g->names_len] = name;
	}
	g->names_len += name.bytes != NULL;
}

static void wish_take(struct gem *g, struct json_text line)
{
	struct json_text text, name = entry_cut(line, &text);
	struct depend_wish w = { .file = g->file, .kind = "runtime" };

	if (text_ends(name, "!"))
		name.len--; /* it has a source of its own */
	w.name = depend_keep(g->depend, name);
	w.constraint = depend_keep(g->depend, text);
	depend_wish_add(g->depend, &w);
}

static void remote_take(struct gem *g, struct json_text remote)
{
	g->remote = depend_keep(g->depend, remote);
	if (g->origin == DEPEND_REGISTRY)
		depend_registry_add(g->depend, g->file, remote);
}

static void line_take(struct gem *g, struct json_text line)
{
	size_t blanks = 0;

	while (blanks < line.len && line.bytes[blanks] == ' ')
		blanks++;
	line = text_trim(line);
	if (line.len == 0)
		return;
	if (blanks == 0)
		section_begin(g, line);
	else if (g->is_list && blanks == 2 && text_begins(line, "remote: "))
		remote_take(g, text_from(line, strlen("remote: ")));
	else if (g->is_list && blanks == 4)
		pin_begin(g, line);
	else if (g->is_list && blanks == 6)
		requires_put(g, line);
	else if (g->is_wishes && blanks == 2)
		wish_take(g, line);
}

int depend_gem_read(struct depend *d, struct depend_file *f)
{
	struct gem g = { .depend = d, .file = f };
	struct lines l = lines_of(f->in);
	struct json_text line;
	size_t at;

	while (line_next(&l, &line, &at))
		line_take(&g, line);
	pin_end(&g);
	return 0;
}
