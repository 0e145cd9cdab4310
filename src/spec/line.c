/* line.c -- see line.h. */
#include "spec/line.h"

#include <errno.h>
#include <string.h>

#include "spec/phases.h"

/* Options of a single run: where its output goes, and the cache that it keeps. */
static const char *const not_of_many[] = { "cache", "stdout", "stderr", "json",
					   "raw",   "quiet",  "verbose" };

static bool is_of_many(const struct field *f)
{
	for (size_t i = 0; i < sizeof not_of_many / sizeof *not_of_many; i++)
		if (strcmp(not_of_many[i], f->name) == 0)
			return false;
	return true;
}

static bool is_line_key(const struct field *f)
{
	return (f->flags & (FIELD_CLI_ONLY | FIELD_PROFILE_ONLY)) == 0 &&
	       is_of_many(f);
}

static int put_other(const struct put *p, const struct json_member *m,
		     struct cupel_error *err)
{
	int r;

	if (m->name.len == 2 && memcmp(m->name.bytes, "id", 2) == 0)
		return 0;
	r = phases_put(p, m, err);
	return r == DOCUMENT_OTHER ? document_put_command(p, m, err) : r;
}

/* Make everything in a list a default, below what a line says. */
static void list_lower(struct spec *s, const struct field *f)
{
	struct spec_list *list = (struct spec_list *)((char *)s + f->offset);

	list->low = list->len;
}

int spec_line_check(const struct spec *s, struct cupel_error *err)
{
	if (s->stdin_path != NULL && strcmp(s->stdin_path, "-") == 0)
		return spec_refuse(err, EINVAL,
				   "--stdin: '-' cannot be used, as many runs "
				   "would read it");
	for (size_t i = 0; i < fields_len; i++)
		if (s->ranks[i] != RANK_PROFILE && !is_of_many(&fields[i]))
			return spec_refuse(
				err, EINVAL,
				"--%s: is for a single run, not for many",
				fields[i].name);
	return 0;
}

int spec_line_defaults(struct spec *s, struct cupel_error *err)
{
	int r;

	if (s->phases_len > 0)
		return spec_refuse(err, EINVAL,
				   "--spec: phases belong in a line; the "
				   "defaults of all lines cannot have them");
	r = spec_line_check(s, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < fields_len; i++) {
		if (s->ranks[i] == RANK_OPTION)
			s->ranks[i] = RANK_SPEC;
		if (fields[i].type == FIELD_LIST)
			list_lower(s, &fields[i]);
	}
	for (size_t i = 0; i < SPEC_RLIMIT_MAX_; i++)
		if (s->rlimit_ranks[i] == RANK_OPTION)
			s->rlimit_ranks[i] = RANK_SPEC;
	if (s->argv_rank == RANK_OPTION)
		s->argv_rank = RANK_SPEC;
	s->is_of_many = true;
	return spec_check_variables(s, err);
}

/* A default command, stdin and artifacts are those of a line without phases:
 * each phase has its own, and none reads anything. */
static void defaults_forget(const struct spec *base, struct spec *s)
{
	struct spec_list *list = &s->artifacts;
	size_t kept = 0;

	if (base->argc > 0 && s->argv == base->argv)
		s->argc = 0;
	if (s->stdin_path == base->stdin_path)
		s->stdin_path = NULL;
	for (size_t i = 0; i < list->len; i++) {
		bool is_default = false;

		for (size_t k = 0; k < base->artifacts.len && !is_default; k++)
			is_default = list->items[i] == base->artifacts.items[k];
		if (!is_default)
			list->items[kept++] = list->items[i];
	}
	list->len = kept;
	list->low = list->lowest = 0;
}

int spec_line_build(const struct spec *base, const char *text, size_t n,
		    struct spec *ret, struct cupel_error *err)
{
	const struct document_kind kind = { .rank = RANK_PHASE,
					    .name = "line",
					    .allows = is_line_key,
					    .put_other = put_other };
	int r = spec_copy(base, ret);

	if (r < 0)
		return spec_refuse(err, ENOMEM, "no memory for a line");
	r = spec_overlay(ret, &kind, text, n, "line", err);
	if (r == 0 && ret->phases_len > 0)
		defaults_forget(base, ret);
	if (r == 0 && ret->argc == 0 && ret->phases_len == 0)
		return spec_refuse(err, EINVAL, "line: command is missing");
	if (r == 0 && ret->stdin_path != NULL &&
	    strcmp(ret->stdin_path, "-") == 0)
		return spec_refuse(err, EINVAL,
				   "line: stdin: '-' cannot be used, as many "
				   "runs would read it");
	return r;
}
