/* plan_filter_rows.c -- filter_rows.txt against the shipped filters. */
#include "tap.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdbool.h>

#include "filter_profiles.h"

static struct filter filters[PROFILES][2];
static struct arena arena;

static const struct {
	const char *name;
	uint32_t verdict;
} verdicts[] = {
	{ "allow", SECCOMP_RET_ALLOW },
	{ "violation", SECCOMP_RET_USER_NOTIF },
	{ "kill", SECCOMP_RET_KILL_PROCESS },
	{ "EPERM", SECCOMP_RET_ERRNO | EPERM },
	{ "ENOSYS", SECCOMP_RET_ERRNO | ENOSYS },
	{ "EAFNOSUPPORT", SECCOMP_RET_ERRNO | EAFNOSUPPORT },
	{ "EAGAIN", SECCOMP_RET_ERRNO | EAGAIN },
	{ "EINVAL", SECCOMP_RET_ERRNO | EINVAL },
	{ "ENOLCK", SECCOMP_RET_ERRNO | ENOLCK },
	{ "ENOMEM", SECCOMP_RET_ERRNO | ENOMEM },
	{ "ENOPROTOOPT", SECCOMP_RET_ERRNO | ENOPROTOOPT },
	{ "ENOTTY", SECCOMP_RET_ERRNO | ENOTTY },
	{ "nothing", SECCOMP_RET_ERRNO }, /* it returns 0 */
};
#define VERDICTS (sizeof verdicts / sizeof *verdicts)

static const struct abi {
	const char *name, *other; /* both: x86_64 and aarch64 */
	unsigned filter;          /* index into profile_archs */
	uint32_t arch;
	unsigned bit;
} abis[] = {
	{ "x86_64", "both", 0, AUDIT_ARCH_X86_64, 0 },
	{ "aarch64", "both", 1, AUDIT_ARCH_AARCH64, 0 },
	{ "i386", "", 0, AUDIT_ARCH_I386, 0 },
	{ "x32", "", 0, AUDIT_ARCH_X86_64, 0x40000000 },
};

struct row {
	char *profiles, *arch, *calls, *args, *verdict;
	unsigned line;
};

static bool is_in(const char *list, const char *item)
{
	size_t n = strlen(item);

	for (const char *p = list; (p = strstr(p, item)) != NULL; p++)
		if ((p == list || p[-1] == ',') &&
		    (p[n] == '\0' || p[n] == ','))
			return true;
	return false;
}

static bool has_profile(const char *list, const char *name)
{
	return strcmp(list, "*") == 0 ? !filter_is_half(name)
				      : is_in(list, name);
}

/* How often a row was tried on a filter: a row that is never tried proves
 * nothing. */
static unsigned check_call(const struct row *row, size_t profile,
			   const struct abi *abi, const char *call)
{
	uint64_t args[6] = { 0 };
	char *end, *at = row->args;
	unsigned long nr = strtoul(call, &end, 0);
	uint32_t want = 0, got;

	if (*end != '\0') {
		int found = filter_number(call, abi->arch);

		if (found < 0)
			return 0;
		nr = (unsigned long)found;
	}
	for (size_t i = 0; *at != '-' && *at && i < 6; i++) {
		args[i] = strtoull(at, &at, 0);
		at += *at == ',';
	}
	for (size_t i = 0; i < VERDICTS; i++)
		if (strcmp(row->verdict, verdicts[i].name) == 0)
			want = verdicts[i].verdict;
	got = filter_run(&filters[profile][abi->filter], abi->arch,
			 (int)(nr | abi->bit), args);
	if (want == 0 || got != want) {
		tap_bad++;
		fprintf(stderr,
			"# line %u: %s %s %s(%s): 0x%x, wanted %s (0x%x)\n",
			row->line, profile_names[profile], abi->name, call,
			row->args, got, row->verdict, want);
	}
	return 1;
}

static unsigned check_row(const struct row *row)
{
	unsigned asked = 0;
	char *save, *call;

	for (call = strtok_r(row->calls, ",", &save); call;
	     call = strtok_r(NULL, ",", &save))
		for (size_t p = 0; p < PROFILES; p++)
			for (size_t a = 0; a < sizeof abis / sizeof *abis; a++)
				if (has_profile(row->profiles,
						profile_names[p]) &&
				    (!strcmp(row->arch, abis[a].name) ||
				     !strcmp(row->arch, abis[a].other)))
					asked += check_call(row, p, &abis[a],
							    call);
	return asked;
}

static void every_row_gets_its_verdict(void)
{
	size_t n;
	char *text = read_text("tests/unit/filter_rows.txt", &n), *save, *cell;
	unsigned line = 0, rows = 0;

	for (char *at = text, *next; at && *at; at = next) {
		struct row row = { .line = ++line };

		next = strchr(at, '\n');
		if (next)
			*next++ = '\0';
		if (*at == '#' || *at == '\0')
			continue;
		row.profiles = strtok_r(at, " ", &save);
		row.arch = strtok_r(NULL, " ", &save);
		row.calls = strtok_r(NULL, " ", &save);
		row.args = strtok_r(NULL, " ", &save);
		cell = strtok_r(NULL, " ", &save);
		row.verdict = cell;
		rows++;
		if (cell == NULL || check_row(&row) == 0) {
			tap_bad++;
			fprintf(stderr, "# line %u: asks nobody\n", line);
		}
	}
	ok(rows > 250);
	free(text);
}

static void the_built_in_ones_are_these(void)
{
#ifdef __aarch64__
	size_t native = 1;
#else
	size_t native = 0;
#endif

	for (size_t p = 0; p < PROFILES; p++) {
		const struct filter *f = filter_find(profile_names[p]);

		ok(f != NULL);
		if (f == NULL)
			continue;
		ok_int((intmax_t)f->len, (intmax_t)filters[p][native].len);
		ok(memcmp(f->insns, filters[p][native].insns,
			  f->len * sizeof *f->insns) == 0);
		ok(strcmp(f->hash, filters[p][native].hash) == 0);
	}
	ok(filter_find("nosuch") == NULL);
	ok(filter_find("") == NULL);
}

static void they_are_small(void)
{
	for (size_t p = 0; p < PROFILES; p++)
		for (size_t a = 0; a < 2; a++)
			ok(filters[p][a].len < 512);
}

/* The same file with another errno for the calls that it does not name. */
static void build_marked(const char *name, uint32_t arch, struct filter *ret)
{
	struct cupel_error bad;
	struct filter_source source = { .name = name, .arch = arch };
	char *json = read_profile(name, &source.n);
	char *at = strstr(json, "\"defaultErrnoRet\": 38");

	ok(at != NULL);
	if (at)
		memcpy(at, "\"defaultErrnoRet\": 99", 21);
	source.json = json;
	ok_int(filter_compile(&source, &arena, ret, &bad), 0);
	free(json);
}

/* Every number that has a name is named by each file.  None gets the default,
 * which is for calls that are newer than the file. */
static void only_younger_calls_fall_to_the_default(void)
{
	static const uint64_t none[6];
	struct filter f = { 0 };

	for (size_t i = 0; i < 2 * (size_t)PROFILES; i++) {
		uint32_t arch = profile_archs[i % 2];

		if (filter_is_half(profile_names[i / 2]))
			continue;
		build_marked(profile_names[i / 2], arch, &f);
		for (int nr = 0; nr < (int)FILTER_NR_MAX; nr++) {
			bool is_named = filter_name(nr, arch) != NULL;
			uint32_t v = filter_run(&f, arch, nr, none);

			ok_int(v != (SECCOMP_RET_ERRNO | 99), is_named);
		}
	}
}

static void names_of_numbers(void)
{
	ok(strcmp(filter_name(0, AUDIT_ARCH_X86_64), "read") == 0);
	ok(strcmp(filter_name(63, AUDIT_ARCH_AARCH64), "read") == 0);
	ok(strcmp(filter_name(165, AUDIT_ARCH_X86_64), "mount") == 0);
	ok(strcmp(filter_name(467, AUDIT_ARCH_AARCH64), "open_tree_attr") == 0);
	ok(strcmp(filter_name(336, AUDIT_ARCH_X86_64), "uprobe") == 0);
	ok(filter_name(336, AUDIT_ARCH_AARCH64) == NULL);
	ok(filter_name(400, AUDIT_ARCH_X86_64) == NULL);
	ok(filter_name(-1, AUDIT_ARCH_X86_64) == NULL);
	ok(filter_name(1 << 30, AUDIT_ARCH_X86_64) == NULL);
	ok(filter_name(0, AUDIT_ARCH_I386) == NULL);
	for (size_t a = 0; a < 2; a++)
		for (int nr = 0; nr < (int)FILTER_NR_MAX; nr++) {
			const char *name = filter_name(nr, profile_archs[a]);

			if (name)
				ok_int(filter_number(name, profile_archs[a]),
				       nr);
		}
}

int main(void)
{
	int r;

	for (size_t p = 0; p < PROFILES; p++)
		for (size_t a = 0; a < 2; a++)
			build_profile(profile_names[p], profile_archs[a],
				      &arena, &filters[p][a]);
	r = tap_run((struct tap_case[]){
		CASE(every_row_gets_its_verdict),
		CASE(the_built_in_ones_are_these), CASE(they_are_small),
		CASE(only_younger_calls_fall_to_the_default),
		CASE(names_of_numbers), TAP_END });
	arena_done(&arena);
	return r;
}
