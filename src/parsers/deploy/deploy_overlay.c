/* deploy_overlay.c -- finds what an overlay reaches through others: at most 5
 * levels and 50 files, each file once, circles cut. */
#include "parsers/deploy/deploy.h"

/* One walk from one kustomization. */
struct reach {
	struct deploy *d;
	const struct parse_input *files[DEPLOY_OVERLAY_FILES];
	size_t len;
	unsigned depth; /* the deepest that was entered */
	const struct deploy_overlay *way[DEPLOY_OVERLAY_DEPTH + 1];
};

/* The overlay read from that input, or NULL.  They stand in order. */
static struct deploy_overlay *overlay_find(const struct deploy *d,
					   const struct parse_input *in)
{
	size_t from = 0, to = d->overlays_len;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (d->overlays[mid].in == in)
			return &d->overlays[mid];
		if (d->overlays[mid].in < in)
			from = mid + 1;
		else
			to = mid;
	}
	return NULL;
}

/* Noted once for each reference, not for each path that leads to it. */
static void ref_note(struct deploy *d, struct deploy_ref *ref,
		     const struct deploy_overlay *o, const char *code,
		     const char *message)
{
	if (!ref->is_noted)
		deploy_warn(d, code, o->in, ref->offset, message);
	ref->is_noted = true;
}

static bool is_on_way(const struct reach *r, unsigned depth,
		      const struct parse_input *in)
{
	for (unsigned i = 0; i <= depth; i++)
		if (r->way[i]->in == in)
			return true;
	return false;
}

static bool is_reached(const struct reach *r, const struct parse_input *in)
{
	for (size_t i = 0; i < r->len; i++)
		if (r->files[i] == in)
			return true;
	return false;
}

static void overlay_walk(struct reach *r, struct deploy_overlay *o,
			 unsigned depth);

static void ref_follow(struct reach *r, struct deploy_overlay *o,
		       struct deploy_ref *ref, unsigned depth)
{
	struct deploy_overlay *next = overlay_find(r->d, ref->file);

	if (is_on_way(r, depth, ref->file)) {
		ref_note(r->d, ref, o, "circular",
			 "leads back to a kustomization that leads here");
		return;
	}
	if (is_reached(r, ref->file))
		return;
	if (r->len == DEPLOY_OVERLAY_FILES) {
		ref_note(r->d, ref, o, "overlay_files",
			 "an overlay reaches more than 50 files; the rest is "
			 "not followed");
		return;
	}
	if (next != NULL && depth == DEPLOY_OVERLAY_DEPTH) {
		ref_note(r->d, ref, o, "overlay_depth",
			 "an overlay is nested more than 5 deep; the rest is "
			 "not followed");
		return;
	}
	r->files[r->len++] = ref->file;
	if (next != NULL)
		overlay_walk(r, next, depth + 1);
}

/* As deep as DEPLOY_OVERLAY_DEPTH. */
static void overlay_walk(struct reach *r, struct deploy_overlay *o,
			 unsigned depth)
{
	r->way[depth] = o;
	if (depth > r->depth)
		r->depth = depth;
	for (size_t i = 0; i < o->refs_len; i++) {
		struct deploy_ref *ref = &o->refs[i];

		if (ref->kind == DEPLOY_RESOURCE || ref->kind == DEPLOY_BASE ||
		    ref->kind == DEPLOY_COMPONENT) {
			if (!deploy_visit(r->d, o->in))
				return;
			if (ref->file != NULL)
				ref_follow(r, o, ref, depth);
		}
	}
}

void deploy_overlays_write(struct deploy *d)
{
	struct slice_list *l = &d->lists[DEPLOY_OVERLAYS];

	for (size_t i = 0; i < d->overlays_len && !slice_is_full(l); i++) {
		struct reach r = { .d = d };
		struct jsonw *w;

		overlay_walk(&r, &d->overlays[i], 0);
		w = slice_item(l);
		jsonw_uint(w, "depth", r.depth);
		jsonw_array(w, "reaches");
		for (size_t k = 0; k < r.len; k++)
			source_write(w, NULL, r.files[k]);
		jsonw_end_array(w);
		source_write(w, "source", d->overlays[i].in);
		slice_item_end(l);
	}
}
