/* deploy_kustomize.c -- kustomizations: what each one names.
 *
 * Source: kubectl.docs.kubernetes.io/references/kustomize/kustomization. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "parsers/common/address_clean.h"
#include "parsers/deploy/deploy.h"

/* Lists of paths, or of mappings with a path in them. */
static const struct {
	const char *key;
	const char *path; /* of a mapping; NULL: the item is the path */
	enum deploy_ref_kind kind;
} sections[] = {
	{ "resources", NULL, DEPLOY_RESOURCE },
	{ "bases", NULL, DEPLOY_BASE },
	{ "components", NULL, DEPLOY_COMPONENT },
	{ "patches", "path", DEPLOY_PATCH },
	{ "patchesStrategicMerge", NULL, DEPLOY_PATCH },
	{ "patchesJson6902", "path", DEPLOY_PATCH },
	{ "crds", NULL, DEPLOY_OTHER },
	{ "configurations", NULL, DEPLOY_OTHER },
	{ "generators", NULL, DEPLOY_OTHER },
	{ "transformers", NULL, DEPLOY_OTHER },
	{ "validators", NULL, DEPLOY_OTHER },
	{ "replacements", "path", DEPLOY_OTHER },
};

/* A patch, generator or the like may stand in the list itself. */
static bool is_inline(struct json_text t)
{
	return t.len > 0 && memchr(t.bytes, '\n', t.len) != NULL;
}

/* The path in one item of a list, { NULL, 0 } when it has none. */
static struct json_text path_of(struct deploy *d, const struct parse_input *in,
				const struct yaml_node *item, const char *path)
{
	struct json_text none = { NULL, 0 };
	struct json_text t;

	if (path != NULL && item->type == YAML_MAPPING)
		t = deploy_text(d, in, item, path);
	else
		t = yaml_text(item, in, d->report);
	return is_inline(t) ? none : t;
}

/* The file that a reference means, or NULL. */
static const struct parse_input *target_find(const struct deploy *d,
					     const struct buf *path)
{
	const struct parse_input *in =
		path->len > 0 ? input_find(d->inputs, "", 0, path->bytes)
			      : NULL;

	return in != NULL ? in
			  : deploy_kustomization_in(d, path->bytes, path->len);
}

/* Find where ref points; a target outside the repository, or a missing one,
 * gives a warning. */
static void ref_resolve(struct deploy *d, const struct parse_input *in,
			struct deploy_ref *ref)
{
	owned_buf struct buf path = { 0 };
	enum deploy_place place =
		deploy_resolve(in->name, input_dir_len(in), ref->text, &path);

	if (place == DEPLOY_NO_PATH) {
		deploy_warn(d, "bad_path", in, ref->offset,
			    "expected a path of 1 to 4096 bytes without NUL");
		return;
	}
	if (place == DEPLOY_INSIDE) {
		buf_text(&path, "");
		ref->file = target_find(d, &path);
	}
	/* A directory may have a name like an address; kustomize tries the
	 * directory first. */
	if (ref->file != NULL ||
	    (place == DEPLOY_INSIDE && deploy_has_dir(d->inputs, &path)))
		return;
	if (place == DEPLOY_OUTSIDE || deploy_is_address(ref->text))
		deploy_warn(
			d, "outside_repository", in, ref->offset,
			"points outside the repository, and is not followed");
	else if (ref->kind != DEPLOY_OTHER)
		deploy_warn(d, "not_found", in, ref->offset,
			    "names a file that this probe was not given");
}

/* Returns false if there is no room to keep it. */
static bool ref_add(struct deploy *d, struct deploy_overlay *o,
		    enum deploy_ref_kind kind, struct json_text text,
		    size_t offset)
{
	struct deploy_ref *ref = &o->refs[o->refs_len];

	*ref = (struct deploy_ref){ .offset = offset, .kind = kind };
	ref->text.bytes = arena_copy(&d->facts, text.bytes, text.len);
	ref->text.len = text.len;
	if (ref->text.bytes == NULL)
		return false;
	o->refs_len++;
	ref_resolve(d, o->in, ref);
	if (kind == DEPLOY_PATCH && ref->file != NULL)
		d->is_patch[ref->file - d->inputs->items] = true;
	return true;
}

static void refs_read(struct deploy *d, struct deploy_overlay *o,
		      const struct yaml_node *top)
{
	size_t room = 0;
	bool is_cut;

	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		room += deploy_count(yaml_find(top, sections[i].key));
	if (room > DEPLOY_ITEMS_MAX) {
		room = DEPLOY_ITEMS_MAX;
		deploy_warn(d, "truncated", o->in, 0,
			    "a kustomization with more than 1000 references");
	}
	o->refs = arena_array(&d->facts, room, sizeof *o->refs);
	is_cut = o->refs == NULL;
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		const struct yaml_node *list = yaml_find(top, sections[i].key);

		for (size_t k = 0;
		     !is_cut && k < deploy_count(list) && o->refs_len < room;
		     k++) {
			const struct yaml_node *item =
				list->u.sequence.items[k];
			struct json_text t =
				path_of(d, o->in, item, sections[i].path);

			if (t.bytes != NULL && deploy_visit(d, o->in))
				is_cut = !ref_add(d, o, sections[i].kind, t,
						  item->offset);
		}
	}
	if (is_cut)
		deploy_warn(d, "truncated", o->in, 0,
			    "no room for more references: the rest of this "
			    "kustomization's are left out");
}

static void refs_write(const struct deploy_overlay *o, struct jsonw *w,
		       const char *key, enum deploy_ref_kind kind)
{
	jsonw_array(w, key);
	for (size_t i = 0; i < o->refs_len; i++)
		if (o->refs[i].kind == kind)
			address_put(w, NULL, o->refs[i].text, ADDRESS_TEXT);
	jsonw_end_array(w);
}

static void patch_write(struct deploy *d, const struct parse_input *in,
			struct jsonw *w, const struct yaml_node *item)
{
	const struct yaml_node *target = yaml_find(item, "target");
	struct json_text path = path_of(d, in, item, "path");

	jsonw_object(w, NULL);
	text_put(w, "path", path);
	jsonw_bool(w, "inline", path.bytes == NULL);
	text_put(w, "target_kind", deploy_text(d, in, target, "kind"));
	text_put(w, "target_name", deploy_text(d, in, target, "name"));
	source_write(w, "source", in);
	jsonw_end_object(w);
}

static void patches_write(struct deploy *d, const struct parse_input *in,
			  struct jsonw *w, const struct yaml_node *top)
{
	jsonw_array(w, "patches");
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		const struct yaml_node *list = yaml_find(top, sections[i].key);

		if (sections[i].kind != DEPLOY_PATCH)
			continue;
		for (size_t k = 0; k < deploy_count(list) &&
				   k < DEPLOY_ITEMS_MAX && deploy_visit(d, in);
		     k++)
			patch_write(d, in, w, list->u.sequence.items[k]);
	}
	jsonw_end_array(w);
}

/* How many items of the list are read; more are noted. */
static size_t items_count(struct deploy *d, const struct parse_input *in,
			  const struct yaml_node *list)
{
	size_t len = deploy_count(list);

	if (len <= DEPLOY_ITEMS_MAX)
		return len;
	deploy_warn(d, "truncated", in, list->offset,
		    "a list of more than 1000 items");
	return DEPLOY_ITEMS_MAX;
}

/* images: [{name, newName, newTag, digest}] */
static void images_write(struct deploy *d, const struct parse_input *in,
			 struct jsonw *w, const struct yaml_node *top)
{
	const struct yaml_node *list = yaml_find(top, "images");
	const size_t len = items_count(d, in, list);

	jsonw_array(w, "images");
	for (size_t i = 0; i < len && deploy_visit(d, in); i++) {
		const struct yaml_node *item = list->u.sequence.items[i];
		struct json_text name = deploy_text(d, in, item, "name");
		struct deploy_reference ref = {
			.name = deploy_text(d, in, item, "newName"),
			.tag = deploy_text(d, in, item, "newTag"),
			.digest = deploy_text(d, in, item, "digest"),
		};

		jsonw_object(w, NULL);
		text_put(w, "name", name);
		text_put(w, "new_name", ref.name);
		text_put(w, "new_tag", ref.tag);
		text_put(w, "digest", ref.digest);
		source_write(w, "source", in);
		jsonw_end_object(w);
		if (ref.name.bytes == NULL)
			ref.name = name;
		deploy_image_add(d, in, "kustomization", &ref);
	}
	jsonw_end_array(w);
}

/* helmCharts: [{name, repo, version}] */
static void charts_write(struct deploy *d, const struct parse_input *in,
			 struct jsonw *w, const struct yaml_node *top)
{
	const struct yaml_node *list = yaml_find(top, "helmCharts");
	const size_t len = items_count(d, in, list);

	jsonw_array(w, "helm_charts");
	for (size_t i = 0; i < len; i++) {
		const struct yaml_node *item = list->u.sequence.items[i];

		jsonw_object(w, NULL);
		text_put(w, "name", deploy_text(d, in, item, "name"));
		address_put(w, "repository", deploy_text(d, in, item, "repo"),
			    ADDRESS_TEXT);
		text_put(w, "version", deploy_text(d, in, item, "version"));
		source_write(w, "source", in);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void kustomization_write(struct deploy *d, struct deploy_overlay *o,
				const struct yaml_node *top)
{
	struct slice_list *l = &d->lists[DEPLOY_KUSTOMIZATIONS];
	owned_buf struct buf dir = { 0 };
	struct jsonw *w;

	name_write(&dir, o->in->name, input_dir_len(o->in));
	w = slice_item(l);
	jsonw_text(w, "path", dir.len > 0 ? dir.bytes : ".");
	text_put(w, "kind", deploy_text(d, o->in, top, "kind"));
	text_put(w, "namespace", deploy_text(d, o->in, top, "namespace"));
	text_put(w, "name_prefix", deploy_text(d, o->in, top, "namePrefix"));
	text_put(w, "name_suffix", deploy_text(d, o->in, top, "nameSuffix"));
	refs_write(o, w, "resources", DEPLOY_RESOURCE);
	refs_write(o, w, "bases", DEPLOY_BASE);
	refs_write(o, w, "components", DEPLOY_COMPONENT);
	patches_write(d, o->in, w, top);
	images_write(d, o->in, w, top);
	charts_write(d, o->in, w, top);
	source_write(w, "source", o->in);
	slice_item_end(l);
}

static void kustomization_read(struct deploy *d, const struct parse_input *in)
{
	struct deploy_overlay *o = &d->overlays[d->overlays_len];
	struct arena arena = { 0 };
	struct yaml_documents docs;

	*o = (struct deploy_overlay){ .in = in };
	deploy_read(d, in, &arena, &docs);
	if (docs.len > 0 && docs.items[0]->type == YAML_MAPPING) {
		refs_read(d, o, docs.items[0]);
		kustomization_write(d, o, docs.items[0]);
		d->overlays_len++;
	} else if (docs.len > 0 && !yaml_is_null(docs.items[0])) {
		report_note(&d->report->errors, "not_a_mapping", in,
			    (int64_t)docs.items[0]->offset,
			    "expected resources and the like");
	}
	arena_done(&arena);
}

int deploy_kustomizations_read(struct deploy *d)
{
	size_t len = d->found[DEPLOY_KUSTOMIZATION];

	d->overlays = calloc(len + 1, sizeof *d->overlays);
	if (d->overlays == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < d->inputs->len; i++)
		if (d->classes[i] == DEPLOY_KUSTOMIZATION)
			kustomization_read(d, &d->inputs->items[i]);
	return 0;
}
