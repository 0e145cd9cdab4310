/* plan_filter_oracle.c -- compiled filters against a simple reading of their
 * files: the shipped ones call by call, and thousands that are made at
 * random. */
#include "tap.h"

#include <linux/seccomp.h>

#include "base/buf.h"
#include "filter_oracle.h"
#include "filter_profiles.h"

#define SEED   UINT64_C(0x9e3779b97f4a7c15)
#define PER_NR 40
#ifdef __SANITIZE_ADDRESS__
#define RANDOM 200 /* policies; more take longer */
#else
#define RANDOM 1500
#endif
#define ASKED 400 /* questions about each */

static uint64_t state = SEED;

static uint64_t dice(uint64_t n) /* 0 to n - 1 */
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % n;
}

/* Values at which the result of comparisons changes. */
static const uint64_t corners[] = {
	0,
	1,
	2,
	3,
	5,
	6,
	8,
	10,
	16,
	17,
	38,
	40,
	58,
	262,
	1024,
	1025,
	1026,
	1027,
	1030,
	1032,
	1039,
	1040,
	0x11,
	0x80,
	0x200,
	0x5412,
	0x541c,
	0x5423,
	0x2000,
	0x4000,
	0x6000,
	0x40000,
	0x20000,
	0x7e020000,
	0x80000001,
	0xffffffff,
	0x100000000,
	0x100000001,
	UINT64_MAX,
	0x7fffffffffffffff,
	0x8000000000000000,
};
#define CORNERS (sizeof corners / sizeof *corners)

static uint64_t some_value(void)
{
	uint64_t v = corners[dice(CORNERS)];

	switch (dice(6)) {
	case 0:
		return v + 1;
	case 1:
		return v - 1;
	case 2:
		return v | dice(16) << 32;
	case 3:
		return v | UINT64_C(1) << dice(64);
	default:
		return v;
	}
}

static void some_args(uint64_t args[6])
{
	for (size_t i = 0; i < 6; i++)
		args[i] = some_value();
}

static bool is_agreed(const struct filter *f, const struct oracle *o,
		      unsigned nr, const uint64_t args[6])
{
	uint32_t got = filter_run(f, o->arch, (int)nr, args);
	uint32_t want = oracle_verdict(o, nr, args);

	if (got == want)
		return true;
	tap_bad++;
	fprintf(stderr,
		"# %s 0x%x: call %u(%llx, %llx, %llx, %llx, %llx, %llx) is "
		"0x%x, the file says 0x%x\n",
		f->name, o->arch, nr, (unsigned long long)args[0],
		(unsigned long long)args[1], (unsigned long long)args[2],
		(unsigned long long)args[3], (unsigned long long)args[4],
		(unsigned long long)args[5], got, want);
	return false;
}

/* Arguments at and next to those that an entry of the file names, with
 * something in the bits that it ignores. */
static void entry_args(const struct json_value *entry, uint64_t args[6])
{
	const struct json_value *list = json_find(entry, "args");

	some_args(args);
	for (size_t i = 0; list && i < list->u.array.len; i++) {
		const struct json_value *cond = &list->u.array.items[i];
		uint64_t index = 0, mask = 0, two = 0;

		(void)json_read_u64(json_find(cond, "index"), &index);
		(void)json_read_u64(json_find(cond, "value"), &mask);
		(void)json_read_u64(json_find(cond, "valueTwo"), &two);
		if (dice(4) == 0)
			two += dice(3) - 1;
		args[index] = two | (dice(2) ? some_value() & ~mask : 0);
	}
}

static bool ask_entries(const struct filter *f, const struct oracle *o)
{
	const struct json_value *list = json_find(&o->file, "syscalls");

	for (size_t i = 0; i < list->u.array.len; i++) {
		const struct json_value *entry = &list->u.array.items[i];
		const struct json_value *names = json_find(entry, "names");
		uint64_t args[6];
		int nr = filter_number(names->u.array.items[0].u.string.bytes,
				       o->arch);

		for (int n = 0; n < PER_NR && nr >= 0; n++) {
			entry_args(entry, args);
			if (!is_agreed(f, o, (unsigned)nr, args))
				return false;
		}
	}
	return true;
}

static bool ask_shipped(const char *name, uint32_t arch)
{
	struct arena arena = { 0 };
	struct filter f;
	struct oracle o = { .arch = arch, .has_floor = !filter_is_half(name) };
	struct json_error bad;
	size_t n;
	char *json = read_profile(name, &n);
	bool good = json_parse(json, n, NULL, &arena, &o.file, &bad) == 0;

	build_profile(name, arch, &arena, &f);
	for (unsigned nr = 0; nr <= 600 && good; nr++)
		for (int i = 0; i < PER_NR && good; i++) {
			uint64_t args[6];

			some_args(args);
			good = is_agreed(&f, &o, nr, args) &&
			       (i > 0 ||
				is_agreed(&f, &o, nr | FILTER_NR_X32, args));
		}
	good = good && ask_entries(&f, &o);
	free(json);
	arena_done(&arena);
	return good;
}

static void every_call_is_as_its_file_says(void)
{
	for (size_t p = 0; p < PROFILES; p++)
		for (size_t a = 0; a < 2; a++)
			ok(ask_shipped(profile_names[p], profile_archs[a]));
}

/* The calls that random policies name: frequent and rare ones, with and without
 * a floor, next to one another and apart. */
static const char *const calls[] = {
	"read",
	"write",
	"close",
	"ioctl",
	"socket",
	"clone",
	"unshare",
	"mount",
	"clone3",
	"socketpair",
	"getpid",
	"mremap",
	"openat",
	"statx",
	"process_madvise",
	"mseal",
	"bpf",
	"setns",
	"pread64",
	"pwrite64",
	"fcntl",
	"dup",
	"landlock_restrict_self",
	"listns",
};
static const char *const acts[] = {
	"ALLOW", "ERRNO", "KILL_PROCESS", "TRAP", "LOG", "KILL", "KILL_THREAD",
};
static const char *const compares[] = {
	"NE", "LT", "LE", "EQ", "GE", "GT", "MASKED_EQ", "MASKED_EQ",
};
#define PICK(table) table[dice(sizeof(table) / sizeof *(table))]

static void write_action(struct buf *out, const char *key,
			 const char *errno_key)
{
	const char *act = PICK(acts);

	buf_format(out, "\"%s\":\"SCMP_ACT_%s\"", key, act);
	if (strcmp(act, "ERRNO") == 0 && dice(2))
		buf_format(out, ",\"%s\":%d", errno_key, (int)dice(60) + 1);
}

static void write_entry(struct buf *out, bool has_otherwise, bool is_long)
{
	size_t args = is_long ? 1 + dice(3) : dice(4);

	buf_text(out, "{\"names\":[");
	for (size_t i = 0, n = 1 + dice(4); i < n; i++)
		buf_format(out, "%s\"%s\"", i ? "," : "", PICK(calls));
	buf_text(out, "],");
	write_action(out, "action", "errnoRet");
	buf_text(out, ",\"args\":[");
	for (size_t i = 0; i < args; i++) {
		uint64_t a = some_value(), b = some_value();

		buf_format(out,
			   "%s{\"index\":%d,\"op\":\"SCMP_CMP_%s\",\"value\":"
			   "%llu,\"valueTwo\":%llu}",
			   i ? "," : "", (int)dice(6), PICK(compares),
			   (unsigned long long)a,
			   (unsigned long long)(dice(4) ? a & b : b));
	}
	buf_text(out, "]");
	if (has_otherwise && args > 0)
		buf_text(out, ",\"otherwiseErrnoRet\":77");
	buf_text(out, "}");
}

static void write_policy(struct buf *out, size_t entries)
{
	bool has_otherwise = dice(2);

	buf_char(out, '{');
	write_action(out, "defaultAction", "defaultErrnoRet");
	buf_text(out, ",\"syscalls\":[");
	for (size_t i = 0; i < entries; i++) {
		if (i > 0)
			buf_char(out, ',');
		/* in a long one nothing holds always, or little is left */
		write_entry(out, has_otherwise, entries > 50);
	}
	buf_text(out, "]}");
}

static bool ask_random(size_t entries, size_t questions, size_t *most)
{
	struct arena arena = { 0 };
	owned_buf struct buf text = { 0 };
	struct cupel_error err = { 0 };
	struct json_error bad;
	struct filter f = { 0 };
	struct oracle o = { .arch = profile_archs[dice(2)],
			    .has_floor = dice(2) };
	bool good;

	write_policy(&text, entries);
	struct filter_source source = {
		.name = "random",
		.json = text.bytes,
		.n = text.len,
		.arch = o.arch,
		.is_stacked = !o.has_floor,
	};
	good = filter_compile(&source, &arena, &f, &err) == 0 &&
	       json_parse(text.bytes, text.len, NULL, &arena, &o.file, &bad) ==
		       0;
	if (!good)
		fprintf(stderr, "# %s\n", err.what);
	for (size_t i = 0; i < questions && good; i++) {
		uint64_t args[6];
		int nr = filter_number(PICK(calls), o.arch);

		some_args(args);
		good = is_agreed(&f, &o, (unsigned)nr + (dice(5) == 0), args);
	}
	if (!good)
		fprintf(stderr, "# %s\n", text.bytes);
	*most = f.len > *most ? f.len : *most;
	arena_done(&arena);
	return good;
}

static void random_policies_are_as_they_say(void)
{
	size_t most = 0;

	for (int i = 0; i < RANDOM && tap_bad == 0; i++)
		ok(ask_random(dice(14), ASKED, &most));
}

static void long_ones_jump_further_than_255(void)
{
	size_t most = 0;

	for (int i = 0; i < 40 && tap_bad == 0; i++)
		ok(ask_random(60 + dice(50), 4 * ASKED, &most));
	ok(most > 1000);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(every_call_is_as_its_file_says),
		CASE(random_policies_are_as_they_say),
		CASE(long_ones_jump_further_than_255), TAP_END });
}
