/* plan_filter_seccomp.c -- our code against libseccomp's own for the same
 * policy: one action against a default, so that no order of rules matters. */
#include "tap.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "filter_profiles.h"

#define POLICIES 3000
#define ASKED    600
#define DENIED   38

static uint64_t state = UINT64_C(0x2545f4914f6cdd1d);

static uint64_t dice(uint64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % n;
}

static uint64_t some_value(void)
{
	static const uint64_t corners[] = {
		0,          1,           2,           16,
		0x5412,     0x7e020000,  0x7fffffff,  0x80000000,
		0xffffffff, 0x100000000, 0x100000001, 0xffffffff00000000,
		UINT64_MAX,
	};
	uint64_t v = corners[dice(sizeof corners / sizeof *corners)];

	return dice(3) ? v : v + dice(3) - 1;
}

static const struct {
	const char *name;
	enum scmp_compare op;
} ops[] = {
	{ "NE", SCMP_CMP_NE },
	{ "LT", SCMP_CMP_LT },
	{ "LE", SCMP_CMP_LE },
	{ "EQ", SCMP_CMP_EQ },
	{ "GE", SCMP_CMP_GE },
	{ "GT", SCMP_CMP_GT },
	{ "MASKED_EQ", SCMP_CMP_MASKED_EQ },
};

/* Add one rule to both. libseccomp expects this machine's number, whatever the
 * filter's architecture is. */
static void add_rule(scmp_filter_ctx ctx, struct buf *json, const char *name)
{
	struct scmp_arg_cmp cmp[6];
	unsigned n = 0;
	int r;

	buf_format(json,
		   "{\"names\":[\"%s\"],\"action\":\"SCMP_ACT_ALLOW\","
		   "\"args\":[",
		   name);
	for (unsigned arg = 0; arg < 6; arg++) {
		size_t op = dice(sizeof ops / sizeof *ops);
		uint64_t a = some_value(), b = some_value() & a;

		if (dice(4) != 0)
			continue;
		cmp[n] = (struct scmp_arg_cmp){ arg, ops[op].op, a, b };
		buf_format(json,
			   "%s{\"index\":%u,\"op\":\"SCMP_CMP_%s\","
			   "\"value\":%llu,\"valueTwo\":%llu}",
			   n++ ? "," : "", arg, ops[op].name,
			   (unsigned long long)a, (unsigned long long)b);
	}
	buf_text(json, "]}");
	r = seccomp_rule_add_exact_array(ctx, SCMP_ACT_ALLOW,
					 seccomp_syscall_resolve_name(name), n,
					 cmp);
	ok_int(r, 0);
}

static size_t export(scmp_filter_ctx ctx, struct sock_filter *insns)
{
	owned_fd int fd = memfd_create("bpf", MFD_CLOEXEC);
	ssize_t n;

	if (fd < 0 || seccomp_export_bpf(ctx, fd) != 0)
		return 0;
	n = pread(fd, insns, BPF_MAXINSNS * sizeof *insns, 0);
	return n > 0 ? (size_t)n / sizeof *insns : 0;
}

static void ask(const struct filter *ours, const struct filter *theirs,
		uint32_t arch, const int *nrs, size_t nrs_len)
{
	for (int i = 0; i < ASKED && tap_bad == 0; i++) {
		uint64_t a[6];
		int nr = nrs[dice(nrs_len)] + (dice(8) == 0);

		for (size_t j = 0; j < 6; j++)
			a[j] = some_value();
		ok_int(filter_run(ours, arch, nr, a),
		       filter_run(theirs, arch, nr, a));
		if (tap_bad)
			fprintf(stderr,
				"# %s(%llx, %llx, %llx, %llx, %llx, %llx)\n",
				filter_name(nr, arch), (unsigned long long)a[0],
				(unsigned long long)a[1],
				(unsigned long long)a[2],
				(unsigned long long)a[3],
				(unsigned long long)a[4],
				(unsigned long long)a[5]);
	}
}

/* A call that has no rule yet: libseccomp 2.5.4 merges the trees of two rules
 * for one call wrongly (it lets pkey_alloc pass where neither matches). */
static int some_number(const int *nrs, int n)
{
	int nr = (int)dice(440);

	for (int i = 0; i < n; i++)
		if (nrs[i] == nr)
			return some_number(nrs, n);
	return nr;
}

static void compare(uint32_t arch)
{
	static struct sock_filter insns[BPF_MAXINSNS];
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ERRNO(DENIED));
	struct arena arena = { 0 };
	owned_buf struct buf json = { 0 };
	struct cupel_error err = { 0 };
	struct filter ours, theirs = { .insns = insns };
	struct filter_source source = { .name = "random",
					.arch = arch,
					.is_stacked = true };
	int nrs[16], n = 0;

	(void)seccomp_arch_remove(ctx, SCMP_ARCH_NATIVE);
	(void)seccomp_arch_add(ctx, arch);
	buf_format(&json,
		   "{\"defaultAction\":\"SCMP_ACT_ERRNO\","
		   "\"defaultErrnoRet\":%d,\"syscalls\":[",
		   DENIED);
	for (int rules = 1 + (int)dice(15); n < rules; n++) {
		const char *name = NULL;

		while (name == NULL ||
		       seccomp_syscall_resolve_name(name) == __NR_SCMP_ERROR)
			name = filter_name(nrs[n] = some_number(nrs, n), arch);
		buf_text(&json, n ? "," : "");
		add_rule(ctx, &json, name);
	}
	buf_text(&json, "]}");
	source.json = json.bytes;
	source.n = json.len;
	theirs.len = export(ctx, insns);
	ok(theirs.len > 0);
	if (filter_compile(&source, &arena, &ours, &err) != 0) {
		tap_bad++;
		fprintf(stderr, "# %s\n", err.what);
	} else {
		ask(&ours, &theirs, arch, nrs, (size_t)n);
	}
	if (tap_bad)
		fprintf(stderr, "# %s\n", json.bytes);
	seccomp_release(ctx);
	arena_done(&arena);
}

static void answers_as_libseccomp_does(void)
{
	for (int i = 0; i < POLICIES && tap_bad == 0; i++)
		compare(profile_archs[i % 2]);
}

int main(void)
{
	return tap_run((struct tap_case[]){ CASE(answers_as_libseccomp_does),
					    TAP_END });
}
