/* filter_policy.c -- fuzz: bytes as a system call policy.
 *
 * What must hold: no crash, no leak, a refusal has a message, the same bytes
 * give the same filter; a filter is one that the kernel would load, answers
 * with the four actions only, and never allows what the floor refuses. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plan/filter.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

static uint32_t ask(const struct filter *f, uint32_t arch, int nr, uint64_t a0,
		    uint64_t a1)
{
	uint64_t args[6] = { a0, a1, 7, UINT64_MAX, 0, 1 };
	uint32_t v = filter_run(f, arch, nr, args);

	must(v == SECCOMP_RET_ALLOW || v == SECCOMP_RET_USER_NOTIF ||
	     (v & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO);
	return v;
}

/* Jumps stay inside, and the last instruction returns, so every path does. */
static void check_code(const struct filter *f)
{
	must(f->len > 0 && f->len <= BPF_MAXINSNS);
	must(BPF_CLASS(f->insns[f->len - 1].code) == BPF_RET);
	for (size_t i = 0; i < f->len; i++) {
		const struct sock_filter *s = &f->insns[i];

		if (BPF_CLASS(s->code) != BPF_JMP)
			continue;
		if (BPF_OP(s->code) == BPF_JA)
			must(s->k < f->len - i - 1);
		else
			must(s->jt < f->len - i - 1 && s->jf < f->len - i - 1);
	}
}

static void check_floor(const struct filter *f, uint32_t arch)
{
	int mount = arch == AUDIT_ARCH_X86_64 ? 165 : 40;
	int clone = arch == AUDIT_ARCH_X86_64 ? 56 : 220;
	int ioctl = arch == AUDIT_ARCH_X86_64 ? 16 : 29;
	int socket = arch == AUDIT_ARCH_X86_64 ? 41 : 198;

	must(ask(f, arch, mount, 0, 0) != SECCOMP_RET_ALLOW);
	must(ask(f, arch, 425, 1, 0) != SECCOMP_RET_ALLOW);
	must(ask(f, arch, 435, 1, 0) != SECCOMP_RET_ALLOW);
	must(ask(f, arch, clone, 0x10000011, 0) != SECCOMP_RET_ALLOW);
	must(ask(f, arch, ioctl, 0, 0x700005412) != SECCOMP_RET_ALLOW);
	must(ask(f, arch, socket, 40, 1) != SECCOMP_RET_ALLOW);
	must(ask(f, arch, 0x40000000, 0, 0) != SECCOMP_RET_ALLOW);
	must(filter_run(f, AUDIT_ARCH_I386, 0, (uint64_t[6]){ 0 }) ==
	     SECCOMP_RET_KILL_PROCESS);
}

static void try_policy(const char *json, size_t n, uint32_t arch, int stacked)
{
	struct filter_source source = { .name = "f",
					.json = json,
					.n = n,
					.arch = arch,
					.kernel = 0x060100,
					.is_stacked = stacked };
	struct arena arena = { 0 }, again = { 0 };
	struct cupel_error err = { 0 };
	struct filter f = { 0 }, g = { 0 };
	int r = filter_compile(&source, &arena, &f, &err);

	must(filter_compile(&source, &again, &g, &err) == r);
	if (r < 0) {
		must(err.what[0] != '\0' && f.insns == NULL);
	} else {
		must(f.len == g.len && strcmp(f.hash, g.hash) == 0);
		must(memcmp(f.insns, g.insns, f.len * sizeof *f.insns) == 0);
		check_code(&f);
		for (int nr = 0; nr < 480; nr += 3)
			(void)ask(&f, arch, nr, n, (uint64_t)nr << 30);
		if (!stacked)
			check_floor(&f, arch);
	}
	arena_done(&arena);
	arena_done(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	try_policy((const char *)bytes, n, AUDIT_ARCH_X86_64, 0);
	try_policy((const char *)bytes, n, AUDIT_ARCH_AARCH64, n % 2);
	return 0;
}
