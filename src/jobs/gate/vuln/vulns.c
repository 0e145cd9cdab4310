/* vulns.c -- see vulns.h. */
#include "jobs/gate/vuln/vulns.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/jsonw.h"

/* Severities as the tools write them, and our word for each. */
static const char *const severities[][2] = {
	{ "critical", "critical" }, { "high", "high" },
	{ "medium", "medium" },     { "moderate", "medium" },
	{ "low", "low" },           { "negligible", "negligible" },
	{ "info", "info" },         { "informational", "info" },
	{ "none", "none" },
};

static const char *severity_find(const struct json_value *v)
{
	for (size_t i = 0; v != NULL && v->type == JSON_STRING &&
			   i < sizeof severities / sizeof *severities;
	     i++)
		if (strlen(v->u.string.bytes) == v->u.string.len &&
		    strcasecmp(v->u.string.bytes, severities[i][0]) == 0)
			return severities[i][1];
	return NULL;
}

const char *vuln_text_find(const struct json_value *v, const char *name)
{
	const struct json_value *m = v != NULL ? json_find(v, name) : NULL;

	return m != NULL && m->type == JSON_STRING &&
			       strlen(m->u.string.bytes) == m->u.string.len
		       ? m->u.string.bytes
		       : NULL;
}

/* --- texts ------------------------------------------------------------------------ */

static bool is_plain(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || (c != '\0' && strchr("-._~:/@+!%", c));
}

/* Escape bytes so that no reader takes them for anything else; NULL: nothing,
 * or too long. */
static char *text_escape(struct arena *arena, const char *bytes, size_t n)
{
	static const char hex[] = "0123456789ABCDEF";
	char out[3 * VULN_TEXT_BYTES + 1];
	size_t len = 0;

	if (n == 0 || n > VULN_TEXT_BYTES)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (is_plain(c)) {
			out[len++] = (char)c;
			continue;
		}
		out[len++] = '%';
		out[len++] = hex[c >> 4];
		out[len++] = hex[c & 15];
	}
	return arena_copy(arena, out, len);
}

static const char *value_escape(struct arena *arena, const struct json_value *v)
{
	return v != NULL && v->type == JSON_STRING
		       ? text_escape(arena, v->u.string.bytes, v->u.string.len)
		       : NULL;
}

/* PyPI's names have small letters and single hyphens (PEP 503); tools write them
 * as some file has them. */
static void purl_fold(char *purl)
{
	static const char pypi[] = "pkg:pypi/";
	char *name = purl + sizeof pypi - 1;
	size_t n = 0;

	if (strncmp(purl, pypi, sizeof pypi - 1) != 0)
		return;
	for (const char *s = name; *s != '\0'; s++) {
		bool is_between = strchr("-_.", *s) != NULL;

		if (is_between && n > 0 && name[n - 1] == '-')
			continue;
		name[n++] = (char)(is_between               ? '-'
				   : *s >= 'A' && *s <= 'Z' ? *s - 'A' + 'a'
							    : *s);
	}
	name[n] = '\0';
}

/* Cut off "@version", "?qualifiers" and "#subpath".  The "@" of a scope is the
 * first byte of a segment, so it stays. */
static const char *package_make(struct arena *arena, const char *purl)
{
	size_t n = strcspn(purl, "?#");
	char *text;

	for (size_t i = n; i > 1 && purl[i - 1] != '/'; i--)
		if (purl[i - 1] == '@' && purl[i - 2] != '/') {
			n = i - 1;
			break;
		}
	text = text_escape(arena, purl, n);
	if (text != NULL)
		purl_fold(text);
	return text;
}

const char *vulns_purl_build(struct arena *arena, const char *type,
			     const char *name)
{
	const char *at = name[0] == '@' ? "%40" : "";
	char *text = arena_format(arena, "pkg:%s/%s%s", type, at,
				  name + (name[0] == '@'));

	if (text != NULL)
		purl_fold(text);
	return text;
}

/* --- the list --------------------------------------------------------------------- */

static bool room_make(struct vulns *v)
{
	size_t room = v->room * 2 + 32;
	struct vuln *items;

	if (v->len < v->room)
		return true;
	items = arena_array(v->arena, room, sizeof *items);
	if (items == NULL)
		return false;
	if (v->len > 0)
		memcpy(items, v->items, v->len * sizeof *items);
	v->items = items;
	v->room = room;
	return true;
}

static void fixed_put(struct vulns *v, struct vuln *one, const char *bytes,
		      size_t n)
{
	const char *text;

	while (n > 0 && *bytes == ' ') {
		bytes++;
		n--;
	}
	text = text_escape(v->arena, bytes, n);
	if (text != NULL && one->fixed_len < VULN_FIXED_MAX)
		one->fixed[one->fixed_len++] = text;
}

static void fixed_read(struct vulns *v, const struct json_value *fixed,
		       struct vuln *one)
{
	if (fixed == NULL)
		return;
	for (size_t i = 0; fixed->type == JSON_ARRAY && i < fixed->u.array.len;
	     i++)
		if (fixed->u.array.items[i].type == JSON_STRING)
			fixed_put(v, one,
				  fixed->u.array.items[i].u.string.bytes,
				  fixed->u.array.items[i].u.string.len);
	if (fixed->type != JSON_STRING)
		return;
	for (const char *s = fixed->u.string.bytes;;) {
		size_t n = strcspn(s, ",");

		fixed_put(v, one, s, n);
		if (s[n] == '\0')
			break;
		s += n + 1;
	}
}

void vulns_add(struct vulns *v, const struct vuln_said *said)
{
	struct vuln one = {
		.id = value_escape(v->arena, said->id),
		.package = said->package != NULL
				   ? package_make(v->arena, said->package)
				   : NULL,
		.version = value_escape(v->arena, said->version),
		.severity = severity_find(said->severity),
	};

	if (v->problem != NULL)
		return;
	if (one.id == NULL || one.package == NULL)
		v->problem = "report_unreadable";
	else if (v->len == VULNS_MAX)
		v->problem = "too_many";
	else if (!room_make(v))
		v->no_memory = true;
	if (v->problem != NULL || v->no_memory)
		return;
	fixed_read(v, said->fixed, &one);
	v->items[v->len++] = one;
}

/* --- as JSON ---------------------------------------------------------------------- */

static int text_order(const char *a, const char *b)
{
	return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

static int order(const void *a, const void *b)
{
	const struct vuln *x = a, *y = b;
	int c = strcmp(x->id, y->id);

	if (c == 0)
		c = strcmp(x->package, y->package);
	return c != 0 ? c : text_order(x->version, y->version);
}

void vulns_write(struct vulns *v, const char *key, struct jsonw *w)
{
	if (v->len > 0)
		qsort(v->items, v->len, sizeof *v->items, order);
	jsonw_array(w, key);
	for (size_t i = 0; i < v->len; i++) {
		const struct vuln *one = &v->items[i];

		if (i > 0 && order(&v->items[i - 1], one) == 0)
			continue;
		jsonw_object(w, NULL);
		jsonw_text(w, "id", one->id);
		jsonw_text(w, "package", one->package);
		jsonw_text_or_null(w, "version", one->version);
		jsonw_text_or_null(w, "severity", one->severity);
		jsonw_array(w, "fixed");
		for (size_t k = 0; k < one->fixed_len; k++)
			jsonw_text(w, NULL, one->fixed[k]);
		jsonw_end_array(w);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}
