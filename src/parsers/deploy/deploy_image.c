/* deploy_image.c -- image references, and those among a chart's values. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "parsers/deploy/deploy.h"

static void reference_build(const struct deploy_reference *ref, struct buf *out)
{
	out->cap_bytes = DEPLOY_TEXT_BYTES;
	if (ref->registry.len > 0) {
		buf_add(out, ref->registry.bytes, ref->registry.len);
		buf_char(out, '/');
	}
	buf_add(out, ref->name.bytes, ref->name.len);
	if (ref->tag.len > 0) {
		buf_char(out, ':');
		buf_add(out, ref->tag.bytes, ref->tag.len);
	}
	if (ref->digest.len > 0) {
		buf_char(out, '@');
		buf_add(out, ref->digest.bytes, ref->digest.len);
	}
}

void deploy_image_add(struct deploy *d, const struct parse_input *in,
		      const char *from, const struct deploy_reference *ref)
{
	owned_buf struct buf text = { 0 };
	struct deploy_image image = { .from = from, .in = in };

	if (ref->name.len == 0)
		return;
	reference_build(ref, &text);
	if (buf_has_failed(&text)) {
		report_note(&d->report->errors, "string_too_long", in, -1,
			    "an image reference longer than 4 KiB is left out");
		return;
	}
	image.reference.bytes = arena_copy(&d->facts, text.bytes, text.len);
	image.reference.len = text.len;
	if (ref->written.len > 0) {
		image.written.bytes = arena_copy(&d->facts, ref->written.bytes,
						 ref->written.len);
		image.written.len = image.written.bytes ? ref->written.len : 0;
	}
	if (image.reference.bytes == NULL ||
	    image.written.len != ref->written.len ||
	    d->images_len == DEPLOY_IMAGES_MAX ||
	    !array_grow((void **)&d->images, d->images_len, &d->images_room,
			sizeof *d->images)) {
		d->lists[DEPLOY_IMAGES].is_cut = true;
		return;
	}
	d->images[d->images_len++] = image;
}

static int image_compare(const void *x, const void *y)
{
	const struct deploy_image *a = x, *b = y;
	int c = text_order(a->reference, b->reference);

	if (c == 0)
		c = strcmp(a->from, b->from);
	if (c == 0)
		c = text_order(a->written, b->written);
	return c != 0 ? c : (a->in > b->in) - (a->in < b->in);
}

void deploy_images_write(struct deploy *d)
{
	struct slice_list *l = &d->lists[DEPLOY_IMAGES];
	bool is_cut = l->is_cut;

	l->is_cut = false;
	if (d->images_len > 0)
		qsort(d->images, d->images_len, sizeof *d->images,
		      image_compare);
	for (size_t i = 0; i < d->images_len; i++) {
		const struct deploy_image *image = &d->images[i];
		struct jsonw *w;

		if (i > 0 && image_compare(image - 1, image) == 0)
			continue;
		if (slice_is_full(l))
			break;
		w = slice_item(l);
		text_put(w, "reference", image->reference);
		if (image->written.bytes != NULL)
			text_put(w, "written", image->written);
		jsonw_text(w, "from", image->from);
		source_write(w, "source", image->in);
		slice_item_end(l);
	}
	l->is_cut |= is_cut;
}

/* "image", "sidecarImage", "init_image": a name under which values keep one. */
static bool is_image_key(struct json_text key)
{
	static const char word[] = "mage";
	size_t len = strlen(word) + 1;
	const char *tail;

	if (key.len < len)
		return false;
	tail = key.bytes + key.len - len;
	if (memcmp(tail + 1, word, strlen(word)) != 0)
		return false;
	if (key.len == len)
		return tail[0] == 'i';
	return tail[0] == 'I' ||
	       (tail[0] == 'i' && (tail[-1] == '_' || tail[-1] == '-'));
}

/* Whether the text could name an image at all. */
static bool is_name(struct json_text t)
{
	if (t.len == 0 || text_is(t, "true") || text_is(t, "false") ||
	    memmem(t.bytes, t.len, "://", 3) != NULL)
		return false;
	for (size_t i = 0; i < t.len; i++)
		if (isspace((unsigned char)t.bytes[i]) || t.bytes[i] == '\0')
			return false;
	return true;
}

/* A tag of its own: a colon behind the last slash, or a digest. */
static bool has_tag(struct json_text t)
{
	const char *slash = t.len > 0 ? memrchr(t.bytes, '/', t.len) : NULL;
	const char *from = slash != NULL ? slash : t.bytes;
	size_t left = t.len - (size_t)(from - t.bytes);

	return memchr(from, ':', left) != NULL ||
	       memchr(from, '@', left) != NULL;
}

/* "r.example.org", "localhost:5000": a registry, not an image. */
static bool is_host(struct json_text t)
{
	return memchr(t.bytes, '/', t.len) == NULL &&
	       memchr(t.bytes, '.', t.len) != NULL;
}

/* {repository, tag, registry, digest}, or {name, tag} under "image". */
static void mapping_read(struct deploy *d, const struct parse_input *in,
			 struct json_text key, const struct yaml_node *n)
{
	struct deploy_reference ref = {
		.registry = deploy_text(d, in, n, "registry"),
		.name = deploy_text(d, in, n, "repository"),
		.tag = deploy_text(d, in, n, "tag"),
		.digest = deploy_text(d, in, n, "digest"),
	};
	bool is_image = is_image_key(key);

	if (ref.name.bytes == NULL && is_image && yaml_find(n, "tag") != NULL)
		ref.name = deploy_text(d, in, n, "name");
	is_image |= yaml_find(n, "tag") != NULL ||
		    yaml_find(n, "digest") != NULL ||
		    yaml_find(n, "pullPolicy") != NULL ||
		    yaml_find(n, "imagePullPolicy") != NULL;
	if (is_image && is_name(ref.name) && !is_host(ref.name))
		deploy_image_add(d, in, "values", &ref);
}

/* What stands beside the images of one mapping, looked for once: a mapping may have
 * a hundred thousand of them. */
struct beside {
	struct deploy_reference parts;
	bool is_known;
};

static void beside_find(struct deploy *d, const struct parse_input *in,
			const struct yaml_node *around, struct beside *b)
{
	if (b->is_known)
		return;
	b->is_known = true;
	b->parts.registry = deploy_text(d, in, around, "registry");
	b->parts.digest = deploy_text(d, in, around, "digest");
	b->parts.tag = deploy_text(d, in, around, "tag");
	if (b->parts.tag.bytes == NULL)
		b->parts.tag = deploy_text(d, in, around, "imageTag");
}

/* image: nginx, with the tag in it, or beside it as "tag" or "imageTag", the
 * other parts beside it too. */
static void scalar_read(struct deploy *d, const struct parse_input *in,
			const struct beside *b, const struct yaml_node *value)
{
	struct deploy_reference ref = { .registry = b->parts.registry };

	ref.name = yaml_text(value, in, d->report);
	if (!is_name(ref.name))
		return;
	if (!has_tag(ref.name)) {
		ref.digest = b->parts.digest;
		ref.tag = b->parts.tag;
	}
	deploy_image_add(d, in, "values", &ref);
}

/* As deep as the reader lets a tree be: PARSE_DEPTH. */
static void values_walk(struct deploy *d, const struct parse_input *in,
			struct json_text key, const struct yaml_node *n)
{
	struct beside beside = { 0 };

	if (n->type == YAML_SCALAR || !deploy_visit(d, in))
		return;
	if (n->type == YAML_SEQUENCE) {
		for (size_t i = 0; i < n->u.sequence.len; i++)
			values_walk(d, in, key, n->u.sequence.items[i]);
		return;
	}
	mapping_read(d, in, key, n);
	for (size_t i = 0; i < n->u.mapping.len; i++) {
		const struct yaml_pair *p = &n->u.mapping.pairs[i];
		struct json_text name = { NULL, 0 };

		if (p->key->type == YAML_SCALAR)
			name = p->key->u.text;
		if (p->value->type != YAML_SCALAR) {
			values_walk(d, in, name, p->value);
		} else if (is_image_key(name)) {
			beside_find(d, in, n, &beside);
			scalar_read(d, in, &beside, p->value);
		}
	}
}

void deploy_values_read(struct deploy *d, const struct parse_input *in)
{
	struct arena arena = { 0 };
	struct yaml_documents docs;

	deploy_read(d, in, &arena, &docs);
	for (size_t i = 0; i < docs.len; i++)
		values_walk(d, in, (struct json_text){ NULL, 0 },
			    docs.items[i]);
	arena_done(&arena);
}
