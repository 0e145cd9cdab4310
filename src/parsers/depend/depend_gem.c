/* depend_gem.c -- Gemfile.lock.
 *
 * Sections begin at the margin.  GEM, GIT and PATH have "remote:", then "name
 * (version)" indented by four blanks, and what that needs indented by six.
 * DEPENDENCIES has what the Gemfile asks for, indented by two.  Source:
 * bundler, LockfileParser. */
#include <stdlib.h>
#include <string.h>

#include "parsers/depend/depend.h"

/* "name (version)" and what follows; the key is first: text_place(). */
struct checksum {
	struct json_text key, hash;
};

struct gem {
	struct depend *depend;
	struct depend_file *file;
	enum depend_origin origin; /* of the section */
	bool is_list;              /* GEM, GIT, PATH */
	bool is_wishes;            /* DEPENDENCIES */
	struct checksum *sums;     /* of CHECKSUMS, sorted */
	size_t sums_len;
	struct json_text remote, revision;
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
	g->remote = g->revision = (struct json_text){ NULL, 0 };
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

/* Bundler has a commit in "revision:" for git, and since 2.5 a checksum. */
static void content_read(struct gem *g, struct json_text line)
{
	const size_t at = g->sums_len > 0 ? text_place(g->sums, g->sums_len,
						       sizeof *g->sums, line)
					  : 0;
	struct json_text hash = g->revision;

	if (g->origin == DEPEND_REGISTRY)
		hash = (struct json_text){ NULL, 0 };
	if (at < g->sums_len && text_order(g->sums[at].key, line) == 0)
		hash = g->sums[at].hash;
	digest_content_add(&g->pin.content,
			   g->origin == DEPEND_GIT ? digest_commit_read(hash)
						   : digest_named_read(hash),
			   hash, g->remote);
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
	content_read(g, line);
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
	else if (g->is_list && blanks == 2 && text_begins(line, "revision: "))
		g->revision = text_from(line, strlen("revision: "));
	else if (g->is_list && blanks == 4)
		pin_begin(g, line);
	else if (g->is_list && blanks == 6)
		requires_put(g, line);
	else if (g->is_wishes && blanks == 2)
		wish_take(g, line);
}

static int checksum_order(const void *x, const void *y)
{
	return text_order(((const struct checksum *)x)->key,
			  ((const struct checksum *)y)->key);
}

/* CHECKSUMS comes last, so it is read before the rest. */
static void checksums_read(struct gem *g, struct arena *arena)
{
	struct lines l = lines_of(g->file->in);
	struct json_text line;
	bool is_sums = false;
	size_t at, room = 0;

	for (size_t i = 0; i < g->file->in->len; i++)
		room += g->file->in->bytes[i] == '\n';
	g->sums = arena_array(arena, room + 1, sizeof *g->sums);
	while (g->sums != NULL && line_next(&l, &line, &at)) {
		size_t n;

		if (line.len > 0 && line.bytes[0] != ' ')
			is_sums = text_is(text_trim(line), "CHECKSUMS");
		line = text_trim(line);
		n = text_length_before(line, ")");
		if (!is_sums || n + 2 >= line.len)
			continue;
		g->sums[g->sums_len++] = (struct checksum){
			.key = text_first(line, n + 1),
			.hash = text_cut(text_from(line, n + 2), ',', NULL)
		};
	}
	if (g->sums_len > 0)
		qsort(g->sums, g->sums_len, sizeof *g->sums, checksum_order);
}

int depend_gem_read(struct depend *d, struct depend_file *f)
{
	struct arena arena = { 0 };
	struct gem g = { .depend = d, .file = f };
	struct lines l = lines_of(f->in);
	struct json_text line;
	size_t at;

	checksums_read(&g, &arena);
	while (line_next(&l, &line, &at))
		line_take(&g, line);
	pin_end(&g);
	arena_done(&arena);
	return 0;
}
