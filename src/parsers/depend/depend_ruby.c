/* depend_ruby.c -- Gemfile and *.gemspec, a line at a time.  Nothing is run, so
 * a computed name or version is not known.
 *
 * Source: bundler's gemfile(5); rubygems, Gem::Specification. */
#include <string.h>

#include "parsers/depend/depend.h"

static const struct {
	const char *call, *kind;
} calls[] = {
	{ "add_dependency", "runtime" },
	{ "add_runtime_dependency", "runtime" },
	{ "add_development_dependency", "dev" },
};

struct json_text depend_quoted_next(struct json_text *rest)
{
	static const struct json_text none = { NULL, 0 };
	struct json_text t = *rest, text;

	while (t.len > 0 && strchr(" \t(,", t.bytes[0]) != NULL)
		t = text_from(t, 1);
	if (t.len == 0 || (t.bytes[0] != '"' && t.bytes[0] != '\''))
		return none;
	text = text_cut(text_from(t, 1), t.bytes[0], &t);
	if (t.bytes == NULL)
		return none; /* it does not end in this line */
	*rest = t;
	return text;
}

/* The strings after the name that are constraints, joined with ", ". */
static struct json_text constraints_take(struct depend *d,
					 struct json_text rest)
{
	owned_buf struct buf out = { .cap_bytes = DEPEND_CONSTRAINT_MAX };
	struct json_text text;

	while ((text = depend_quoted_next(&rest)).bytes != NULL) {
		if (text.len == 0 ||
		    strchr("<>=~!0123456789", text.bytes[0]) == NULL ||
		    text_has(text, "#{"))
			break;
		if (out.len > 0)
			buf_text(&out, ", ");
		buf_add(&out, text.bytes, text.len);
	}
	if (out.len == 0 || buf_has_failed(&out))
		return (struct json_text){ NULL, 0 };
	return depend_keep(d, (struct json_text){ out.bytes, out.len });
}

static enum depend_origin origin_of(struct json_text rest)
{
	if (text_has(rest, "path:") || text_has(rest, ":path =>"))
		return DEPEND_PATH;
	if (text_has(rest, "git:") || text_has(rest, "github:") ||
	    text_has(rest, ":git =>") || text_has(rest, ":github =>"))
		return DEPEND_GIT;
	return DEPEND_REGISTRY;
}

/* locked: what the lockfile declares as well, so that it is not told twice. */
static void gem_take(struct depend *d, struct depend_file *f,
		     struct json_text rest, const char *kind,
		     const struct depend_gems *locked)
{
	struct json_text name = depend_quoted_next(&rest);
	struct depend_wish w = { .file = f, .kind = kind };

	if (name.len == 0 || text_has(name, "#{") ||
	    depend_gems_has(locked, name))
		return;
	w.name = depend_keep(d, name);
	w.constraint = constraints_take(d, rest);
	w.origin = origin_of(rest);
	depend_wish_add(d, &w);
}

/* The nesting of lines: an "end" closes what a group opens. */
struct nesting {
	/* The depth at which a group for development began, and one of any name;
	 * or 0. */
	size_t depth, group, any;
};

static void nesting_take(struct nesting *n, struct json_text line)
{
	struct json_text rest = line, word = text_word(&rest);

	if (text_is(word, "end")) {
		if (n->depth == n->group)
			n->group = 0;
		if (n->depth == n->any)
			n->any = 0;
		n->depth -= n->depth > 0;
		return;
	}
	if (!text_ends(line, " do") && !text_in(word, "if unless case begin"))
		return;
	n->depth++;
	if (!text_begins(line, "group ") && !text_begins(line, "group("))
		return;
	if (n->any == 0)
		n->any = n->depth;
	if (n->group == 0 && (text_has(line, "dev") || text_has(line, "test")))
		n->group = n->depth;
}

/* A line that names where gems come from, as it is written. */
static bool is_source(struct json_text line)
{
	return text_begins(line, "source") || text_begins(line, "git_source") ||
	       text_begins(line, "git ") || text_begins(line, "path ") ||
	       text_has(line, "://") || text_has(line, ":\\") ||
	       text_has(line, "\\u") || text_has(line, "\\x") ||
	       text_has(line, ".source") || text_has(line, "source:") ||
	       text_has(line, ":source") || text_has(line, "git:") ||
	       text_has(line, ":git") || text_has(line, "github:");
}

/* Bundler's names of the two are "Gemfile" and "Gemfile.lock", or "gems.rb" and
 * "gems.locked". */
static const struct parse_input *lock_find(const struct depend *d,
					   const struct parse_input *in)
{
	return input_find(d->inputs, in->name, input_dir_len(in),
			  input_base_is(in, "Gemfile") ? "Gemfile.lock"
						       : "gems.locked");
}

/* "gemspec", also with arguments: what the gem itself needs stands in its gemspec, so
 * the Gemfile has what those need who work on it. */
static bool has_gemspec(const struct parse_input *in)
{
	struct lines l = lines_of(in);
	struct json_text line;
	size_t at;

	while (line_next(&l, &line, &at)) {
		line = text_trim(line);
		if (text_begins(line, "gemspec(") ||
		    text_is(text_word(&line), "gemspec"))
			return true;
	}
	return false;
}

/* The kind of a gem in the groups of n.  Without a group it is of that of the
 * file. */
static const char *kind_of(const struct depend_file *f, struct json_text line,
			   const struct nesting *n)
{
	if (n->group > 0 || text_has(line, ":test") ||
	    text_has(line, ":development"))
		return "dev";
	if (n->any > 0 || text_has(line, "group:") ||
	    text_has(line, "groups:") || text_has(line, ":group"))
		return "runtime";
	return f->kind;
}

static void gemfile_line_take(struct depend *d, struct depend_file *f,
			      struct json_text line, const struct nesting *n,
			      const struct depend_gems *locked)
{
	if (is_source(line))
		depend_registry_add(d, f, line);
	if (text_begins(line, "gem ") || text_begins(line, "gem("))
		gem_take(d, f, text_from(line, 3), kind_of(f, line, n), locked);
}

/* The lockfile in the same directory says the same of gems, and more.  A gem that it
 * lacks is told: bundler installs that as well. */
int depend_gemfile_read(struct depend *d, struct depend_file *f)
{
	const struct parse_input *lock = lock_find(d, f->in);
	struct depend_gems locked = { 0 };
	struct arena arena = { 0 };
	struct lines l = lines_of(f->in);
	struct nesting n = { 0 };
	struct json_text line;
	size_t at;

	f->kind = has_gemspec(f->in) ? "dev" : "runtime";
	if (lock != NULL)
		(void)depend_gems_find(lock, &arena, &locked);
	while (line_next(&l, &line, &at)) {
		line = text_trim(line);
		if (text_begins(line, "#"))
			continue;
		if (line.len > TEXT_LINE_BYTES) {
			depend_long_note(d, f, at);
			continue;
		}
		nesting_take(&n, line);
		gemfile_line_take(d, f, line, &n, &locked);
	}
	arena_done(&arena);
	return 0;
}

/* "name = 'a'", where that is literal text. */
static void description_take(struct depend *d, struct json_text line,
			     const char *key, struct json_text *to)
{
	struct json_text rest = text_from(line, strlen(key)), text;

	if (to->bytes != NULL || !text_begins(line, key))
		return;
	rest = text_trim(rest);
	if (!text_begins(rest, "="))
		return;
	rest = text_from(rest, 1);
	text = depend_quoted_next(&rest);
	rest = text_trim(text_cut(rest, '#', NULL));
	if (text.len > 0 && !text_has(text, "#{") && rest.len == 0)
		*to = depend_keep(d, text);
}

int depend_gemspec_read(struct depend *d, struct depend_file *f)
{
	const struct depend_gems none = { 0 };
	struct lines l = lines_of(f->in);
	struct json_text line, rest, call;
	size_t at;

	while (line_next(&l, &line, &at)) {
		line = text_trim(line);
		if (line.len > TEXT_LINE_BYTES || text_begins(line, "#"))
			continue;
		(void)text_cut(line, '.', &rest); /* the specification's name */
		description_take(d, rest, "name", &f->name);
		description_take(d, rest, "version", &f->version);
		for (size_t i = 0;
		     rest.bytes != NULL && i < sizeof calls / sizeof *calls;
		     i++) {
			size_t len = strlen(calls[i].call);

			call = text_from(rest, len);
			if (text_begins(rest, calls[i].call) && call.len > 0 &&
			    strchr(" (", call.bytes[0]) != NULL)
				gem_take(d, f, call, calls[i].kind, &none);
		}
	}
	return 0;
}
