/* filter_run.c -- interprets classic BPF as the kernel does.
 *
 * Source: seccomp_check_filter() and the classic BPF semantics of
 * Documentation/networking/filter.rst.  The answer is KILL_PROCESS for code
 * that the kernel would not load, and for running off the end. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>

#include "plan/filter.h"

#define BAD SECCOMP_RET_KILL_PROCESS

struct machine {
	struct seccomp_data data;
	size_t pc; /* of the next instruction */
	uint32_t a;
};

static bool load(struct machine *m, uint32_t offset)
{
	if (offset % sizeof m->a != 0 || offset > sizeof m->data - sizeof m->a)
		return false;
	memcpy(&m->a, (const char *)&m->data + offset, sizeof m->a);
	return true;
}

static bool branch(struct machine *m, const struct sock_filter *f)
{
	bool yes;

	switch (BPF_OP(f->code)) {
	case BPF_JA:
		m->pc += f->k;
		return true;
	case BPF_JEQ:
		yes = m->a == f->k;
		break;
	case BPF_JGT:
		yes = m->a > f->k;
		break;
	case BPF_JGE:
		yes = m->a >= f->k;
		break;
	case BPF_JSET:
		yes = (m->a & f->k) != 0;
		break;
	default:
		return false;
	}
	m->pc += yes ? f->jt : f->jf;
	return true;
}

/* Run one instruction; false when it is none that we write.  Jumps only go
 * forward, so this ends. */
static bool step(struct machine *m, const struct sock_filter *f)
{
	m->pc++;
	switch (f->code) {
	case BPF_LD | BPF_W | BPF_ABS:
		return load(m, f->k);
	case BPF_ALU | BPF_AND | BPF_K:
		m->a &= f->k;
		return true;
	case BPF_JMP | BPF_JA:
	case BPF_JMP | BPF_JEQ | BPF_K:
	case BPF_JMP | BPF_JGT | BPF_K:
	case BPF_JMP | BPF_JGE | BPF_K:
	case BPF_JMP | BPF_JSET | BPF_K:
		return branch(m, f);
	default:
		return false;
	}
}

uint32_t filter_run(const struct filter *f, uint32_t arch, int nr,
		    const uint64_t args[6])
{
	struct machine m = { .data = { .nr = nr, .arch = arch } };

	for (size_t i = 0; i < 6; i++)
		m.data.args[i] = args[i];
	while (m.pc < f->len) {
		const struct sock_filter *insn = &f->insns[m.pc];

		if (insn->code == (BPF_RET | BPF_K))
			return insn->k;
		if (!step(&m, insn))
			return BAD;
	}
	return BAD;
}
