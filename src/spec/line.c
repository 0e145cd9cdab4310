/* line.c -- see line.h. */
#include "spec/line.h"

#include <errno.h>
#include <string.h>

#include "spec/phases.h"

/* Options that say where the output of a single run goes: not for many runs. */
static const char *const not_of_many[] = { "stdout", "stderr", "json",
					   "raw",    "quiet",  "verbose" };

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

int spec_line_defaults(struct spec *s, struct cupel_error *err)
{
	if (s->phases_len > 0)
		return spec_refuse(err, EINVAL,
				   "--spec: phases are a line's own, and no "
				   "default of all");
	if (s->stdin_path != NULL && strcmp(s->stdin_path, "-") == 0)
		return spec_refuse(err, EINVAL,
				   "--stdin: '-' cannot be read by many runs");
	for (size_t i = 0; i < fields_len; i++) {
		if (s->ranks[i] != RANK_PROFILE && !is_of_many(&fields[i]))
			return spec_refuse(err, EINVAL,
					   "--%s: is of one run; what runs "
					   "write is in their results",
					   fields[i].name);
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
	if (r == 0 && ret->phases_len > 0 && ret->argc > 0 && base->argc > 0 &&
	    ret->argv == base->argv)
		ret->argc = 0; /* a default command, which phases do not use */
	if (r == 0 && ret->argc == 0 && ret->phases_len == 0)
		return spec_refuse(err, EINVAL, "line: command is missing");
	if (r == 0 && ret->stdin_path != NULL &&
	    strcmp(ret->stdin_path, "-") == 0)
		return spec_refuse(err, EINVAL,
				   "line: stdin: '-' cannot be read by many "
				   "runs");
	return r;
}
