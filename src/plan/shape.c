/* shape.c -- see shape.h. */
#include "plan/shape.h"

#include <string.h>

#include "plan/template.h"

bool shape_is_shared(enum step_kind kind)
{
	switch (kind) {
	case STEP_DIR:
	case STEP_FILE:
	case STEP_LINK:
	case STEP_BIND:
	case STEP_DEVICE:
		return true;
	default:
		return false;
	}
}

const char *shape_refusal(const struct plan *p)
{
	const char *why = template_refusal(p);

	if (why != NULL)
		return why;
	/* A copy is born in the template's, and to move a process into another
	 * of version 2 takes longer than all that a copy saves. */
	if (p->cgroup.kind != CGROUP_NONE && p->cgroup.kind != CGROUP_V1)
		return "a cgroup of version 2";
	for (size_t i = 0; i < p->steps_len; i++) {
		const struct plan_step *s = &p->steps[i];

		if (s->kind == STEP_PROC && s->target[0] == '\0')
			return "a bare root";
		if (s->kind == STEP_OVERLAY &&
		    p->sources[s->source].leaf != NULL)
			return "a view of a single file";
	}
	return NULL;
}

static void add_text(struct blake3 *h, const char *text)
{
	if (text == NULL)
		text = "";
	blake3_update(h, text, strlen(text) + 1);
}

static void add_numbers(struct blake3 *h, const uint64_t n[], size_t len)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < len; i++) {
		for (int k = 0; k < 8; k++)
			bytes[k] = (uint8_t)(n[i] >> 8 * k);
		blake3_update(h, bytes, sizeof bytes);
	}
}
#define ADD_NUMBERS(h, ...)                                                    \
	add_numbers(h, (const uint64_t[]){ __VA_ARGS__ },                      \
		    sizeof((const uint64_t[]){ __VA_ARGS__ }) /                \
			    sizeof(uint64_t))

static void add_step(struct blake3 *h, const struct plan_step *s)
{
	add_text(h, s->target);
	add_text(h, s->text);
	ADD_NUMBERS(h, s->kind, s->attr, s->mode, s->source, s->dev_major,
		    s->dev_minor, s->writable, s->is_dir, s->subset_pid,
		    s->content != NULL, s->content_len);
	if (s->content_len > 0)
		blake3_update(h, s->content, s->content_len);
}

static void add_source(struct blake3 *h, const struct plan_source *s)
{
	add_text(h, s->path);
	add_text(h, s->leaf);
	ADD_NUMBERS(h, s->dev, s->ino, s->leaf_dev, s->leaf_ino, s->is_dir,
		    s->needs_idmap, s->uid, s->gid);
}

void shape_hash(const struct plan *p, char ret[BLAKE3_TEXT_BYTES])
{
	uint8_t digest[BLAKE3_BYTES];
	struct blake3 h;

	blake3_init(&h);
	ADD_NUMBERS(&h, p->backend, p->clone_flags, p->ids.host_uid,
		    p->ids.host_gid, p->ids.by_root, p->sources_len,
		    p->steps_len);
	add_text(&h, p->hostname);
	for (size_t i = 0; i < p->sources_len; i++)
		add_source(&h, &p->sources[i]);
	for (size_t i = 0; i < p->steps_len; i++)
		add_step(&h, &p->steps[i]);
#ifdef CUPEL_TEST_HOOKS
	ADD_NUMBERS(&h, p->hooks.dropped);
#endif
	blake3_final(&h, digest, sizeof digest);
	blake3_hex(digest, ret);
}
