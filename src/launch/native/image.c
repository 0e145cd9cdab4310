/* image.c -- writes a plan as the flat bytes of image.h. */
#include "launch/native/image.h"

#include <assert.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "launch/native/image_write.h"
#include "launch/native/sys.h"
#include "plan/backend.h"
#include "plan/plan.h"
#include "plan/trace_filter.h"

/* An image holds argv, the environment and the filters.  For argv and the
 * environment the kernel takes at most a quarter of an 8 MiB stack. */
#define IMAGE_BYTES_MAX ((size_t)8 << 20)

#if defined(__x86_64__)
#define TRACE_ARCH AUDIT_ARCH_X86_64
#else
#define TRACE_ARCH AUDIT_ARCH_AARCH64
#endif

static uint32_t add_bytes(struct buf *b, const void *bytes, size_t n)
{
	static const char zeros[16];
	size_t at = (b->len + 15) / 16 * 16;

	buf_add(b, zeros, at - b->len);
	buf_add(b, bytes, n);
	return (uint32_t)at;
}

static uint32_t add_text(struct buf *b, const char *text)
{
	size_t at = b->len;

	if (text == NULL)
		return 0;
	buf_add(b, text, strlen(text) + 1);
	return (uint32_t)at;
}

/* Room for count zeroed records of size bytes, which put() fills in. */
static struct image_list add_array(struct buf *b, size_t count, size_t size)
{
	static const char zeros[64];
	uint32_t at = add_bytes(b, "", 0);

	for (size_t left = count * size; left > 0;) {
		size_t n = left < sizeof zeros ? left : sizeof zeros;

		buf_add(b, zeros, n);
		left -= n;
	}
	return (struct image_list){ .at = at, .len = (uint32_t)count };
}

static void put(struct buf *b, struct image_list list, size_t i,
		const void *record, size_t size)
{
	if (!buf_has_failed(b))
		memcpy(b->bytes + list.at + i * size, record, size);
}

static struct image_list add_sources(struct buf *b, const struct plan *p,
				     const int trees[])
{
	struct image_list list =
		add_array(b, p->sources_len, sizeof(struct image_source));

	for (size_t i = 0; i < p->sources_len; i++) {
		const struct plan_source *s = &p->sources[i];
		struct image_source out = { .path = add_text(b, s->path),
					    .tree_fd = trees[i],
					    .id = { s->dev, s->ino },
					    .leaf = add_text(b, s->leaf),
					    .leaf_id = { s->leaf_dev,
							 s->leaf_ino },
					    .is_dir = s->is_dir,
					    .is_runtime = s->is_runtime };

		put(b, list, i, &out, sizeof out);
	}
	return list;
}

static struct image_list add_steps(struct buf *b, const struct plan *p)
{
	struct image_list list =
		add_array(b, p->steps_len, sizeof(struct image_step));

	for (size_t i = 0; i < p->steps_len; i++) {
		const struct plan_step *s = &p->steps[i];
		struct image_step out = {
			.kind = s->kind,
			.target = add_text(b, s->target),
			.text = add_text(b, s->text),
			.content = s->content == NULL
					   ? 0
					   : add_bytes(b, s->content,
						       s->content_len),
			.content_len = (uint32_t)s->content_len,
			.source = s->source,
			.mode = s->mode,
			.wall = s->wall,
			.attr = s->attr,
			.dev_major = s->dev_major,
			.dev_minor = s->dev_minor,
			.writable = s->writable,
			.is_dir = s->is_dir,
			.subset_pid = s->subset_pid,
		};

		put(b, list, i, &out, sizeof out);
	}
	return list;
}

static struct image_list add_limits(struct buf *b, const struct plan *p)
{
	struct image_list list =
		add_array(b, p->limits_len, sizeof(struct image_limit));

	for (size_t i = 0; i < p->limits_len; i++) {
		const struct plan_limit *l = &p->limits[i];
		struct image_limit out = { .resource = l->resource,
					   .wall = l->wall,
					   .soft = l->soft,
					   .hard = l->hard };

		put(b, list, i, &out, sizeof out);
	}
	return list;
}

static struct image_list add_rules(struct buf *b,
				   const struct plan_landlock *landlock)
{
	struct image_list list =
		add_array(b, landlock->rules_len, sizeof(struct image_rule));

	for (size_t i = 0; i < landlock->rules_len; i++) {
		const struct plan_rule *r = &landlock->rules[i];
		struct image_rule out = { .path = add_text(b, r->path),
					  .access = r->access,
					  .dev = r->dev,
					  .ino = r->ino };

		put(b, list, i, &out, sizeof out);
	}
	return list;
}

static struct image_list add_texts(struct buf *b, const char *const *texts,
				   size_t n)
{
	struct image_list list = add_array(b, n + 1, sizeof(uint64_t));

	for (size_t i = 0; i < n; i++) {
		uint64_t at = add_text(b, texts[i]);

		put(b, list, i, &at, sizeof at);
	}
	list.len = (uint32_t)n;
	return list;
}

static struct image_list add_filter(struct buf *b, const struct filter *f)
{
	return (struct image_list){
		.at = add_bytes(b, f->insns,
				f->len * sizeof(struct sock_filter)),
		.len = (uint32_t)f->len
	};
}

#define WORD(field)                                                            \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/* Instruction `at` of the front, with the two instructions that it jumps to. */
#define TEST(op, at, k, yes, no)                                               \
	[at] = BPF_JUMP(BPF_JMP | (op) | BPF_K, k, (yes) - (at)-1,             \
			(no) - (at)-1)

#define HIGH      8            /* here the higher numbers are tested */
#define KEY       13           /* here the key is tested */
#define OUT       FILTER_FRONT /* the policy */
#define LOW_FIRST (SYS_chdir < SYS_faccessat ? SYS_chdir : SYS_faccessat)

/* Only calls that are rare in a command are tested here, because a tested call
 * is lost to the kernel's cache of calls that are always allowed.  All others
 * fall through to the policy in few steps, because the kernel walks through
 * here for every number to fill that cache. */
static const struct sock_filter front[] = {
	WORD(nr),
	TEST(BPF_JGE, 1, SYS_prlimit64, HIGH, 2),
	TEST(BPF_JGE, 2, LOW_FIRST, 3, OUT),
	TEST(BPF_JEQ, 3, SYS_chdir, KEY, 4),
	TEST(BPF_JEQ, 4, SYS_setsid, KEY, 5),
	TEST(BPF_JEQ, 5, SYS_rt_sigsuspend, KEY, 6),
	TEST(BPF_JEQ, 6, SYS_prctl, KEY, 7),
	TEST(BPF_JEQ, 7, SYS_faccessat, KEY, OUT),
	TEST(BPF_JEQ, HIGH, SYS_prlimit64, KEY, HIGH + 1),
	TEST(BPF_JEQ, 9, SYS_seccomp, KEY, 10),
	TEST(BPF_JEQ, 10, SYS_clone3, KEY, 11),
	TEST(BPF_JEQ, 11, SYS_landlock_restrict_self, KEY, 12),
	TEST(BPF_JEQ, 12, SYS_futex_waitv, KEY, OUT),
	[KEY] = WORD(args[5]),
	TEST(BPF_JEQ, FRONT_KEY_LOW, 0, FRONT_KEY_LOW + 1, OUT),
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		 offsetof(struct seccomp_data, args[5]) + sizeof(uint32_t)),
	TEST(BPF_JEQ, FRONT_KEY_HIGH, 0, FRONT_KEY_HIGH + 1, OUT),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};
static_assert(LOW_FIRST < SYS_setsid && LOW_FIRST < SYS_rt_sigsuspend &&
		      LOW_FIRST < SYS_prctl && SYS_chdir < SYS_prlimit64 &&
		      SYS_setsid < SYS_prlimit64 &&
		      SYS_rt_sigsuspend < SYS_prlimit64 &&
		      SYS_prctl < SYS_prlimit64 &&
		      SYS_faccessat < SYS_prlimit64 &&
		      SYS_prlimit64 < SYS_seccomp &&
		      SYS_prlimit64 < SYS_clone3 &&
		      SYS_prlimit64 < SYS_landlock_restrict_self &&
		      SYS_prlimit64 < SYS_futex_waitv,
	      "the order of these numbers, on each architecture");
static_assert(sizeof front / sizeof *front == FILTER_FRONT &&
		      FILTER_FRONT + FILTER_INSNS_MAX <= BPF_MAXINSNS,
	      "as many as image.h says, and room for them");

static struct image_list add_policy(struct buf *b, const struct filter *f)
{
	struct image_list list = { 0 };

	if (f->len == 0)
		return list;
	list.at = add_bytes(b, front, sizeof front);
	buf_add(b, (const char *)f->insns, f->len * sizeof(struct sock_filter));
	list.len = (uint32_t)f->len + FILTER_FRONT;
	return list;
}

static struct image_list add_network(struct buf *b, const struct egress_plan *e)
{
	struct image_list list = { 0 };

	if (!e->is_wanted)
		return list;
	list.at = add_bytes(b, e->sockets, e->sockets_len * sizeof *e->sockets);
	list.len = (uint32_t)e->sockets_len;
	return list;
}

static struct image_list add_trace(struct buf *b, const struct trace_plan *t)
{
	struct sock_filter insns[TRACE_FILTER_MAX];
	const struct filter f = {
		.insns = insns,
		.len = trace_filter_build(t, TRACE_ARCH, insns),
	};

	return f.len > 0 ? add_filter(b, &f) : (struct image_list){ 0 };
}

static void head_fill(struct image *im, const struct plan *p)
{
	bool has_own = backend_has(p->backend, WALL_USERNS);

	im->magic = IMAGE_MAGIC;
	im->tmpfs_bytes = p->tmpfs_bytes;
	im->tmpfs_inodes = p->tmpfs_inodes;
	im->requested = p->requested & ~p->missing;
	im->landlock = p->landlock.wanted;
	im->landlock_fs = p->landlock.handled_fs;
	im->landlock_net = p->landlock.handled_net;
	im->landlock_scoped = p->landlock.scoped;
	im->uid = has_own ? PLAN_UID_INSIDE : p->ids.host_uid;
	im->gid = has_own ? PLAN_GID_INSIDE : p->ids.host_gid;
	im->by_root = p->ids.by_root;
	im->loopback = p->loopback;
	im->inotify = p->inotify;
	im->carry_tmpfs = p->keeps_files;
	im->terminal = p->terminal;
	im->core_scheduling = p->core_scheduling;
	im->allow_partial = p->allow_partial;
}

void image_build(const struct plan *p, const struct image_fds *fds,
		 struct buf *out)
{
	struct image im = { 0 };

	out->cap_bytes = IMAGE_BYTES_MAX;
	buf_add(out, &im, sizeof im);
	head_fill(&im, p);
	memcpy(im.stdio, fds->stdio, sizeof im.stdio);
	im.exec_fd = fds->exec_fd;
	im.hostname = add_text(out, p->hostname);
	im.cwd = add_text(out, p->cwd);
	im.path = add_text(out, p->path);
	im.scratch = add_text(out, p->scratch);
	im.sources = add_sources(out, p, fds->trees);
	im.steps = add_steps(out, p);
	im.limits = add_limits(out, p);
	im.rules = add_rules(out, &p->landlock);
	im.filter = add_policy(out, &p->filter);
	im.cross = add_filter(out, &p->cross);
	im.offline = add_filter(out, &p->offline);
	im.lesser = add_filter(out, &p->lesser);
	im.argv = add_texts(out, p->argv, p->argc);
	im.envp = add_texts(out, p->envp, p->envc);
	im.inputs.at = add_bytes(out, fds->inputs,
				 fds->inputs_len * sizeof *fds->inputs);
	im.inputs.len = (uint32_t)fds->inputs_len;
	im.network = add_network(out, &p->egress);
	im.trace = add_trace(out, &p->trace);
	im.bytes = (uint32_t)out->len;
	if (!buf_has_failed(out))
		memcpy(out->bytes, &im, sizeof im);
}
