/* depend_add.c -- stores what the readers hand over. */
#include <string.h>

#include "base/glob.h"
#include "base/grow.h"
#include "parsers/depend/depend.h"

static void lost_note(struct depend *d, const struct parse_input *in)
{
	if (!d->has_lost)
		report_note(&d->report->errors, "truncated", in, -1,
			    "no room for more dependencies; the rest is left "
			    "out");
	d->has_lost = true;
}

/* Once for each file. */
static void long_note(struct depend *d)
{
	if (!d->has_long)
		report_note(&d->report->errors, "string_too_long",
			    d->current ? d->current->in : NULL, -1,
			    "a name, a version or an address over 4 KiB is "
			    "left out");
	d->has_long = true;
}

/* Half of what is left of a whole, so that a file with a hundred thousand
 * packages does not take all the room of other files. */
static size_t half_end(size_t used, size_t whole)
{
	return used < whole ? used + (whole - used + 1) / 2 : whole;
}

void depend_file_begin(struct depend *d, const struct depend_file *f)
{
	d->current = f;
	d->has_lost = d->has_long = d->has_many = false;
	d->has_lost_registry = d->has_unlooked = false;
	d->facts.cap_bytes = half_end(d->facts.used, DEPEND_FACTS_BYTES);
	d->wishes_end = half_end(d->wishes_len, DEPEND_ITEMS_MAX);
	d->pins_end = half_end(d->pins_len, DEPEND_ITEMS_MAX);
	d->registries_end = half_end(d->registries_len, DEPEND_REGISTRIES_MAX);
}

void depend_files_end(struct depend *d)
{
	d->facts.cap_bytes = DEPEND_FACTS_BYTES;
}

struct json_text depend_keep(struct depend *d, struct json_text t)
{
	if (t.bytes != NULL && t.len > DEPEND_CONSTRAINT_MAX)
		long_note(d);
	if (t.bytes == NULL || t.len > DEPEND_CONSTRAINT_MAX)
		return (struct json_text){ NULL, 0 };
	t.bytes = arena_copy(&d->facts, t.bytes, t.len);
	if (t.bytes == NULL) {
		lost_note(d, d->current ? d->current->in : NULL);
		t.len = 0;
	}
	return t;
}

struct json_text depend_keep_string(struct depend *d,
				    const struct json_value *v)
{
	if (v == NULL || v->type != JSON_STRING)
		return (struct json_text){ NULL, 0 };
	return depend_keep(d, v->u.string);
}

struct json_text *depend_requires_new(struct depend *d, size_t *len)
{
	const struct parse_input *in = d->current ? d->current->in : NULL;
	struct json_text *names;

	if (*len > DEPEND_REQUIRES_MAX) {
		if (!d->has_many)
			report_note(&d->report->errors, "truncated", in, -1,
				    "a package requires more than 512 others; "
				    "the rest is left out");
		d->has_many = true;
		*len = DEPEND_REQUIRES_MAX;
	}
	names = arena_array(&d->facts, *len, sizeof *names);
	if (names == NULL)
		lost_note(d, in);
	return names;
}

void depend_wish_add(struct depend *d, const struct depend_wish *w)
{
	if (w->name.len == 0)
		return;
	if (d->wishes_len >= d->wishes_end ||
	    !array_grow((void **)&d->wishes, d->wishes_len, &d->wishes_room,
			sizeof *d->wishes)) {
		lost_note(d, w->file->in);
		return;
	}
	d->wishes[d->wishes_len] = *w;
	d->wishes[d->wishes_len].order = d->wishes_len;
	d->wishes_len++;
	w->file->dependencies++;
}

void depend_pin_add(struct depend *d, const struct depend_pin *p)
{
	if (p->name.len == 0)
		return;
	if (d->pins_len >= d->pins_end ||
	    !array_grow((void **)&d->pins, d->pins_len, &d->pins_room,
			sizeof *d->pins)) {
		lost_note(d, p->file->in);
		return;
	}
	d->pins[d->pins_len] = *p;
	d->pins[d->pins_len].order = d->pins_len;
	d->pins_len++;
	p->file->packages++;
}

/* Write dir/path without "." segments to out; false if it leaves the root. */
static bool path_join(struct buf *out, struct json_text dir,
		      struct json_text path)
{
	buf_add(out, dir.bytes, dir.len);
	while (path.bytes != NULL) {
		struct json_text rest, segment = text_cut(path, '/', &rest);

		path = rest;
		if (segment.len == 0 || text_is(segment, "."))
			continue;
		if (text_is(segment, "..")) {
			const char *slash;

			if (out->len == 0)
				return false;
			slash = memrchr(out->bytes, '/', out->len);
			out->len = slash ? (size_t)(slash - out->bytes) : 0;
			continue;
		}
		if (out->len > 0)
			buf_char(out, '/');
		buf_add(out, segment.bytes, segment.len);
	}
	return !buf_has_failed(out);
}

void depend_home_put(struct depend *d, const struct parse_input *includer,
		     struct json_text dir)
{
	struct role_home home = { .dir = dir, .includer = includer };

	if (home.dir.bytes != NULL && d->homes.len < DEPEND_HOMES_MAX)
		d->homes.items[d->homes.len++] = home;
}

/* Add the directories of other files that fit a pattern. */
static void pattern_put(struct depend *d, const struct depend_file *f,
			const struct buf *pattern)
{
	if (d->patterns++ == DEPEND_PATTERNS_MAX) {
		report_note(&d->report->warnings, "truncated", f->in, -1,
			    "more than 256 patterns of workspace members; the "
			    "rest is ignored");
		return;
	}
	if (d->patterns > DEPEND_PATTERNS_MAX)
		return;
	for (size_t i = 0; i < d->files_len; i++) {
		const struct parse_input *in = d->files[i].in;
		const struct json_text dir = { in->name, input_dir_len(in) };

		if (dir.len > 0 && glob_match(pattern->bytes, pattern->len,
					      dir.bytes, dir.len))
			depend_home_put(d, f->in, dir);
	}
}

void depend_home_add(struct depend *d, const struct depend_file *f,
		     struct json_text dir)
{
	owned_buf struct buf path = { .cap_bytes = DEPEND_CONSTRAINT_MAX };
	const struct json_text here = { f->in->name, input_dir_len(f->in) };

	/* A fixture that lists members does not include anything. */
	if (f->role.kind != ROLE_OWN || !path_join(&path, here, dir) ||
	    path.len == 0)
		return;
	if (strpbrk(path.bytes, "*?[{") != NULL)
		pattern_put(d, f, &path);
	else
		depend_home_put(d, f->in,
				depend_keep(d, (struct json_text){ path.bytes,
								   path.len }));
}
