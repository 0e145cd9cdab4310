/* profile.c -- see profile.h. */
#include "spec/profile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "spec/document.h"

#define BASE_PROFILE "default"

/* Most profiles that are read for one: it, what it extends, and so on.  Only the
 * shipped ones can be extended, so no file can make a circle. */
#define CHAIN_MAX 4

/* A profile and what it extends, the given one first. */
struct chain {
	struct arena arena;
	struct {
		const char *origin;
		struct json_value root;
	} layers[CHAIN_MAX];
	size_t len;
};

/* The text of a shipped profile, or NULL. */
static const struct data_text *profile_find(const char *name)
{
	for (size_t i = 0; i < profile_texts_len; i++)
		if (strcmp(profile_texts[i].name, name) == 0)
			return &profile_texts[i];
	return NULL;
}

const struct data_text *profile_at(size_t i)
{
	return i < profile_texts_len ? &profile_texts[i] : NULL;
}

static bool is_profile_key(const struct field *f)
{
	return (f->flags & FIELD_IN_PROFILE) != 0;
}

static bool is_named(const struct json_member *m, const char *name)
{
	return m->name.len == strlen(name) &&
	       memcmp(m->name.bytes, name, m->name.len) == 0;
}

/* The keys that are not options.  "name" is what results show, "about" is for
 * people, "fits" is read by cupel profile find in the shipped profiles alone, and
 * "extends" has been read before. */
static int put_own(const struct put *p, const struct json_member *m,
		   struct cupel_error *err)
{
	const char *text;

	if (is_named(m, "extends"))
		return 0;
	if (is_named(m, "fits"))
		return m->value.type == JSON_OBJECT
			       ? 0
			       : spec_refuse(err, EINVAL,
					     "%s: expected an object",
					     p->place);
	if (!is_named(m, "about") && !is_named(m, "name"))
		return DOCUMENT_OTHER;
	text = document_text(p, &m->value, err);
	if (text == NULL)
		return -EINVAL;
	if (is_named(m, "about"))
		return 0;
	if (text[0] == '\0')
		return spec_refuse(err, EINVAL, "%s: is empty", p->place);
	text = arena_text(&p->spec->arena, text);
	if (text == NULL)
		return spec_refuse(err, ENOMEM, "%s: no memory", p->place);
	p->spec->profile = text;
	return 0;
}

/* Forget what the earlier profile said and this one may not mention. */
static void reset(struct spec *s)
{
	for (size_t i = 0; i < fields_len; i++) {
		void *slot = (char *)s + fields[i].offset;

		if (!is_profile_key(&fields[i]) || s->ranks[i] > RANK_PROFILE)
			continue;
		if (fields[i].type == FIELD_TEXT)
			*(const char **)slot = NULL;
		else if (fields[i].type == FIELD_LIST)
			put_list_reset(slot);
		else if (fields[i].type == FIELD_BOOL)
			*(bool *)slot = false;
	}
	for (size_t i = 0; i < SPEC_RLIMIT_MAX_; i++) {
		if (s->rlimit_ranks[i] > RANK_PROFILE)
			continue;
		s->rlimits[i] = SPEC_UNLIMITED;
		s->rlimit_is_set[i] = false;
	}
}

static int chain_add(struct chain *c, const char *bytes, size_t n,
		     const char *origin, struct cupel_error *err)
{
	int r = document_parse(bytes, n, origin, &c->arena,
			       &c->layers[c->len].root, err);

	c->layers[c->len++].origin = origin;
	return r;
}

/* What the last layer extends: *ret is NULL if it extends nothing. */
static int chain_next(const struct chain *c, const struct data_text **ret,
		      struct cupel_error *err)
{
	const char *origin = c->layers[c->len - 1].origin;
	const struct json_value *v =
		json_find(&c->layers[c->len - 1].root, "extends");
	char place[PUT_PLACE_MAX];
	const struct put p = { .place = place };
	const char *name;

	*ret = NULL;
	if (v == NULL)
		return 0;
	put_place(place, origin, ": ", "extends");
	name = document_text(&p, v, err);
	if (name == NULL)
		return -EINVAL;
	*ret = profile_find(name);
	if (*ret == NULL)
		return spec_refuse(
			err, EINVAL,
			"%s: '%.80s' is not a shipped profile (cupel "
			"profile list names them)",
			place, name);
	if (c->len == CHAIN_MAX)
		return spec_refuse(err, EINVAL,
				   "%s: more than %d profiles extend one "
				   "another",
				   place, CHAIN_MAX);
	return 0;
}

/* The given profile and all that it extends; base, if it does not say. */
static int chain_read(struct chain *c, const struct data_text *given,
		      const struct data_text *base, struct cupel_error *err)
{
	const struct data_text *next = given;
	int r = 0;

	while (r == 0 && next != NULL) {
		r = chain_add(c, next->bytes, next->len, next->name, err);
		if (r == 0)
			r = chain_next(c, &next, err);
		if (r == 0 && next == NULL && c->len == 1)
			next = base;
	}
	return r;
}

/* Of two values with the same rank the later one wins.  So each layer is read
 * after what it extends, and the variables and rlimits of all count. */
static int profile_apply(struct spec *s, const struct data_text *given,
			 const struct data_text *base, struct cupel_error *err)
{
	const struct document_kind kind = { .rank = RANK_PROFILE,
					    .name = "profile",
					    .allows = is_profile_key,
					    .put_other = put_own };
	struct chain c = { 0 };
	int r = chain_read(&c, given, base, err);

	if (r == 0)
		reset(s);
	for (size_t i = c.len; r == 0 && i-- > 0;) {
		s->profile = c.layers[i].origin;
		r = document_put_all(s, &kind, &c.layers[i].root,
				     c.layers[i].origin, err);
	}
	arena_done(&c.arena);
	return r;
}

int spec_apply_profile(struct spec *s, const char *name,
		       struct cupel_error *err)
{
	const struct data_text *text = profile_find(name);

	if (text == NULL)
		return spec_refuse(
			err, EINVAL,
			"--profile: '%.80s' is not a shipped profile (cupel "
			"profile list names them); the name of a file has a "
			"'/' in it or ends in .json",
			name);
	return profile_apply(s, text, NULL, err);
}

int spec_read_profile(struct spec *s, const char *bytes, size_t n,
		      const char *origin, struct cupel_error *err)
{
	struct data_text given = { .bytes = bytes, .len = n };

	given.name = arena_text(&s->arena, origin);
	if (given.name == NULL)
		return spec_refuse(err, ENOMEM, "%s: no memory", origin);
	return profile_apply(s, &given, profile_find(BASE_PROFILE), err);
}

bool spec_is_file(const char *text)
{
	static const char end[] = ".json";
	size_t n = strlen(text), m = sizeof end - 1;

	return strchr(text, '/') != NULL ||
	       (n > m && strcmp(text + n - m, end) == 0);
}

int profile_put(const struct put *p, const char *text, struct cupel_error *err)
{
	const struct field *f = field_find("profile");
	int r;

	if (put_is_low(p, f))
		return 0;
	r = spec_is_file(text) ? document_load(p, text, spec_read_profile, err)
			       : spec_apply_profile(p->spec, text, err);
	if (r == 0)
		put_mark(p, f);
	return r;
}

int spec_init(struct spec *s, struct cupel_error *err)
{
	*s = (struct spec){ .arena.cap_bytes = SPEC_ARENA_BYTES,
			    .profile = BASE_PROFILE,
			    .cpu_milli = SPEC_UNLIMITED,
			    .cache_bytes = SPEC_CACHE_BYTES };
	return spec_apply_profile(s, BASE_PROFILE, err);
}

void spec_done(struct spec *s)
{
	arena_done(&s->arena);
	*s = (struct spec){ 0 };
}

int profile_check(const char *bytes, size_t n, const char *origin,
		  struct cupel_error *err)
{
	struct spec s = { 0 };
	int r = spec_init(&s, err);

	if (r == 0)
		r = spec_read_profile(&s, bytes, n, origin, err);
	if (r == 0)
		r = spec_check(&s, err);
	spec_done(&s);
	return r;
}
