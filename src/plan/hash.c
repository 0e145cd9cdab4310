/* hash.c -- one hash for the policy: filters, mounts, limits, rules. */
#include <errno.h>
#include <string.h>

#include "base/blake3.h"
#include "plan/plan.h"

static void add_text(struct blake3 *h, const char *text)
{
	if (text == NULL)
		text = "";
	blake3_update(h, text, strlen(text) + 1);
}

static void add_number(struct blake3 *h, uint64_t n)
{
	uint8_t bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(n >> 8 * i);
	blake3_update(h, bytes, sizeof bytes);
}

static void add_steps(struct blake3 *h, const struct plan *p)
{
	for (size_t i = 0; i < p->steps_len; i++) {
		const struct plan_step *s = &p->steps[i];

		add_number(h, s->kind);
		add_text(h, s->target);
		add_text(h, s->text);
		blake3_update(h, s->content, s->content_len);
		add_number(h, s->attr);
		add_number(h, s->mode);
		add_number(h, (uint64_t)s->writable << 2 |
				      (uint64_t)s->subset_pid << 1 |
				      (uint64_t)s->is_dir);
	}
}

/* Without a mount namespace the scratch has a random name. */
static void add_path(struct blake3 *h, const struct plan *p, const char *path)
{
	bool is_scratch = p->scratch != NULL && strcmp(path, p->scratch) == 0;

	add_text(h, is_scratch ? "/scratch" : path);
}

static void add_landlock(struct blake3 *h, const struct plan *p)
{
	const struct plan_landlock *l = &p->landlock;

	add_number(h, l->wanted);
	add_number(h, l->handled_fs);
	add_number(h, l->handled_net);
	add_number(h, l->scoped);
	for (size_t i = 0; i < l->rules_len; i++) {
		add_path(h, p, l->rules[i].path);
		add_number(h, l->rules[i].access);
	}
}

static void add_limits(struct blake3 *h, const struct plan *p)
{
	for (size_t i = 0; i < p->limits_len; i++) {
		add_number(h, (uint64_t)p->limits[i].resource);
		add_number(h, p->limits[i].soft);
		add_number(h, p->limits[i].hard);
	}
}

/* A policy without scoped egress keeps the hash that it always had. */
static void add_egress(struct blake3 *h, const struct egress_plan *e)
{
	if (!e->is_wanted)
		return;
	add_text(h, "egress");
	add_number(h, e->config.is_audit);
	for (size_t i = 0; i < e->texts_len; i++)
		add_text(h, e->texts[i]);
}

int plan_hash(struct plan *p)
{
	char text[BLAKE3_TEXT_BYTES];
	uint8_t digest[BLAKE3_BYTES];
	struct blake3 h;

	if (p->policy_hash != NULL)
		return 0;
	blake3_init(&h);
	add_text(&h, p->filter.hash);
	add_text(&h, p->cross.hash);
	add_text(&h, p->offline.hash);
	add_text(&h, p->lesser.hash);
	add_number(&h, p->clone_flags);
	add_number(&h, p->tmpfs_bytes);
	add_number(&h, p->tmpfs_inodes);
	add_number(&h, p->loopback);
	add_steps(&h, p);
	add_limits(&h, p);
	add_landlock(&h, p);
	add_egress(&h, &p->egress);
	blake3_final(&h, digest, sizeof digest);
	blake3_hex(digest, text);
	p->policy_hash = arena_text(&p->arena, text);
	return p->policy_hash != NULL ? 0 : -ENOMEM;
}
