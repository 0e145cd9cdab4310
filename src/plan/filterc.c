/* filterc.c -- the build's own filter compiler: JSON files to a C file.
 *
 *	filterc CPU FILE.json... -- SOURCE...
 *
 * CPU is x86_64 or aarch64.  A filter's name is its file's name without .json.
 * The compiler's own sources are part of its version, because what it makes of
 * a file from outside may change with them.  Writes C for filter_data.h to
 * standard output.  Never installed. */
#include <linux/audit.h>
#include <linux/filter.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/blake3.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "plan/filter_rule.h"

#define FILE_BYTES ((size_t)1 << 20)
#define NAME_BYTES 64
#define FILES_MAX  32

struct shipped {
	char name[NAME_BYTES];
	struct filter filter;
};

static const struct {
	const char *cpu;
	uint32_t arch;
} cpus[] = {
	{ "x86_64", AUDIT_ARCH_X86_64 },
	{ "aarch64", AUDIT_ARCH_AARCH64 },
};

static int fail(const char *path, const char *why)
{
	(void)fprintf(stderr, "filterc: %s: %s\n", path, why);
	return -1;
}

static int read_file(const char *path, char *bytes, size_t *ret_len)
{
	FILE *f = fopen(path, "rbe");
	size_t n;

	if (f == NULL)
		return fail(path, "cannot be opened");
	n = fread(bytes, 1, FILE_BYTES, f);
	(void)fclose(f);
	if (n == FILE_BYTES)
		return fail(path, "1 MiB or more");
	*ret_len = n;
	return 0;
}

static int read_name(const char *path, char *name)
{
	const char *base = strrchr(path, '/');
	size_t n;

	base = base ? base + 1 : path;
	n = strcspn(base, ".");
	if (n >= NAME_BYTES || strcmp(base + n, ".json") != 0)
		return fail(path, "not called NAME.json");
	memcpy(name, base, n);
	name[n] = '\0';
	return 0;
}

/* A shipped file may have no warnings: a name that is misspelt here would be a
 * call that is refused by accident. */
static int compile(const char *path, uint32_t arch, char *bytes,
		   struct arena *arena, struct shipped *ret)
{
	struct cupel_error err = { 0 };
	struct filter_source source = { .name = ret->name,
					.json = bytes,
					.arch = arch };

	if (read_name(path, ret->name) != 0 ||
	    read_file(path, bytes, &source.n) != 0)
		return -1;
	source.is_stacked = filter_is_half(ret->name);
	if (filter_compile(&source, arena, &ret->filter, &err) != 0)
		return fail(path, err.what);
	if (ret->filter.warnings_len > 0)
		return fail(path, ret->filter.warnings[0]);
	return 0;
}

static void print_insns(size_t index, const struct filter *f)
{
	(void)printf("/* %s */\nstatic const struct sock_filter insns_%zu[] = "
		     "{\n",
		     f->name, index);
	for (size_t i = 0; i < f->len; i++)
		(void)printf("\t{ 0x%x, %u, %u, 0x%x },\n", f->insns[i].code,
			     f->insns[i].jt, f->insns[i].jf, f->insns[i].k);
	(void)printf("};\n\n");
}

static void print_filters(const struct shipped *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		print_insns(i, &s[i].filter);
	(void)printf("const struct filter filter_data[] = {\n");
	for (size_t i = 0; i < len; i++)
		(void)printf("\t{ .name = \"%s\",\n\t  .insns = insns_%zu,\n"
			     "\t  .len = %zu,\n\t  .hash = \"%s\" },\n",
			     s[i].name, i, s[i].filter.len, s[i].filter.hash);
	(void)printf("\t{ .name = NULL },\n};\n\n");
}

static void hash_names(struct blake3 *b, uint32_t arch)
{
	for (unsigned nr = 0; nr < FILTER_NR_MAX; nr++) {
		char *known = seccomp_syscall_resolve_num_arch(arch, (int)nr);

		if (known != NULL)
			blake3_update(b, known, strlen(known) + 1);
		else
			blake3_update(b, "", 1);
		free(known);
	}
}

/* Hash the sources of the compiler, and the names of the calls as they are
 * here. */
static int hash_compiler(struct blake3 *b, char *const *sources, char *bytes,
			 uint32_t arch)
{
	size_t n = 0;
	int r = 0;

	for (; r == 0 && *sources != NULL; sources++) {
		r = read_file(*sources, bytes, &n);
		if (r == 0)
			blake3_update(b, bytes, n);
	}
	hash_names(b, arch);
	return r;
}

/* Print the version: a hash of the compiler, and of the code of every shipped
 * filter and of the bare floor. */
static int print_version(const struct shipped *s, size_t len, uint32_t arch,
			 char *const *sources, char *bytes)
{
	static const char all[] = "{\"defaultAction\": \"SCMP_ACT_ALLOW\"}";
	struct filter_source source = {
		.name = "floor", .json = all, .n = sizeof all - 1, .arch = arch
	};
	uint8_t digest[BLAKE3_BYTES];
	char text[BLAKE3_TEXT_BYTES];
	struct cupel_error err = { 0 };
	struct arena arena = { 0 };
	struct filter bare;
	struct blake3 b;
	int r = filter_compile(&source, &arena, &bare, &err);

	if (r < 0)
		return fail("floor", err.what);
	blake3_init(&b);
	blake3_update(&b, bare.insns, bare.len * sizeof *bare.insns);
	for (size_t i = 0; i < len; i++)
		blake3_update(&b, s[i].filter.insns,
			      s[i].filter.len * sizeof *s[i].filter.insns);
	r = hash_compiler(&b, sources, bytes, arch);
	blake3_final(&b, digest, sizeof digest);
	blake3_hex(digest, text);
	(void)printf("const char filter_data_version[] = \"%s\";\n\n", text);
	arena_done(&arena);
	return r;
}

static void print_name(unsigned nr, uint32_t arch)
{
	char *known = seccomp_syscall_resolve_num_arch(arch, (int)nr);
	const char *name = known ? known : filter_newer_name(nr, arch);

	if (name)
		(void)printf("\t[%u] = \"%s\",\n", nr, name);
	free(known);
}

static void print_names(void)
{
	for (size_t i = 0; i < sizeof cpus / sizeof *cpus; i++) {
		(void)printf("static const char *const names_%s[] = {\n",
			     cpus[i].cpu);
		for (unsigned nr = 0; nr < FILTER_NR_MAX; nr++)
			print_name(nr, cpus[i].arch);
		(void)printf("};\n\n");
	}
	(void)printf("const struct filter_names filter_data_names[] = {\n");
	for (size_t i = 0; i < sizeof cpus / sizeof *cpus; i++)
		(void)printf("\t{ 0x%xU, sizeof names_%s / sizeof "
			     "*names_%s, names_%s },\n",
			     cpus[i].arch, cpus[i].cpu, cpus[i].cpu,
			     cpus[i].cpu);
	(void)printf("\t{ 0, 0, NULL },\n};\n");
}

static int run(const char *cpu, char *const *paths, size_t len,
	       char *const *sources)
{
	struct shipped shipped[FILES_MAX];
	struct arena arena = { 0 };
	owned_mem char *bytes = malloc(FILE_BYTES);
	uint32_t arch = 0;
	int r = 0;

	for (size_t i = 0; i < sizeof cpus / sizeof *cpus; i++)
		if (strcmp(cpus[i].cpu, cpu) == 0)
			arch = cpus[i].arch;
	if (arch == 0 || bytes == NULL || len > FILES_MAX)
		return fail(cpu, "not x86_64 or aarch64, or too many files");
	for (size_t i = 0; r == 0 && i < len; i++)
		r = compile(paths[i], arch, bytes, &arena, &shipped[i]);
	if (r == 0) {
		(void)printf("/* made by filterc from profiles/seccomp */\n"
			     "#include <linux/filter.h>\n\n"
			     "#include \"plan/filter_data.h\"\n\n");
		print_filters(shipped, len);
		print_names();
		r = print_version(shipped, len, arch, sources, bytes);
	}
	if (r == 0 && fflush(stdout) != 0)
		r = fail("stdout", "cannot write");
	arena_done(&arena);
	return r;
}

int main(int argc, char **argv)
{
	int end = 2;

	while (end < argc && strcmp(argv[end], "--") != 0)
		end++;
	if (end < 3 || end + 1 >= argc)
		return fail("usage", "filterc CPU FILE.json... -- SOURCE...") !=
		       0;
	return run(argv[1], argv + 2, (size_t)end - 2, argv + end + 1) != 0;
}
