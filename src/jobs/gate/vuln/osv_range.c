/* osv_range.c -- whether a record applies to a version.
 * Source: the OSV schema, "affected[].ranges[].events" and "Evaluation". */
#include <string.h>

#include "jobs/gate/vuln/osv.h"
#include "jobs/gate/vuln/version.h"

typedef int version_find(const char *a, const char *b, int *ret);

static const struct {
	const char *type;
	version_find *find;
} orders[] = {
	{ "npm", version_semver_find },
	{ "pypi", version_pep440_find },
};

/* The state of reading one range. */
struct reading {
	version_find *find;
	const char *version;
	const char *best; /* version of the last event that counts;
			   * "0": the first of all */
	bool is_in;       /* whether the version is in, after that event */
	bool has_limit, is_limited; /* limits there are; below one of them */
	bool is_doubtful;           /* something cannot be compared */
};

static bool is_first(const char *version)
{
	return strcmp(version, "0") == 0;
}

/* Compare the version in question with that of an event. */
static int version_order(struct reading *r, const char *event)
{
	int c = 0;

	if (is_first(event))
		return 1;
	if (r->find(r->version, event, &c) < 0)
		r->is_doubtful = true;
	return c;
}

/* Of two events that count, the later one decides.  Of two at the same version,
 * the one that ends after it (last_affected) decides, otherwise the one that
 * begins. */
static void event_put(struct reading *r, const char *event, bool is_in,
		      bool is_behind)
{
	int c = 0;

	if (r->best == NULL || (is_first(r->best) && !is_first(event)))
		c = 1;
	else if (is_first(event))
		c = is_first(r->best) ? 0 : -1;
	else if (r->find(event, r->best, &c) < 0)
		r->is_doubtful = true;
	if (c > 0 || (c == 0 && (is_in || is_behind))) {
		r->best = event;
		r->is_in = is_in;
	}
}

static void event_read(struct reading *r, const struct json_value *v)
{
	const char *introduced = vuln_text_find(v, "introduced");
	const char *fixed = vuln_text_find(v, "fixed");
	const char *last = vuln_text_find(v, "last_affected");
	const char *limit = vuln_text_find(v, "limit");

	if (introduced != NULL) {
		if (version_order(r, introduced) >= 0)
			event_put(r, introduced, true, false);
	} else if (fixed != NULL) {
		if (version_order(r, fixed) >= 0)
			event_put(r, fixed, false, false);
	} else if (last != NULL) {
		if (version_order(r, last) > 0)
			event_put(r, last, false, true);
	} else if (limit != NULL) {
		r->has_limit = true;
		r->is_limited |=
			strcmp(limit, "*") == 0 || version_order(r, limit) < 0;
	} else {
		r->is_doubtful = true;
	}
}

/* *ret_compared is set if the range is about versions at all. */
static bool is_in_range(const struct json_value *range, version_find *find,
			const char *version, bool *ret_compared)
{
	const struct json_value *events = json_find(range, "events");
	const char *type = vuln_text_find(range, "type");
	struct reading r = { .find = find, .version = version };

	if (type != NULL && strcmp(type, "GIT") == 0)
		return false;
	*ret_compared = true;
	if (type == NULL || events == NULL || events->type != JSON_ARRAY ||
	    (strcmp(type, "SEMVER") != 0 && strcmp(type, "ECOSYSTEM") != 0))
		return true;
	for (size_t i = 0; i < events->u.array.len; i++)
		event_read(&r, &events->u.array.items[i]);
	return r.is_doubtful || (r.is_in && (!r.has_limit || r.is_limited));
}

/* A version that is none, such as "=1.0", may stand for any of them. */
static bool is_listed(const struct json_value *versions, version_find *find,
		      const char *version)
{
	int same = 0;

	if (find(version, version, &same) < 0)
		return true;
	for (size_t i = 0; i < versions->u.array.len; i++) {
		const struct json_value *one = &versions->u.array.items[i];
		int c = 1;

		if (json_is_text(one, version))
			return true;
		if (one->type == JSON_STRING &&
		    find(one->u.string.bytes, version, &c) == 0 && c == 0)
			return true;
	}
	return false;
}

bool osv_is_affected(const struct json_value *affected, const char *type,
		     const char *version)
{
	const struct json_value *versions = json_find(affected, "versions");
	const struct json_value *ranges = json_find(affected, "ranges");
	version_find *find = NULL;
	bool is_compared = false, is_in = false;

	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
		if (strcmp(orders[i].type, type) == 0)
			find = orders[i].find;
	if (find == NULL)
		return true;
	if (versions != NULL && versions->type == JSON_ARRAY &&
	    versions->u.array.len > 0) {
		is_compared = true;
		is_in = is_listed(versions, find, version);
	}
	for (size_t i = 0;
	     !is_in && ranges != NULL && ranges->type == JSON_ARRAY &&
	     i < ranges->u.array.len;
	     i++)
		is_in = is_in_range(&ranges->u.array.items[i], find, version,
				    &is_compared);
	return is_in || !is_compared;
}
