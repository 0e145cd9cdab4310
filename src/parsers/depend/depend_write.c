/* depend_write.c -- writes the slice, with the project's own items first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/depend/depend.h"

enum list {
	LIST_ECOSYSTEMS,
	LIST_FILES,
	LIST_DEPENDENCIES,
	LIST_PACKAGES,
	LIST_REGISTRIES,
	LISTS_MAX_
};

/* The totals of an ecosystem, of the project's own files. */
struct total {
	size_t manifests, lockfiles, dependencies, packages;
	size_t depth; /* of the shallowest file */
};

static const char *const origin_names[] = {
	[DEPEND_REGISTRY] = "registry",
	[DEPEND_GIT] = "git",
	[DEPEND_URL] = "url",
	[DEPEND_PATH] = "path",
};

/* If a file has the same package twice, the second one says nothing new. */
static int pin_order(const void *x, const void *y)
{
	const struct depend_pin *a = x, *b = y;
	int c = (a->file > b->file) - (a->file < b->file);

	if (c == 0)
		c = text_order(a->name, b->name);
	if (c == 0)
		c = text_order(a->version, b->version);
	return c != 0 ? c : (a->order > b->order) - (a->order < b->order);
}

static bool is_same_pin(const struct depend_pin *a, const struct depend_pin *b)
{
	return a->file == b->file && text_order(a->name, b->name) == 0 &&
	       text_order(a->version, b->version) == 0 &&
	       memcmp(a->content.print, b->content.print,
		      sizeof a->content.print) == 0;
}

static void purl_write(struct jsonw *w, const struct depend_purl *p)
{
	owned_buf struct buf url = { .cap_bytes = PARSE_STRING_BYTES };

	depend_purl_write(p, &url);
	if (url.len == 0 || buf_has_failed(&url))
		jsonw_null(w, "purl");
	else
		jsonw_bytes(w, "purl", url.bytes, url.len);
}

static void wish_write(struct slice_list *l, const struct depend_wish *d)
{
	const enum depend_ecosystem e = d->file->format->ecosystem;
	const struct depend_purl purl = { e, d->name, d->resolved, d->origin,
					  d->url };
	struct jsonw *w = slice_item(l);

	text_put(w, "name", d->name);
	jsonw_text(w, "ecosystem", depend_ecosystem_name(e));
	text_put(w, "constraint", d->constraint);
	jsonw_text(w, "kind", d->kind);
	text_put(w, "resolved", d->resolved);
	jsonw_text(w, "origin", origin_names[d->origin]);
	if (d->url.bytes != NULL)
		text_put(w, "url", d->url);
	purl_write(w, &purl);
	role_write(w, &d->file->role);
	input_name_write(w, "source", d->file->in);
	slice_item_end(l);
}

/* What comes from a directory has no digest, and wants none. */
static void content_write(struct jsonw *w, const struct depend_pin *p)
{
	char text[16 + DIGEST_PRINT_CHARS];

	if (!p->content.is_known || p->content.is_local ||
	    p->origin == DEPEND_PATH)
		return;
	(void)snprintf(text, sizeof text, "%s:%.*s",
		       digest_name(p->content.kind), (int)DIGEST_PRINT_CHARS,
		       p->content.print);
	jsonw_text(w, "content", text);
}

static void pin_write(struct slice_list *l, const struct depend_pin *p)
{
	const enum depend_ecosystem e = p->file->format->ecosystem;
	const struct depend_purl purl = { e, p->name, p->version, p->origin,
					  p->url };
	struct jsonw *w = slice_item(l);

	text_put(w, "name", p->name);
	text_put(w, "version", p->version);
	jsonw_text(w, "ecosystem", depend_ecosystem_name(e));
	jsonw_text(w, "origin", origin_names[p->origin]);
	if (p->url.bytes != NULL)
		text_put(w, "url", p->url);
	purl_write(w, &purl);
	content_write(w, p);
	if (p->requires_len > 0) {
		jsonw_array(w, "requires");
		for (size_t i = 0; i < p->requires_len; i++)
			text_put(w, NULL, p->requires[i]);
		jsonw_end_array(w);
	}
	role_write(w, &p->file->role);
	input_name_write(w, "source", p->file->in);
	slice_item_end(l);
}

static void file_write(struct slice_list *l, const struct depend_file *f)
{
	struct jsonw *w = slice_item(l);

	jsonw_text(w, "format", f->format->name);
	jsonw_text(w, "ecosystem", depend_ecosystem_name(f->format->ecosystem));
	jsonw_text(w, "kind",
		   f->format->is_lock       ? "lockfile"
		   : f->format->is_settings ? "settings"
					    : "manifest");
	text_put(w, "name", f->name);
	text_put(w, "version", f->version);
	jsonw_uint(w, "dependencies", f->dependencies);
	jsonw_uint(w, "packages", f->packages);
	if (f->hashes > 0)
		jsonw_uint(w, "hashes", f->hashes);
	if (f->format->is_program)
		jsonw_bool(w, "program", true);
	if (f->is_bad)
		jsonw_bool(w, "unread", true);
	role_write(w, &f->role);
	input_name_write(w, "source", f->in);
	slice_item_end(l);
}

static size_t depth_of(const struct parse_input *in)
{
	size_t depth = 1;

	for (size_t i = 0; i < in->name_len; i++)
		depth += in->name[i] == '/';
	return depth;
}

/* These have settings of tools, too, also in a project of another language. */
static bool has_tools(const struct depend_format *f)
{
	return f->read == depend_pyproject_read ||
	       f->read == depend_setup_cfg_read;
}

/* A manifest counts without dependencies, too: it says which package manager the
 * project has.  A lockfile counts if it pins something. */
static bool is_counted(const struct depend_file *f)
{
	if (f->role.kind != ROLE_OWN)
		return false;
	if (f->dependencies + f->packages > 0)
		return true;
	if (f->format->is_lock || f->format->is_settings)
		return false;
	return !has_tools(f->format) || f->name.bytes != NULL;
}

static void totals_count(const struct depend *d, struct total *totals)
{
	for (size_t i = 0; i < d->files_len; i++) {
		const struct depend_file *f = &d->files[i];
		struct total *t = &totals[f->format->ecosystem];
		size_t depth = depth_of(f->in);

		if (!is_counted(f))
			continue;
		if (f->format->is_lock)
			t->lockfiles++;
		else
			t->manifests++;
		t->dependencies += f->dependencies;
		t->packages += f->packages;
		if (t->depth == 0 || depth < t->depth)
			t->depth = depth;
	}
}

/* The ecosystem whose files are nearest to the root, then the one that declares
 * most, because what a repository is about is at its top. */
static enum depend_ecosystem primary_find(const struct total *totals)
{
	enum depend_ecosystem found = DEPEND_ECOSYSTEM_MAX_;

	for (enum depend_ecosystem e = 0; e < DEPEND_ECOSYSTEM_MAX_; e++) {
		const struct total *t = &totals[e];
		const struct total *f =
			found < DEPEND_ECOSYSTEM_MAX_ ? &totals[found] : NULL;

		if (t->depth > 0 && (f == NULL || t->depth < f->depth ||
				     (t->depth == f->depth &&
				      t->dependencies > f->dependencies)))
			found = e;
	}
	return found;
}

static void totals_write(struct slice_list *l, const struct total *totals)
{
	for (enum depend_ecosystem e = 0; e < DEPEND_ECOSYSTEM_MAX_; e++) {
		const struct total *t = &totals[e];
		struct jsonw *w;

		if (t->depth == 0)
			continue;
		w = slice_item(l);
		jsonw_text(w, "name", depend_ecosystem_name(e));
		jsonw_uint(w, "manifests", t->manifests);
		jsonw_uint(w, "lockfiles", t->lockfiles);
		jsonw_uint(w, "dependencies", t->dependencies);
		jsonw_uint(w, "packages", t->packages);
		slice_item_end(l);
	}
}

/* The first items of each file, and of each ecosystem, come before the rest of
 * any.  So a file with more items than there is room for does not push out
 * other files, and a hundred packages of npm do not push out that of one
 * pyproject.toml. */
#define FIRST_ITEMS  200U
#define FIRST_SHARED 1000U
static void wishes_write(const struct depend *d, struct slice_list *l,
			 bool is_own, bool is_first)
{
	size_t n = 0; /* of the same file, before this one */
	size_t shared[DEPEND_ECOSYSTEM_MAX_] = { 0 };

	for (size_t i = 0; i < d->wishes_len; i++) {
		const struct depend_wish *wish = &d->wishes[i];
		size_t *of = &shared[wish->file->format->ecosystem];

		n = i > 0 && wish[-1].file == wish->file ? n + 1 : 0;
		if ((wish->file->role.kind == ROLE_OWN) != is_own)
			continue;
		if ((n < FIRST_ITEMS && ++*of <= FIRST_SHARED) == is_first)
			wish_write(l, wish);
	}
}

/* The same for what lockfiles pin.  A package that is twice in a file is
 * written once. */
static void pins_write(const struct depend *d, struct slice_list *l,
		       bool is_own, bool is_first)
{
	size_t n = 0; /* of the same file, before this one */
	size_t shared[DEPEND_ECOSYSTEM_MAX_] = { 0 };

	for (size_t i = 0; i < d->pins_len; i++) {
		const struct depend_pin *pin = &d->pins[i];
		size_t *of = &shared[pin->file->format->ecosystem];

		n = i > 0 && pin[-1].file == pin->file ? n + 1 : 0;
		if ((pin->file->role.kind == ROLE_OWN) != is_own ||
		    (i > 0 && is_same_pin(pin - 1, pin)))
			continue;
		if ((n < FIRST_ITEMS && ++*of <= FIRST_SHARED) == is_first)
			pin_write(l, pin);
	}
}

static void registries_write(const struct depend *d, struct slice_list *l,
			     bool is_own)
{
	for (size_t i = 0; i < d->registries_len; i++) {
		const struct depend_registry *r = &d->registries[i];
		struct jsonw *w;

		if ((r->file->role.kind == ROLE_OWN) != is_own)
			continue;
		w = slice_item(l);
		text_put(w, "text", r->text);
		jsonw_text(w, "ecosystem",
			   depend_ecosystem_name(r->file->format->ecosystem));
		role_write(w, &r->file->role);
		input_name_write(w, "source", r->file->in);
		slice_item_end(l);
	}
}

static void items_write(struct depend *d, struct slice_list *lists, bool is_own)
{
	for (size_t i = 0; i < d->files_len; i++)
		if ((d->files[i].role.kind == ROLE_OWN) == is_own)
			file_write(&lists[LIST_FILES], &d->files[i]);
	wishes_write(d, &lists[LIST_DEPENDENCIES], is_own, true);
	wishes_write(d, &lists[LIST_DEPENDENCIES], is_own, false);
	pins_write(d, &lists[LIST_PACKAGES], is_own, true);
	pins_write(d, &lists[LIST_PACKAGES], is_own, false);
	registries_write(d, &lists[LIST_REGISTRIES], is_own);
}

void depend_write(struct depend *d)
{
	struct slice_list lists[LISTS_MAX_] = {
		[LIST_ECOSYSTEMS] = { .key = "ecosystems" },
		[LIST_FILES] = { .key = "files" },
		[LIST_DEPENDENCIES] = { .key = "dependencies" },
		[LIST_PACKAGES] = { .key = "packages" },
		[LIST_REGISTRIES] = { .key = "registries" },
	};
	struct total totals[DEPEND_ECOSYSTEM_MAX_] = { 0 };
	struct jsonw w = { .out = &d->report->slice };
	enum depend_ecosystem primary;

	if (d->pins_len > 0)
		qsort(d->pins, d->pins_len, sizeof *d->pins, pin_order);
	totals_count(d, totals);
	primary = primary_find(totals);
	totals_write(&lists[LIST_ECOSYSTEMS], totals);
	items_write(d, lists, true);
	items_write(d, lists, false);
	jsonw_object(&w, NULL);
	jsonw_text_or_null(&w, "primary",
			   primary < DEPEND_ECOSYSTEM_MAX_
				   ? depend_ecosystem_name(primary)
				   : NULL);
	slice_lists_write(lists, LISTS_MAX_, DEPEND_SLICE_BYTES, &w, d->report);
	jsonw_end_object(&w);
	slice_lists_done(lists, LISTS_MAX_);
}
