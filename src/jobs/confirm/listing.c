/* listing.c -- see listing.h. */
#include "jobs/confirm/listing.h"

#include "jobs/confirm/finding.h"

/* The state of reading a report. */
struct reading {
	const struct listing *listing;
	struct findings findings;
	size_t number; /* of the last message */
};

struct listing {
	const char *tool;
	struct finding_shape shape;
	bool (*is)(const struct json_value *doc);
	int (*read)(struct reading *r, const struct json_value *doc);
};

static const struct json_value *member(const struct json_value *v,
				       const char *name, enum json_type type)
{
	const struct json_value *found =
		v->type == JSON_OBJECT ? json_find(v, name) : NULL;

	return found != NULL && found->type == type ? found : NULL;
}

/* The first item of a list, or NULL. */
static const struct json_value *first(const struct json_value *list)
{
	return list->type == JSON_ARRAY && list->u.array.len > 0
		       ? &list->u.array.items[0]
		       : NULL;
}

static int messages_read(struct reading *r, const struct json_value *list,
			 const char *file)
{
	int e = 0;

	for (size_t i = 0; i < list->u.array.len && e == 0; i++)
		e = findings_add_item(&r->findings, &r->listing->shape,
				      &list->u.array.items[i], file,
				      ++r->number);
	return e;
}

/* An empty report looks the same from every tool. */
static bool is_empty(const struct json_value *doc)
{
	return doc->type == JSON_ARRAY && doc->u.array.len == 0;
}

static int list_read(struct reading *r, const struct json_value *doc)
{
	return messages_read(r, doc, NULL);
}

static bool is_pylint(const struct json_value *doc)
{
	const struct json_value *v = first(doc);

	return v != NULL && member(v, "message-id", JSON_STRING) != NULL &&
	       member(v, "path", JSON_STRING) != NULL;
}

static bool is_pylint2(const struct json_value *doc)
{
	return member(doc, "messages", JSON_ARRAY) != NULL &&
	       member(doc, "statistics", JSON_OBJECT) != NULL;
}

static int pylint2_read(struct reading *r, const struct json_value *doc)
{
	return messages_read(r, member(doc, "messages", JSON_ARRAY), NULL);
}

static bool is_eslint(const struct json_value *doc)
{
	const struct json_value *v = first(doc);

	return v != NULL && member(v, "filePath", JSON_STRING) != NULL &&
	       member(v, "messages", JSON_ARRAY) != NULL;
}

static int eslint_read(struct reading *r, const struct json_value *doc)
{
	int e = 0;

	for (size_t i = 0; i < doc->u.array.len && e == 0; i++) {
		const struct json_value *v = &doc->u.array.items[i];
		const struct json_value *list =
			member(v, "messages", JSON_ARRAY);
		const char *file = v->type == JSON_OBJECT
					   ? finding_text(v, "filePath")
					   : NULL;

		if (list == NULL || file == NULL)
			e = flags_fault(r->findings.flags, ++r->number,
					"expected an object with filePath and "
					"messages");
		else
			e = messages_read(r, list, file);
	}
	return e;
}

/* Every member must be a list, and the first item of the first list that is not
 * empty must have what the plug-in writes. */
static bool is_flake8(const struct json_value *doc)
{
	const struct json_value *v = NULL;

	if (doc->type != JSON_OBJECT || doc->u.object.len == 0)
		return false;
	for (size_t i = 0; i < doc->u.object.len; i++) {
		const struct json_value *list = &doc->u.object.members[i].value;

		if (list->type != JSON_ARRAY)
			return false;
		if (v == NULL)
			v = first(list);
	}
	return v == NULL || (member(v, "code", JSON_STRING) != NULL &&
			     member(v, "filename", JSON_STRING) != NULL);
}

static int flake8_read(struct reading *r, const struct json_value *doc)
{
	int e = 0;

	for (size_t i = 0; i < doc->u.object.len && e == 0; i++)
		e = messages_read(r, &doc->u.object.members[i].value, NULL);
	return e;
}

static const struct listing listings[] = {
	{ "report", { .file = "path" }, is_empty, list_read },
	{ "pylint",
	  { "path", "line", "message", { "message-id", "symbol" } },
	  is_pylint,
	  list_read },
	{ "pylint",
	  { "path", "line", "message", { "messageId", "symbol" } },
	  is_pylint2,
	  pylint2_read },
	{ "eslint",
	  { "filePath", "line", "message", { "ruleId" } },
	  is_eslint,
	  eslint_read },
	{ "flake8",
	  { "filename", "line_number", "text", { "code" } },
	  is_flake8,
	  flake8_read },
};

const struct listing *listing_find(const struct json_value *doc)
{
	for (size_t i = 0; i < sizeof listings / sizeof *listings; i++)
		if (listings[i].is(doc))
			return &listings[i];
	return NULL;
}

int listing_read(const struct listing *l, const struct json_value *doc,
		 const struct rules *rules, struct flags *ret)
{
	struct reading r = { .listing = l };
	int e;

	ret->unit = "message";
	ret->arena.cap_bytes = FLAGS_MEMORY;
	e = findings_init(&r.findings, ret, rules, l->tool);
	if (e == 0)
		e = l->read(&r, doc);
	findings_done(&r.findings);
	return e;
}
