/* check.c -- the rules that concern several fields, and the forms of paths. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "spec/egress.h"
#include "spec/env_name.h"
#include "spec/inside.h"
#include "spec/put.h"
#include "spec/report.h"

const char *spec_cwd(const struct spec *s)
{
	if (s->chdir != NULL)
		return s->chdir;
	if (s->repo_mode != REPO_NONE)
		return "/repo";
	return s->scratch_bytes > 0 ? "/scratch" : "/";
}

const char *spec_ro_target(const char *item, size_t *ret_len)
{
	size_t n = strlen(item);

	*ret_len = n;
	for (size_t i = n; i > 1; i--) {
		if (item[i - 1] != '/' || item[i - 2] != ':' || i == 2)
			continue;
		*ret_len = i - 2;
		return item + i - 1;
	}
	return NULL;
}

static int check_chdir(const struct spec *s, struct cupel_error *err)
{
	if (s->chdir == NULL)
		return 0;
	if (!inside_is_normal(s->chdir))
		return spec_refuse(err, EINVAL,
				   "--chdir: '%.200s' is not an absolute path "
				   "without '.', '..' and '//'",
				   s->chdir);
	if (s->repo_mode == REPO_NONE && inside_is_at(s->chdir, "/repo"))
		return spec_refuse(
			err, EINVAL,
			"--chdir: there is no %.200s, as --repo-mode is none",
			s->chdir);
	if (s->scratch_bytes == 0 && (inside_is_at(s->chdir, "/scratch") ||
				      inside_is_at(s->chdir, "/tmp")))
		return spec_refuse(
			err, EINVAL,
			"--chdir: there is no %.200s, as --scratch-bytes is 0",
			s->chdir);
	return 0;
}

static int check_scratch(const struct spec *s, struct cupel_error *err)
{
	if (s->scratch_bytes > 0 && s->scratch_inodes == 0)
		return spec_refuse(
			err, EINVAL,
			"--scratch-inodes: 0 would be no limit; give a number, "
			"or --scratch-bytes 0 for no scratch");
	if (s->scratch_bytes == 0 && s->repo_mode == REPO_OVERLAY)
		return spec_refuse(err, EINVAL,
				   "--repo-mode: overlay keeps its writes in "
				   "the scratch, but --scratch-bytes is 0");
	if (s->repo != NULL && s->repo_mode == REPO_NONE)
		return spec_refuse(err, EINVAL,
				   "--repo: '%.200s' would not be shown, as "
				   "--repo-mode is none",
				   s->repo);
	return 0;
}

static int check_ro_target(const char *item, struct cupel_error *err)
{
	size_t len = 0;
	const char *dst = spec_ro_target(item, &len);
	const char *taken;

	if (dst == NULL)
		dst = item;
	if (!inside_is_normal(dst) || dst[1] == '\0')
		return spec_refuse(err, EINVAL,
				   "--ro: '%.200s' is not an absolute path "
				   "without '.', '..' and '//'%s",
				   dst, dst == item ? "; give SRC:DST" : "");
	taken = inside_taken_find(dst);
	if (taken != NULL)
		return spec_refuse(err, EINVAL,
				   "--ro: '%.200s' is at or below %s, which "
				   "the vessel reserves; choose another DST",
				   dst, taken);
	return 0;
}

static const char *target_of(const char *item)
{
	size_t len = 0;
	const char *dst = spec_ro_target(item, &len);

	return dst != NULL ? dst : item;
}

/* The order in which paths are sorted: the end first, then '/', then every
 * other byte.  So whatever is below a path follows it at once. */
static int weight_of(char c)
{
	return c == '\0' ? 0 : c == '/' ? 1 : (unsigned char)c + 2;
}

static int compare_targets(const void *a, const void *b)
{
	const char *x = target_of(*(const char *const *)a);
	const char *y = target_of(*(const char *const *)b);

	while (*x == *y && *x != '\0') {
		x++;
		y++;
	}
	return weight_of(*x) - weight_of(*y);
}

/* No mount point is made inside a bound tree. */
static int check_ro(const struct spec *s, struct cupel_error *err)
{
	size_t n = s->ro.len;
	owned_mem const char **sorted = NULL;

	for (size_t i = 0; i < n; i++) {
		int r = check_ro_target(s->ro.items[i], err);

		if (r < 0)
			return r;
	}
	if (n < 2)
		return 0;
	sorted = malloc(n * sizeof *sorted);
	if (sorted == NULL)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY,
				  ENOMEM, "--ro: no memory");
	memcpy(sorted, s->ro.items, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, compare_targets);
	for (size_t i = 1; i < n; i++)
		if (inside_is_at(target_of(sorted[i]),
				 target_of(sorted[i - 1])))
			return spec_refuse(
				err, EINVAL,
				"--ro: '%.150s' is at or below '%.150s', the "
				"target of another --ro",
				target_of(sorted[i]), target_of(sorted[i - 1]));
	return 0;
}

/* "K=V" of --env when has_value, else "K" of --pass-env. */
static int check_variables(const struct spec_list *list, const char *option,
			   bool has_value, struct cupel_error *err)
{
	for (size_t i = 0; i < list->len; i++) {
		const char *item = list->items[i];
		const char *eq = strchr(item, '=');
		size_t n = eq != NULL ? (size_t)(eq - item) : strlen(item);
		const char *why;

		if (has_value != (eq != NULL))
			return spec_refuse(err, EINVAL,
					   "%s: '%.200s' is not of the form %s",
					   option, item,
					   has_value ? "K=V" : "K");
		why = env_name_refusal(item, n);
		if (why != NULL)
			return spec_refuse(
				err, EINVAL,
				"%s: '%.*s' may not be passed in: %s%s", option,
				(int)(n < 200 ? n : 200), item, why,
				env_name_dummy_refusal(item, n) == NULL
					? "; --env-dummy sets it to the word "
					  "dummy"
					: "");
	}
	return 0;
}

static int check_refs(const struct spec *s, struct cupel_error *err)
{
	for (size_t i = 0; i < s->refs.len; i++) {
		const char *item = s->refs.items[i];
		const char *eq = strchr(item, '=');

		if (eq == NULL || eq == item || eq[1] == '\0')
			return spec_refuse(
				err, EINVAL,
				"--ref: expected URI=FILE, found '%.200s'",
				item);
	}
	return 0;
}

const char *spec_artifact_target(const char *item, size_t *ret_len)
{
	const char *colon = strchr(item, ':');

	*ret_len = colon != NULL ? (size_t)(colon - item) : strlen(item);
	return colon != NULL ? colon + 1 : NULL;
}

/* Whether the command can write at path. */
static bool is_writable(const struct spec *s, const char *path)
{
	return (s->scratch_bytes > 0 && (inside_is_at(path, "/scratch") ||
					 inside_is_at(path, "/tmp"))) ||
	       (s->repo_mode == REPO_OVERLAY && inside_is_at(path, "/repo"));
}

/* The report is the payload of the run, so there may be no other payload. */
static int check_report(const struct spec *s, struct cupel_error *err)
{
	struct report_source from;
	char path[PATH_MAX] = "/"; /* of a directory: without its last '/' */
	size_t n;

	if (report_source_read(s->report, &from) && from.path != NULL &&
	    (n = strlen(from.path)) < sizeof path)
		memcpy(path, from.path, n - from.is_dir);
	if (!report_source_read(s->report, &from) ||
	    (from.path != NULL && !inside_is_normal(path)))
		return spec_refuse(
			err, EINVAL,
			"--report: '%.200s': expected FORMAT:FROM, any:DIR/ or "
			"none; FORMAT is junit, tap, jest, go, cargo, "
			"unittest, automake or prove; FROM is an absolute path "
			"(with a '/' at its end for a directory), stdout or "
			"stderr",
			s->report);
	if (from.path != NULL && !is_writable(s, from.path))
		return spec_refuse(err, EINVAL,
				   "--report: the command cannot write at "
				   "%.200s; it can in /scratch, /tmp, and with "
				   "--repo-mode overlay in /repo",
				   from.path);
	if (from.format != REPORT_NONE && s->result_schema != NULL)
		return spec_refuse(
			err, EINVAL,
			"--result-schema: the payload is the tests of the "
			"report %.200s; to use another, give --report none",
			s->report);
	return 0;
}

/* Check the variables that the tests of a project want to exist, whatever their
 * value. */
static int check_dummies(const struct spec *s, struct cupel_error *err)
{
	for (size_t i = 0; i < s->env_dummy.len; i++) {
		const char *name = s->env_dummy.items[i];
		const char *why = env_name_dummy_refusal(name, strlen(name));

		if (why != NULL)
			return spec_refuse(
				err, EINVAL,
				"--env-dummy: '%.200s' may not be set: %s",
				name, why);
	}
	return 0;
}

/* An artifact must come from a place where the command can write. */
static int check_artifact(const struct spec *s, const char *item,
			  struct cupel_error *err)
{
	size_t n = 0;
	const char *dst = spec_artifact_target(item, &n);
	const char *cwd = spec_cwd(s);
	owned_mem char *path = NULL;

	if (asprintf(&path, "%s%s%.*s", item[0] == '/' ? "" : cwd,
		     item[0] == '/' || cwd[1] == '\0' ? "" : "/", (int)n,
		     item) < 0) {
		path = NULL;
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY,
				  ENOMEM, "--artifact: no memory");
	}
	if (n == 0 || !inside_is_normal(path) ||
	    (dst != NULL && dst[0] == '\0'))
		return spec_refuse(err, EINVAL,
				   "--artifact: '%.200s' is not PATH or "
				   "PATH:DST, PATH without '.', '..' and '//'",
				   item);
	if (!is_writable(s, path))
		return spec_refuse(err, EINVAL,
				   "--artifact: the command cannot write at "
				   "%.200s; it can in /scratch, /tmp, and with "
				   "--repo-mode overlay in /repo",
				   path);
	return 0;
}

/* The files that the vessel has of its own below /etc. */
static const char *const made[] = { "group",  "gitconfig",  "hostname",
				    "hosts",  "localtime",  "nsswitch.conf",
				    "passwd", "resolv.conf" };

static bool is_made(const char *name)
{
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		if (strcmp(made[i], name) == 0)
			return true;
	return false;
}

static int check_etc(const struct spec *s, struct cupel_error *err)
{
	char path[PATH_MAX];

	if (s->etc.len > SPEC_ETC_MAX)
		return spec_refuse(err, E2BIG,
				   "etc: %zu names, more than the %d allowed",
				   s->etc.len, SPEC_ETC_MAX);
	for (size_t i = 0; i < s->etc.len; i++) {
		const char *name = s->etc.items[i];
		int n = snprintf(path, sizeof path, "/%s", name);

		if (n < 0 || (size_t)n >= sizeof path ||
		    !inside_is_normal(path) || path[1] == '\0')
			return spec_refuse(err, EINVAL,
					   "etc: '%.200s' is not a path below "
					   "/etc without '.', '..' and '//'",
					   name);
		if (is_made(name))
			return spec_refuse(err, EINVAL,
					   "etc: '%s' is made by cupel; the "
					   "host's file is never shown",
					   name);
	}
	return 0;
}

static int check_ids(const struct spec *s, struct cupel_error *err)
{
	uint32_t uid;
	uint32_t gid;

	return s->host_uid == NULL
		       ? 0
		       : spec_read_ids(s->host_uid, &uid, &gid, err);
}

int spec_check_variables(const struct spec *s, struct cupel_error *err)
{
	int r = check_variables(&s->env, "--env", true, err);

	if (r == 0)
		r = check_variables(&s->pass_env, "--pass-env", false, err);
	return r == 0 ? check_dummies(s, err) : r;
}

int spec_check(const struct spec *s, struct cupel_error *err)
{
	int r = check_scratch(s, err);

	if (r == 0)
		r = check_chdir(s, err);
	if (r == 0)
		r = inside_repo_at_check(s, err);
	if (r == 0)
		r = inside_cache_check(s, err);
	if (r == 0)
		r = check_ro(s, err);
	if (r == 0)
		r = check_etc(s, err);
	if (r == 0)
		r = spec_check_variables(s, err);
	if (r == 0)
		r = check_refs(s, err);
	if (r == 0)
		r = check_report(s, err);
	if (r == 0)
		r = egress_check(s, err);
	if (r == 0)
		r = check_ids(s, err);
	for (size_t i = 0; r == 0 && i < s->artifacts.len; i++)
		r = check_artifact(s, s->artifacts.items[i], err);
	return r;
}
