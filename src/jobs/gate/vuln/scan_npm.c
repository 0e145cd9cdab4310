/* scan_npm.c -- what npm audit --json reports, version 2:
 * {auditReportVersion: 2, vulnerabilities: {NAME: {via: [advisory or NAME]}}}. */
#include <string.h>

#include "jobs/gate/vuln/scan.h"

/* "https://github.com/advisories/GHSA-..." ends with the name that everybody
 * uses for the advisory.  If there is none, npm's own number is used. */
static struct json_value id_make(const struct json_value *via,
				 struct arena *arena)
{
	const char *url = vuln_text_find(via, "url");
	const char *slash = url != NULL ? strrchr(url, '/') : NULL;
	const struct json_value *source = json_find(via, "source");
	struct json_value id = { .type = JSON_STRING };
	const char *text = NULL;

	if (slash != NULL && strncmp(slash + 1, "GHSA-", 5) == 0)
		text = slash + 1;
	else if (source != NULL && source->type == JSON_NUMBER)
		text = arena_format(arena, "npm:%s", source->u.number.bytes);
	if (text == NULL)
		return (struct json_value){ .type = JSON_NULL };
	id.u.string = (struct json_text){ text, strlen(text) };
	return id;
}

/* The version that fixes it, if the fix is in the package itself. */
static const struct json_value *fixed_find(const struct json_value *v,
					   const char *name)
{
	const struct json_value *fix = json_find(v, "fixAvailable");
	const struct json_value *whose =
		fix != NULL ? json_find(fix, "name") : NULL;

	return whose != NULL && json_is_text(whose, name)
		       ? json_find(fix, "version")
		       : NULL;
}

/* A via that is a name says that the package is vulnerable because of another
 * one, which has an entry of its own. */
static bool via_read(const struct json_value *v, const struct json_value *via,
		     const char *name, struct vulns *ret)
{
	struct json_value id;

	if (via->type == JSON_STRING)
		return true;
	if (via->type != JSON_OBJECT)
		return false;
	id = id_make(via, ret->arena);
	vulns_add(ret,
		  &(struct vuln_said){
			  .id = &id,
			  .package = vulns_purl_build(ret->arena, "npm", name),
			  .severity = json_find(via, "severity"),
			  .fixed = fixed_find(v, name),
		  });
	return true;
}

bool scan_npm_audit_read(const struct json_value *root, struct vulns *ret)
{
	const struct json_value *version =
		json_find(root, "auditReportVersion");
	const struct json_value *all = json_find(root, "vulnerabilities");
	uint64_t n = 0;

	if (version == NULL || json_read_u64(version, &n) < 0 || n != 2 ||
	    all == NULL || all->type != JSON_OBJECT)
		return false;
	for (size_t i = 0; i < all->u.object.len; i++) {
		const struct json_member *m = &all->u.object.members[i];
		const struct json_value *via = json_find(&m->value, "via");

		if (via == NULL || via->type != JSON_ARRAY ||
		    via->u.array.len == 0 ||
		    strlen(m->name.bytes) != m->name.len)
			return false;
		for (size_t k = 0; k < via->u.array.len; k++)
			if (!via_read(&m->value, &via->u.array.items[k],
				      m->name.bytes, ret))
				return false;
	}
	return true;
}
