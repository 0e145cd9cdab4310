/* filter_compile.c -- compiles the text of a policy into a filter. */
#include <errno.h>
#include <linux/audit.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/blake3.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/utf8.h"
#include "plan/filter_rule.h"

int filter_add(struct filter_policy *p, unsigned nr,
	       const struct filter_cond *conds, size_t len, uint32_t verdict)
{
	struct filter_call *call = &p->calls[nr];
	struct filter_clause *c;

	if (call->len == FILTER_CLAUSES_MAX)
		return -E2BIG;
	c = arena_alloc(p->arena, sizeof *c);
	if (c == NULL)
		return -ENOMEM;
	*c = (struct filter_clause){ .conds = conds,
				     .len = len,
				     .verdict = verdict };
	if (call->last == NULL)
		call->last = &call->first;
	*call->last = c;
	call->last = &c->next;
	call->len++;
	return 0;
}

int filter_warn(struct filter_policy *p, const char *fmt, ...)
{
	char line[200];
	va_list ap;

	if (p->warnings_len == FILTER_WARNINGS_MAX)
		return 0;
	va_start(ap, fmt);
	(void)vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	utf8_make_line(line);
	p->warnings[p->warnings_len] = arena_text(p->arena, line);
	if (p->warnings[p->warnings_len] == NULL)
		return -ENOMEM;
	p->warnings_len++;
	return 0;
}

static void write_clauses(struct buf *out, const char *label,
			  const struct filter_clause *c)
{
	for (; c; c = c->next) {
		buf_text(out, label);
		for (size_t i = 0; i < c->len; i++)
			buf_format(out, " %u.%d.%llx.%llx", c->conds[i].arg,
				   (int)c->conds[i].op,
				   (unsigned long long)c->conds[i].value,
				   (unsigned long long)c->conds[i].two);
		buf_format(out, " %x", c->verdict);
	}
}

/* Write the merged policy as text, of which the hash is made.  The same policy
 * gives the same text however its file groups the names, and a change of the
 * code generator does not change it. */
static void filter_write_canonical(uint32_t arch,
				   const struct filter_segment *segments,
				   size_t len, struct buf *out)
{
	buf_format(out, "cupel filter 1 %x\n", arch);
	for (size_t i = 0; i < len; i++) {
		const struct filter_leaf *l = segments[i].leaf;

		buf_format(out, "%x", segments[i].start);
		write_clauses(out, " if", l->clauses);
		buf_format(out, " else %x", l->verdict);
		write_clauses(out, " floor", l->floor);
		buf_char(out, '\n');
	}
}

static int hash(uint32_t arch, const struct filter_segment *segments,
		size_t len, struct arena *arena, struct filter *ret)
{
	owned_buf struct buf text = { 0 };
	char hex[BLAKE3_TEXT_BYTES];

	filter_write_canonical(arch, segments, len, &text);
	if (buf_has_failed(&text))
		return -ENOMEM;
	blake3_hex_text(text.bytes, text.len, hex);
	ret->hash = arena_text(arena, hex);
	return ret->hash ? 0 : -ENOMEM;
}

/* Copy the warnings of the policy, which is freed, to the arena of the
 * result. */
static int keep_warnings(const struct filter_policy *p, struct arena *arena,
			 struct filter *ret)
{
	const char **kept = arena_array(arena, p->warnings_len, sizeof *kept);

	if (kept == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < p->warnings_len; i++) {
		kept[i] = arena_text(arena, p->warnings[i]);
		if (kept[i] == NULL)
			return -ENOMEM;
	}
	ret->warnings = kept;
	ret->warnings_len = p->warnings_len;
	return 0;
}

static int build(struct filter_policy *p, const char *json, size_t n,
		 struct arena *arena, struct filter *ret,
		 struct cupel_error *err)
{
	const struct filter_segment *segments;
	size_t len;
	int r = filter_read(p, json, n, err);

	if (r == 0)
		r = filter_merge(p, &segments, &len);
	if (r == 0)
		r = filter_assemble(p->arch, segments, len, arena, ret);
	if (r == 0)
		r = hash(p->arch, segments, len, arena, ret);
	if (r == 0)
		r = keep_warnings(p, arena, ret);
	return r;
}

/* build() explains only faults of the text.  Explain the others here. */
static int explain(const char *name, int r, struct cupel_error *err)
{
	switch (r) {
	case -ENOMEM:
		return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY,
				  ENOMEM, "%s: no memory for the filter", name);
	case -E2BIG:
		return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_CALLER,
				  EINVAL,
				  "%s: syscalls: they need more than the 4096 "
				  "instructions that the kernel accepts",
				  name);
	case -ENOENT:
		return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUG,
				  ENOENT, "%s: the floor names no system call",
				  name);
	default:
		return r;
	}
}

int filter_compile(const struct filter_source *source, struct arena *arena,
		   struct filter *ret, struct cupel_error *err)
{
	struct arena scratch = { 0 };
	struct filter out = { .name = arena_text(arena, source->name) };
	struct filter_policy p = {
		.arena = &scratch,
		.name = source->name,
		.arch = source->arch,
		.kernel = source->kernel,
		.has_floor = !source->is_stacked,
		.calls = arena_array(&scratch, FILTER_NR_MAX, sizeof *p.calls),
	};
	int r = -ENOMEM;

	if (p.arch != AUDIT_ARCH_X86_64 && p.arch != AUDIT_ARCH_AARCH64)
		r = cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_HOST, EINVAL,
			       "%s: filters exist for x86-64 and aarch64, not "
			       "for audit architecture 0x%x",
			       p.name, p.arch);
	else if (out.name && p.calls)
		r = build(&p, source->json, source->n, arena, &out, err);
	arena_done(&scratch);
	if (r < 0)
		return explain(source->name, r, err);
	*ret = out;
	return 0;
}
