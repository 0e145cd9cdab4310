/* phases.c -- see phases.h. */
#include "plan/phases.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "plan/backend.h"

/* Steps that the holder does for all phases.  The others each phase does
 * itself: its /proc and the covers on it, and the files of ours that depend on
 * the network. */
static bool is_shared(const struct plan_step *s)
{
	return s->kind != STEP_PROC && s->kind != STEP_COVER &&
	       s->kind != STEP_DIR &&
	       (s->kind != STEP_FILE || s->content == NULL);
}

static bool is_text_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_step_same(const struct plan_step *a, const struct plan_step *b)
{
	return a->kind == b->kind && is_text_same(a->target, b->target) &&
	       is_text_same(a->text, b->text) && a->source == b->source &&
	       a->attr == b->attr && a->writable == b->writable;
}

static bool is_source_same(const struct plan_source *a,
			   const struct plan_source *b)
{
	return is_text_same(a->path, b->path) &&
	       is_text_same(a->leaf, b->leaf) && a->dev == b->dev &&
	       a->ino == b->ino && a->leaf_dev == b->leaf_dev &&
	       a->leaf_ino == b->leaf_ino && a->needs_idmap == b->needs_idmap;
}

static const struct plan_step *step_next(const struct plan *p, size_t *at)
{
	while (*at < p->steps_len && !is_shared(&p->steps[*at]))
		++*at;
	return *at < p->steps_len ? &p->steps[(*at)++] : NULL;
}

static bool is_view_same(const struct plan *a, const struct plan *b)
{
	size_t i = 0, k = 0;

	if (a->sources_len != b->sources_len ||
	    a->tmpfs_bytes != b->tmpfs_bytes ||
	    a->ids.host_uid != b->ids.host_uid ||
	    a->ids.host_gid != b->ids.host_gid)
		return false;
	for (size_t n = 0; n < a->sources_len; n++)
		if (!is_source_same(&a->sources[n], &b->sources[n]))
			return false;
	for (;;) {
		const struct plan_step *x = step_next(a, &i);
		const struct plan_step *y = step_next(b, &k);

		if (x == NULL || y == NULL)
			return x == y;
		if (!is_step_same(x, y))
			return false;
	}
}

int plan_phases_check(const struct plan_phase phases[], size_t n,
		      struct cupel_error *err)
{
	for (size_t i = 0; i < n; i++) {
		const struct plan *p = phases[i].plan;

		if (!backend_has(p->backend, WALL_MOUNTNS) ||
		    !backend_has(p->backend, WALL_PIDNS))
			return cupel_fail(
				err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_HOST,
				EOPNOTSUPP,
				"phases need namespaces, so that nothing of "
				"one phase lives on in the next: --backend %s "
				"has none (see `cupel doctor`)",
				backend_of(p->backend)->name);
		if (!is_view_same(phases[0].plan, p))
			return cupel_fail(err, CUPEL_STAGE_PLAN,
					  CUPEL_CAUSE_HOST, ESTALE,
					  "phase %s would see other files than "
					  "phase %s: it needs other files of "
					  "the host, or they have just changed",
					  phases[i].name, phases[0].name);
	}
	return 0;
}

/* --- for people ----------------------------------------------------------- */

static void write_shared(struct jsonw *w, const struct plan *p)
{
	jsonw_object(w, "shared");
	jsonw_uint(w, "tmpfs_bytes", p->tmpfs_bytes);
	jsonw_uint(w, "tmpfs_inodes", p->tmpfs_inodes);
	jsonw_array(w, "mounts");
	for (size_t i = 0; i < p->steps_len; i++) {
		const struct plan_step *s = &p->steps[i];

		if (is_shared(s) && s->kind != STEP_FILE &&
		    s->kind != STEP_LINK)
			jsonw_text(w, NULL, s->target);
	}
	jsonw_end_array(w);
	jsonw_end_object(w);
}

void plan_phases_write(const struct plan_phase phases[], size_t n,
		       struct buf *out)
{
	struct jsonw w = { .out = out, .indent = 2 };

	jsonw_object(&w, NULL);
	jsonw_text(&w, "version", "1.0");
	write_shared(&w, phases[0].plan);
	jsonw_array(&w, "phases");
	for (size_t i = 0; i < n; i++) {
		owned_buf struct buf text = { 0 };

		plan_write_json_phase(phases[i].plan, &text);
		out->failed |= buf_has_failed(&text);
		jsonw_object(&w, NULL);
		jsonw_text(&w, "name", phases[i].name);
		jsonw_bool(&w, "goes_on", phases[i].goes_on);
		if (!buf_has_failed(&text))
			jsonw_raw(&w, "plan", text.bytes, text.len - 1);
		jsonw_end_object(&w);
	}
	jsonw_end_array(&w);
	jsonw_end_object(&w);
	buf_char(out, '\n');
}
