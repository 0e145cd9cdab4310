/* filter_profiles.h -- the shipped policies, compiled for both architectures. */
#ifndef CUPEL_TESTS_FILTER_PROFILES_H
#define CUPEL_TESTS_FILTER_PROFILES_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plan/filter_rule.h"

#define PROFILES  9
#define TEXT_MAX_ ((size_t)1 << 18)

static const char *const profile_names[PROFILES] = {
	"default", "test",  "python-function", "node-function", "probe",
	"parser",  "cross", "offline",         "lesser",
};
static const uint32_t profile_archs[2] = { AUDIT_ARCH_X86_64,
					   AUDIT_ARCH_AARCH64 };

/* The text of path below the folder that the variable names, NUL-terminated,
 * for free(3); exits without it. */
static inline char *read_below(const char *variable, const char *path,
			       size_t *ret_len)
{
	const char *folder = getenv(variable);
	char full[4096];
	char *text = malloc(TEXT_MAX_);
	FILE *f;

	(void)snprintf(full, sizeof full, "%s/%s", folder ? folder : ".", path);
	f = fopen(full, "re");
	if (f == NULL || text == NULL) {
		perror(full);
		exit(1);
	}
	*ret_len = fread(text, 1, TEXT_MAX_ - 1, f);
	text[*ret_len] = '\0';
	(void)fclose(f);
	return text;
}

static inline char *read_text(const char *path, size_t *ret_len)
{
	return read_below("SRC", path, ret_len);
}

/* The ones that are only stacked are sources; the others the build makes. */
static inline char *read_profile(const char *name, size_t *ret_len)
{
	char path[128];

	(void)snprintf(path, sizeof path, "profiles/seccomp/%s.json", name);
	return read_below(filter_is_half(name) ? "SRC" : "BUILD", path,
			  ret_len);
}

/* As the build tool compiles it; exits on failure. */
static inline void build_profile(const char *name, uint32_t arch,
				 struct arena *arena, struct filter *ret)
{
	struct cupel_error err = { 0 };
	struct filter_source source = {
		.name = name,
		.arch = arch,
		.is_stacked = filter_is_half(name),
	};
	char *json = read_profile(name, &source.n);

	source.json = json;
	if (filter_compile(&source, arena, ret, &err) != 0) {
		(void)fprintf(stderr, "%s\n", err.what);
		exit(1);
	}
	free(json);
}

#endif
