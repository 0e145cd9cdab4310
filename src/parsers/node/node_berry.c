/* node_berry.c -- yarn.lock of yarn 2 and later: YAML.
 *
 * Every name at the top is a list of descriptors, "a@npm:^1, a@npm:^2"; its
 * "resolution" says what they became.  One with the protocol "workspace:" is a
 * package of the repository and has the constraints of its manifest.
 * Source: yarn's "Lexicon" and its Project.generateLockfile. */
#include <string.h>

#include "parsers/node/node.h"
#include "parsers/node/node_stream.h"

struct berry {
	struct node_lock *lock;
	struct json_text *cache_key; /* of node.facts, like the pins' texts */
	struct json_text resolution; /* of the open entry */
	struct node_entry entry;
	struct node_record record; /* of the open entry, a workspace */
	struct node_record all;    /* every descriptor */
	size_t head;               /* where those of the open entry begin */
	struct node_record overridden;
};

static struct json_text keep(struct berry *b, size_t at, struct json_text t)
{
	return node_text_keep(b->lock->node, b->lock->in, at, t);
}

static bool has_protocol(struct json_text reference, const char *protocol)
{
	size_t len = strlen(protocol);

	return reference.len >= len &&
	       memcmp(reference.bytes, protocol, len) == 0;
}

/* "a@npm:^1, a@npm:^2": commas with a blank, which no range has. */
static void descriptors_add(struct berry *b, struct json_text list)
{
	while (list.len > 0) {
		const char *comma = memmem(list.bytes, list.len, ", ", 2);
		size_t len = comma ? (size_t)(comma - list.bytes) : list.len;
		size_t used = comma ? len + 2 : len;

		node_record_add(&b->all, (struct json_text){ list.bytes, len },
				(struct json_text){ NULL, 0 });
		list.bytes += used;
		list.len -= used;
	}
}

static void berry_open(void *ctx, const struct stream_place *w)
{
	struct berry *b = ctx;

	if (w->depth != 1 || text_is(w->keys[0], "__metadata"))
		return;
	b->entry = (struct node_entry){ 0 };
	b->resolution = (struct json_text){ NULL, 0 };
	node_record_clear(&b->record);
	b->head = b->all.len;
	descriptors_add(b, keep(b, w->key_at[0], w->keys[0]));
}

static void metadata_take(struct berry *b, struct json_text key,
			  struct json_text value, size_t at)
{
	if (text_is(key, "version"))
		b->lock->version = keep(b, at, value);
	if (!text_is(key, "cacheKey"))
		return;
	b->cache_key = arena_alloc(&b->lock->node->facts, sizeof *b->cache_key);
	if (b->cache_key != NULL)
		*b->cache_key = keep(b, at, value);
}

static void berry_scalar(void *ctx, const struct stream_place *w,
			 struct json_text value, size_t at)
{
	struct berry *b = ctx;
	struct json_text name, reference;

	if (w->depth == 2 && text_is(w->keys[0], "__metadata")) {
		metadata_take(b, w->keys[1], value, at);
	} else if (w->depth == 2 && text_is(w->keys[1], "version")) {
		b->entry.version = keep(b, at, value);
	} else if (w->depth == 2 && text_is(w->keys[1], "resolution")) {
		b->resolution = keep(b, at, value);
	} else if (w->depth == 2 && text_is(w->keys[1], "checksum")) {
		b->entry.integrity = keep(b, at, value);
	} else if (w->depth == 3 && text_is(w->keys[1], "dependencies")) {
		node_text_split(b->resolution, &name, &reference);
		if (has_protocol(reference, "workspace:"))
			node_record_add(&b->record,
					keep(b, w->key_at[2], w->keys[2]),
					keep(b, at, value));
	}
}

static void importer_end(struct berry *b, struct json_text path)
{
	const struct node_package *p = node_lock_importer(b->lock, path);
	struct node_against against = { .lock = b->lock,
					.overridden = &b->overridden,
					.has_protocols = true };

	node_record_sort(&b->record);
	if (p != NULL)
		node_compare_record(&against, &b->record, p);
}

/* What is linked to a directory has no version; yarn writes "0.0.0-use.local". */
static void heads_add(struct berry *b, struct json_text reference)
{
	const bool is_directory = has_protocol(reference, "workspace:") ||
				  has_protocol(reference, "link:") ||
				  has_protocol(reference, "portal:");

	if (is_directory || b->entry.version.bytes != NULL)
		node_choice_add_heads(b->lock, &b->all, b->head,
				      is_directory
					      ? (struct json_text){ NULL, 0 }
					      : b->entry.version);
}

/* "10c0/DIGEST", or the digest alone. */
static enum digest_kind checksum_read(struct json_text t)
{
	struct json_text rest, key = text_cut(t, '/', &rest);
	const enum digest_kind kind =
		digest_hex_read(rest.bytes != NULL ? rest : key);

	return kind == DIGEST_SHA512 ? kind : DIGEST_NONE;
}

static void berry_close(void *ctx, const struct stream_place *w)
{
	static const char workspace[] = "workspace:";
	const size_t len = sizeof workspace - 1;
	struct berry *b = ctx;
	struct json_text reference;

	if (w->depth != 1 || text_is(w->keys[0], "__metadata"))
		return;
	node_text_split(b->resolution, &b->entry.name, &reference);
	heads_add(b, reference);
	if (has_protocol(reference, workspace)) {
		importer_end(b, (struct json_text){ reference.bytes + len,
						    reference.len - len });
		return;
	}
	if (!has_protocol(reference, "npm:"))
		b->entry.resolved = reference;
	b->entry.is_inside = has_protocol(reference, "patch:") ||
			     has_protocol(reference, "file:") ||
			     has_protocol(reference, "link:") ||
			     has_protocol(reference, "portal:");
	if (b->entry.is_inside)
		b->entry.resolved = (struct json_text){ NULL, 0 };
	b->entry.digest = checksum_read(b->entry.integrity);
	if (has_protocol(reference, "npm:"))
		b->entry.fetched = text_first(
			text_from(reference, 4),
			text_length_before(text_from(reference, 4), ":"));
	/* A patched package has the version of the one it was made of. */
	if (!has_protocol(reference, "npm:") || b->cache_key == NULL ||
	    b->cache_key->bytes == NULL)
		b->entry.integrity = (struct json_text){ NULL, 0 };
	b->entry.scheme = b->cache_key;
	node_lock_entry(b->lock, &b->entry);
}

int node_berry_read(struct node_lock *l)
{
	static const unsigned majors[] = { 4, 5, 6, 7, 8, 9, 10, 0 };
	struct berry b = { .lock = l };
	struct stream_sink sink = { &b, berry_open, berry_close, berry_scalar };
	struct node_against against = { .lock = l,
					.overridden = &b.overridden,
					.has_protocols = true };
	int e;

	node_resolutions_read(l, &b.overridden);
	e = node_stream_read(l->in, &sink, l->node->report);
	if (e == 0) {
		node_lock_check_version(l, majors,
					"expected __metadata.version 4 to 10");
		node_record_sort(&b.all);
		node_record_note_twice(&b.all, l->node, l->in);
		node_compare_descriptors(&against, &b.all);
	}
	node_record_done(&b.record);
	node_record_done(&b.all);
	node_record_done(&b.overridden);
	return e;
}
