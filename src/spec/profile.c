/* profile.c -- see profile.h. */
#include "spec/profile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "spec/document.h"

#define BASE_PROFILE "default"

/* In the order in which they are listed; the test runners follow test. */
static const char *const order[] = {
	"default",         "test",         "pytest",
	"unittest",        "jest",         "vitest",
	"mocha",           "node-test",    "npm-test",
	"go-test",         "cargo-test",   "ctest",
	"automake",        "prove",        "tap",
	"npm-install",     "pip-install",  "cargo-fetch",
	"go-mod-download", "apt-download", "python-function",
	"node-function",   "probe",        "parser"
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
	return i < sizeof order / sizeof *order ? profile_find(order[i]) : NULL;
}

static bool is_profile_key(const struct field *f)
{
	return (f->flags & FIELD_IN_PROFILE) != 0;
}

/* "name" and "about" are for people; the name is also what results show. */
static int put_name(const struct put *p, const struct json_member *m,
		    struct cupel_error *err)
{
	bool is_about = m->name.len == 5 && strcmp(m->name.bytes, "about") == 0;
	bool is_name = m->name.len == 4 && strcmp(m->name.bytes, "name") == 0;
	const char *text;

	if (!is_about && !is_name)
		return DOCUMENT_OTHER;
	text = document_text(p, &m->value, err);
	if (text == NULL)
		return -EINVAL;
	if (is_about)
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

static int read_one(struct spec *s, const char *bytes, size_t n,
		    const char *origin, struct cupel_error *err)
{
	const struct document_kind kind = { .rank = RANK_PROFILE,
					    .name = "profile",
					    .allows = is_profile_key,
					    .put_other = put_name };

	reset(s);
	return document_read(s, &kind, bytes, n, origin, err);
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
	return read_one(s, text->bytes, text->len, text->name, err);
}

/* The later of two values with the same rank wins.  So a file on top of the
 * default profile is read after it, and the rlimits of both count. */
int spec_read_profile(struct spec *s, const char *bytes, size_t n,
		      const char *origin, struct cupel_error *err)
{
	const struct document_kind kind = { .rank = RANK_PROFILE,
					    .name = "profile",
					    .allows = is_profile_key,
					    .put_other = put_name };
	const char *name = arena_text(&s->arena, origin);
	int r = name != NULL
			? spec_apply_profile(s, BASE_PROFILE, err)
			: spec_refuse(err, ENOMEM, "%s: no memory", origin);

	if (r < 0)
		return r;
	s->profile = name;
	return document_read(s, &kind, bytes, n, origin, err);
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
