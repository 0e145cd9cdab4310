/* spec_schemas.c -- the published schemas agree with the tables. */
#include "tap.h"

#include <stdlib.h>

#include "boundary/json.h"
#include "plan/wall.h"
#include "spec/field.h"
#include "spec/profile.h"
#include "spec/reason.h"
#include "spec/schemas.h"

static struct arena arena;

static struct json_value read_schema(const char *name)
{
	const struct data_text *text = schema_text_find(name);
	struct json_value v = { .type = JSON_NULL };
	struct json_error e = { 0 };

	ok(text != NULL);
	if (text != NULL)
		ok_int(json_parse(text->bytes, text->len, NULL, &arena, &v, &e),
		       0);
	return v;
}

/* Find the value at path "a/b/c" in v, member by member. */
static const struct json_value *at(const struct json_value *v, const char *path)
{
	while (v != NULL && *path != '\0') {
		size_t n = strcspn(path, "/");

		v = json_find_bytes(v, path, n);
		path += n + (path[n] == '/');
	}
	return v;
}

static void every_schema_is_json_with_an_identifier(void)
{
	static const char *const wanted[] = {
		"spec",          "result",        "doctor",   "plan",
		"profile",       "payload-error", "validate", "run-log",
		"node_manifest", "review-flags",
	};

	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		ok(schema_text_find(wanted[i]) != NULL);
	ok(schema_text_find("nope") == NULL);
	for (size_t i = 0; schema_text_at(i) != NULL; i++) {
		const char *name = schema_text_at(i)->name;
		struct json_value v = read_schema(name);
		char id[120];

		(void)snprintf(id, sizeof id, "urn:cupel:schema:%s-1.%d", name,
			       strcmp(name, "node_manifest") == 0);
		ok(at(&v, "$id") != NULL && json_is_text(at(&v, "$id"), id));
		ok(at(&v, "$schema") != NULL &&
		   json_is_text(
			   at(&v, "$schema"),
			   "https://json-schema.org/draft/2020-12/schema"));
		ok_lacks(schema_text_at(i)->bytes, "\"$ref\": \"http");
		/* what profiles/schemas/compose.py replaces */
		ok_lacks(schema_text_at(i)->bytes, "shared:");
		ok_lacks(schema_text_at(i)->bytes, "\"$walls\"");
		ok_lacks(schema_text_at(i)->bytes, "\"$options\"");
	}
}

/* The rows that a document of that kind may have, and no other key. */
static void hold_keys(const struct json_value *props, bool is_profile)
{
	size_t n = 0;

	for (size_t i = 0; i < fields_len; i++) {
		const struct field *f = &fields[i];
		bool may = is_profile ? (f->flags & FIELD_IN_PROFILE) != 0
				      : (f->flags & (FIELD_CLI_ONLY |
						     FIELD_PROFILE_ONLY)) == 0;
		char key[FIELD_KEY_MAX];

		field_write_key(f, key);
		ok_int(json_find(props, key) != NULL, may);
		if ((json_find(props, key) != NULL) != may)
			fprintf(stderr, "# %s\n", key);
		n += may;
	}
	/* name, extends, about, fits; profile, phases */
	ok_int((intmax_t)props->u.object.len,
	       (intmax_t)n + (is_profile ? 4 : 2));
}

static void hold_number(const struct field *f, const struct json_value *v)
{
	const struct json_value *any = at(v, "anyOf");
	const struct json_value *number = any != NULL ? any->u.array.items : v;
	bool is_off = false;

	for (size_t i = 0; any != NULL && i < any->u.array.len; i++)
		if (at(&any->u.array.items[i], "const") != NULL)
			is_off = true;
	ok_int(is_off, (f->flags & FIELD_CAN_BE_OFF) != 0);
	ok(at(number, "minimum") != NULL && at(number, "maximum") != NULL);
	if (f->type == FIELD_TIME) {
		ok_int((intmax_t)(strtod(at(number, "minimum")->u.number.bytes,
					 NULL) *
				  1000),
		       (intmax_t)f->min);
		ok_int((intmax_t)(strtod(at(number, "maximum")->u.number.bytes,
					 NULL) *
				  1000),
		       (intmax_t)f->max);
	} else {
		uint64_t low = 0, high = 0;

		ok_int(json_read_u64(at(number, "minimum"), &low), 0);
		ok_int(json_read_u64(at(number, "maximum"), &high), 0);
		ok(low == f->min && high == f->max);
	}
}

static void hold_words(const struct field *f, const struct json_value *v)
{
	const struct json_value *list = at(v, "enum");
	size_t n = 0;

	ok(list != NULL);
	if (list == NULL)
		return;
	for (const struct field_word *w = f->words; w->name != NULL; w++) {
		if (w->is_later)
			continue;
		ok(n < list->u.array.len &&
		   json_is_text(&list->u.array.items[n], w->name));
		n++;
	}
	ok_int((intmax_t)list->u.array.len, (intmax_t)n);
}

static void hold_document(const char *name, bool is_profile)
{
	struct json_value v = read_schema(name);
	const struct json_value *props = at(&v, "properties");
	const struct json_value *closed = at(&v, "additionalProperties");

	ok(closed != NULL && closed->type == JSON_BOOL && !closed->u.boolean);
	ok(props != NULL);
	if (props == NULL)
		return;
	hold_keys(props, is_profile);
	for (size_t i = 0; i < fields_len; i++) {
		char key[FIELD_KEY_MAX];
		const struct json_value *own;

		field_write_key(&fields[i], key);
		own = json_find(props, key);
		if (own == NULL)
			continue;
		if (fields[i].type == FIELD_ENUM)
			hold_words(&fields[i], own);
		if (fields[i].type == FIELD_COUNT ||
		    fields[i].type == FIELD_SIZE ||
		    fields[i].type == FIELD_TIME)
			hold_number(&fields[i], own);
	}
}

static void spec_and_profile_follow_the_table(void)
{
	hold_document("spec", false);
	hold_document("profile", true);
}

static void enforced_has_exactly_the_walls(void)
{
	struct json_value v = read_schema("result");
	const struct json_value *own = at(&v, "properties/enforced");
	const struct json_value *props = at(own, "properties");
	const struct json_value *required = at(own, "required");
	const struct json_value *closed = at(own, "additionalProperties");

	ok(props != NULL && required != NULL && closed != NULL &&
	   !closed->u.boolean);
	ok_int((intmax_t)props->u.object.len, WALL_MAX_);
	ok_int((intmax_t)required->u.array.len, WALL_MAX_);
	ok_int(WALL_MAX_, 44);
	for (int w = 0; w < WALL_MAX_; w++) {
		ok(json_find(props, wall_name((enum wall)w)) != NULL);
		ok(json_is_text(&required->u.array.items[w],
				wall_name((enum wall)w)));
	}
}

static void reasons_are_the_closed_list(void)
{
	struct json_value v = read_schema("result");
	const struct json_value *list = at(&v, "properties/reason/enum");

	ok(list != NULL);
	ok_int((intmax_t)list->u.array.len, REASON_MAX_);
	for (int r = 1; r < REASON_MAX_; r++)
		ok(json_is_text(&list->u.array.items[r - 1],
				reason_name((enum reason)r)));
	ok_int(list->u.array.items[REASON_MAX_ - 1].type, JSON_NULL);
}

static void shipped_profiles_have_only_the_schemas_keys(void)
{
	struct json_value schema = read_schema("profile");
	const struct json_value *props = at(&schema, "properties");

	for (size_t i = 0; profile_at(i) != NULL; i++) {
		const struct data_text *text = profile_at(i);
		struct json_value v = { .type = JSON_NULL };
		struct json_error e = { 0 };

		ok_int(json_parse(text->bytes, text->len, NULL, &arena, &v, &e),
		       0);
		for (size_t j = 0; j < v.u.object.len; j++)
			ok(json_find(props, v.u.object.members[j].name.bytes) !=
			   NULL);
		/* one that extends nothing says every number itself */
		for (size_t j = 0; at(&v, "extends") == NULL && j < fields_len;
		     j++) {
			char key[FIELD_KEY_MAX];

			field_write_key(&fields[j], key);
			if (fields[j].flags & FIELD_IN_PROFILE &&
			    fields[j].type != FIELD_TEXT)
				ok(json_find(&v, key) != NULL);
		}
	}
	arena_done(&arena);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(every_schema_is_json_with_an_identifier),
		CASE(spec_and_profile_follow_the_table),
		CASE(enforced_has_exactly_the_walls),
		CASE(reasons_are_the_closed_list),
		CASE(shipped_profiles_have_only_the_schemas_keys),
		TAP_END,
	});
}
