/* scan.c -- reads what grype, osv-scanner and trivy report. */
#include "jobs/gate/vuln/scan.h"

#include <errno.h>
#include <string.h>

#define MEMORY_BYTES ((size_t)1 << 30) /* of 32 MiB of small values */
#define DEPTH        64U

static const struct json_value *list_find(const struct json_value *v,
					  const char *name)
{
	const struct json_value *m = v != NULL ? json_find(v, name) : NULL;

	return m != NULL && m->type == JSON_ARRAY ? m : NULL;
}

/* A tool's word for where a package comes from, which may end with ":" and where
 * it comes from exactly, as the word of package URLs. */
static const char *type_find(const char *const rows[][2], const char *word)
{
	size_t n = word != NULL ? strcspn(word, ":") : 0;

	for (size_t i = 0; n > 0 && rows[i][0] != NULL; i++)
		if (strlen(rows[i][0]) == n && memcmp(rows[i][0], word, n) == 0)
			return rows[i][1];
	return "generic";
}

/* Tools that are written in Go write an empty list as null or leave it out. */
static bool is_list_or_none(const struct json_value *v, const char *name)
{
	const struct json_value *m = json_find(v, name);

	return m == NULL || m->type == JSON_NULL || m->type == JSON_ARRAY;
}

/* --- grype: {matches: [{vulnerability, artifact}], ignoredMatches: [the same],
 * descriptor: {name}}.  What it ignores, it was told to ignore by a file that may
 * lie in the tree, so that counts as well. ---------------------------------------- */

static bool grype_match_read(const struct json_value *match, struct vulns *ret)
{
	const struct json_value *vuln = json_find(match, "vulnerability");
	const struct json_value *artifact = json_find(match, "artifact");
	const struct json_value *fix =
		vuln != NULL ? json_find(vuln, "fix") : NULL;
	const char *purl = vuln_text_find(artifact, "purl");
	const char *type = vuln_text_find(artifact, "type");
	const char *name = vuln_text_find(artifact, "name");

	if (vuln == NULL || artifact == NULL || name == NULL)
		return false;
	if (purl == NULL || purl[0] == '\0')
		purl = vulns_purl_build(ret->arena,
					type != NULL ? type : "generic", name);
	vulns_add(ret, &(struct vuln_said){
			       .id = json_find(vuln, "id"),
			       .package = purl,
			       .version = json_find(artifact, "version"),
			       .severity = json_find(vuln, "severity"),
			       .fixed = fix != NULL ? json_find(fix, "versions")
						    : NULL,
		       });
	return true;
}

static bool grype_list_read(const struct json_value *list, struct vulns *ret)
{
	for (size_t i = 0; list != NULL && i < list->u.array.len; i++)
		if (!grype_match_read(&list->u.array.items[i], ret))
			return false;
	return true;
}

static bool grype_read(const struct json_value *root, struct vulns *ret)
{
	const struct json_value *matches = list_find(root, "matches");
	const struct json_value *descriptor = json_find(root, "descriptor");
	const struct json_value *tool =
		descriptor != NULL ? json_find(descriptor, "name") : NULL;

	return matches != NULL && tool != NULL && json_is_text(tool, "grype") &&
	       is_list_or_none(root, "ignoredMatches") &&
	       grype_list_read(matches, ret) &&
	       grype_list_read(list_find(root, "ignoredMatches"), ret);
}

/* --- osv-scanner: {results: [{packages: [{package, vulnerabilities}]}]} ------------- */

/* OSV's words for where a package comes from, and those of package URLs. */
static const char *const types[][2] = {
	{ "npm", "npm" },
	{ "PyPI", "pypi" },
	{ "Go", "golang" },
	{ "crates.io", "cargo" },
	{ "Packagist", "composer" },
	{ "RubyGems", "gem" },
	{ "NuGet", "nuget" },
	{ "Maven", "maven" },
	{ NULL, NULL },
};

static const char *osv_purl_make(const struct json_value *package,
				 struct arena *arena)
{
	const char *ecosystem = vuln_text_find(package, "ecosystem");
	const char *name = vuln_text_find(package, "name");

	if (name == NULL)
		return NULL;
	return vulns_purl_build(arena, type_find(types, ecosystem), name);
}

static const struct json_value *osv_severity_find(const struct json_value *vuln)
{
	const struct json_value *more = json_find(vuln, "database_specific");

	return more != NULL ? json_find(more, "severity") : NULL;
}

static bool osv_package_read(const struct json_value *v, struct vulns *ret)
{
	const struct json_value *package = json_find(v, "package");
	const struct json_value *list = list_find(v, "vulnerabilities");
	const char *purl =
		package != NULL ? osv_purl_make(package, ret->arena) : NULL;

	if (purl == NULL || !is_list_or_none(v, "vulnerabilities"))
		return false;
	for (size_t i = 0; list != NULL && i < list->u.array.len; i++)
		vulns_add(ret, &(struct vuln_said){
				       .id = json_find(&list->u.array.items[i],
						       "id"),
				       .package = purl,
				       .version = json_find(package, "version"),
				       .severity = osv_severity_find(
					       &list->u.array.items[i]),
			       });
	return true;
}

static bool osv_scanner_read(const struct json_value *root, struct vulns *ret)
{
	const struct json_value *results = list_find(root, "results");

	if (results == NULL)
		return false;
	for (size_t i = 0; i < results->u.array.len; i++) {
		const struct json_value *one = &results->u.array.items[i];
		const struct json_value *packages = list_find(one, "packages");

		if (one->type != JSON_OBJECT ||
		    !is_list_or_none(one, "packages"))
			return false;
		for (size_t k = 0;
		     packages != NULL && k < packages->u.array.len; k++)
			if (!osv_package_read(&packages->u.array.items[k], ret))
				return false;
	}
	return true;
}

/* --- trivy: {SchemaVersion: 2, Results: [{Type, Vulnerabilities,
 * ExperimentalModifiedFindings: [{Type, Finding}]}]}.  The last are those that it
 * was told to ignore (--show-suppressed); they count as well. ---------------------- */

/* Before it wrote package URLs it had only the kind of the file. */
static const char *const trivy_types[][2] = {
	{ "npm", "npm" },         { "yarn", "npm" },     { "pnpm", "npm" },
	{ "bun", "npm" },         { "node-pkg", "npm" }, { "pip", "pypi" },
	{ "pipenv", "pypi" },     { "poetry", "pypi" },  { "uv", "pypi" },
	{ "python-pkg", "pypi" }, { NULL, NULL },
};

static bool trivy_vuln_read(const struct json_value *result,
			    const struct json_value *v, struct vulns *ret)
{
	const struct json_value *at = json_find(v, "PkgIdentifier");
	const char *purl = vuln_text_find(at, "PURL");
	const char *name = vuln_text_find(v, "PkgName");
	const char *kind = vuln_text_find(result, "Type");
	const char *type = type_find(trivy_types, kind);

	if (name == NULL)
		return false;
	if (strcmp(type, "generic") == 0 && kind != NULL)
		type = kind;
	if (purl == NULL || purl[0] == '\0')
		purl = vulns_purl_build(ret->arena, type, name);
	vulns_add(ret, &(struct vuln_said){
			       .id = json_find(v, "VulnerabilityID"),
			       .package = purl,
			       .version = json_find(v, "InstalledVersion"),
			       .severity = json_find(v, "Severity"),
			       .fixed = json_find(v, "FixedVersion"),
		       });
	return true;
}

static bool trivy_result_read(const struct json_value *one, struct vulns *ret)
{
	const struct json_value *list = list_find(one, "Vulnerabilities");
	const struct json_value *others =
		list_find(one, "ExperimentalModifiedFindings");

	if (one->type != JSON_OBJECT ||
	    !is_list_or_none(one, "Vulnerabilities") ||
	    !is_list_or_none(one, "ExperimentalModifiedFindings"))
		return false;
	for (size_t i = 0; list != NULL && i < list->u.array.len; i++)
		if (!trivy_vuln_read(one, &list->u.array.items[i], ret))
			return false;
	for (size_t i = 0; others != NULL && i < others->u.array.len; i++) {
		const struct json_value *v = &others->u.array.items[i];
		const struct json_value *type = json_find(v, "Type");
		const struct json_value *finding = json_find(v, "Finding");

		if (type == NULL || type->type != JSON_STRING)
			return false;
		if (json_is_text(type, "vulnerability") &&
		    (finding == NULL || !trivy_vuln_read(one, finding, ret)))
			return false;
	}
	return true;
}

static bool trivy_read(const struct json_value *root, struct vulns *ret)
{
	const struct json_value *version = json_find(root, "SchemaVersion");
	const struct json_value *results = list_find(root, "Results");
	uint64_t n = 0;

	if (version == NULL || json_read_u64(version, &n) < 0 || n != 2 ||
	    !is_list_or_none(root, "Results"))
		return false;
	for (size_t i = 0; results != NULL && i < results->u.array.len; i++)
		if (!trivy_result_read(&results->u.array.items[i], ret))
			return false;
	return true;
}

/* --- all of them -------------------------------------------------------------------- */

static const struct scan_format formats[] = {
	{ "grype", 2, grype_read },
	{ "osv-scanner", 1, osv_scanner_read },
	{ "trivy", 0, trivy_read },
	{ "npm-audit", 1, scan_npm_audit_read },
	{ "cyclonedx", 0, scan_cyclonedx_read },
};

const struct scan_format *scan_format_find(const char *name)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

int scan_read(const struct scan_format *f, const char *bytes, size_t n,
	      struct vulns *ret)
{
	const struct json_caps caps = { .text_bytes = SCAN_BYTES,
					.depth = DEPTH,
					.memory_bytes = MEMORY_BYTES };
	struct arena scratch = { 0 };
	struct json_value root;
	struct json_error bad = { 0 };

	if ((json_parse(bytes, n, &caps, &scratch, &root, &bad) < 0 ||
	     root.type != JSON_OBJECT || !f->read(&root, ret)) &&
	    ret->problem == NULL)
		ret->problem = "report_unreadable";
	arena_done(&scratch);
	return ret->no_memory ? -ENOMEM : 0;
}
