/* args.c -- the request from a command line. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/near.h"
#include "spec/put.h"

#define PLACE_MAX (FIELD_KEY_MAX + 8)

static void write_place(const struct field *f, char place[PLACE_MAX])
{
	(void)snprintf(place, PLACE_MAX, "--%s", f->name);
}

/* Complain of an unknown option, and name the known one that it resembles. */
static int refuse_unknown(const char *word, struct cupel_error *err)
{
	char name[FIELD_KEY_MAX] = "";
	struct near near = { .name = name };
	size_t n = strcspn(word, "=");

	if (n > 2 && n - 2 < sizeof name && word[1] == '-')
		memcpy(name, word + 2, n - 2);
	for (size_t i = 0; i < fields_len; i++)
		if (field_is_option(&fields[i]))
			near_note(&near, fields[i].name);
	if (near.best == NULL)
		return spec_refuse(err, EINVAL, "unknown option '%.80s'", word);
	return spec_refuse(err, EINVAL,
			   "unknown option '%.80s', did you mean '--%s'?", word,
			   near.best);
}

/* Split "name" or "name=value"; *ret_value is NULL without '='. */
static const struct field *match_option(const char *word,
					const char **ret_value)
{
	char name[FIELD_KEY_MAX];
	const char *eq = strchr(word, '=');
	size_t len = eq != NULL ? (size_t)(eq - word) : strlen(word);
	const struct field *f;

	if (len >= sizeof name)
		return NULL;
	memcpy(name, word, len);
	name[len] = '\0';
	f = field_find(name);
	if (f == NULL || !field_is_option(f))
		return NULL;
	*ret_value = eq != NULL ? eq + 1 : NULL;
	return f;
}

/* Whether the option's value is the next word when it has no '='. */
static bool wants_word(const struct field *f)
{
	return f->arg != NULL && (f->flags & FIELD_OPT_ARG) == 0;
}

int spec_read_args(int argc, char *const argv[], struct spec *s, int *ret_rest,
		   struct cupel_error *err)
{
	int i = 1;

	for (; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i++) {
		char place[PLACE_MAX];
		struct put p = { s, RANK_OPTION, place };
		const char *value = NULL;
		const struct field *f = NULL;
		int r;

		if (strcmp(argv[i], "--") == 0) {
			i++;
			break;
		}
		if (argv[i][1] == '-')
			f = match_option(argv[i] + 2, &value);
		if (f == NULL)
			return refuse_unknown(argv[i], err);
		if (f->type == FIELD_HELP && value == NULL)
			return SPEC_WANTS_HELP;
		if (value == NULL && wants_word(f) && i + 1 < argc)
			value = argv[++i];
		write_place(f, place);
		r = put_text(&p, f, value, err);
		if (r < 0)
			return r;
	}
	*ret_rest = i;
	return 0;
}

int spec_set(struct spec *s, const char *name, const char *text,
	     struct cupel_error *err)
{
	char place[PLACE_MAX];
	struct put p = { s, RANK_OPTION, place };
	const struct field *f = field_find(name);

	if (f == NULL || !field_is_option(f) || f->type == FIELD_HELP)
		return spec_refuse(err, EINVAL, "unknown option '--%.80s'",
				   name);
	write_place(f, place);
	return put_text(&p, f, text, err);
}

/* W3C Trace Context 3.2: two digits, trace id, parent id, flags. */
int spec_read_traceparent(const char *text, char ret_id[33])
{
	static const size_t widths[] = { 2, 32, 16, 2 };
	static const char digits[] = "0123456789abcdef";
	const char *at = text;

	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		if (strspn(at, digits) != widths[i])
			return -EINVAL;
		at += widths[i];
		/* a later version may add more after the flags */
		if (*at != '-' && !(i == 3 && *at == '\0'))
			return -EINVAL;
		at += *at == '-';
	}
	if (strncmp(text, "ff", 2) == 0 || strspn(text + 3, "0") >= 32)
		return -EINVAL;
	memcpy(ret_id, text + 3, 32);
	ret_id[32] = '\0';
	return 0;
}

int spec_set_command(struct spec *s, const char *const argv[], size_t argc,
		     struct cupel_error *err)
{
	const char **copy;

	if (argc == 0)
		return 0;
	copy = arena_array(&s->arena, argc + 1, sizeof *copy);
	for (size_t i = 0; copy != NULL && i < argc; i++) {
		copy[i] = arena_text(&s->arena, argv[i]);
		if (copy[i] == NULL)
			copy = NULL;
	}
	if (copy == NULL)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for the command");
	s->argv = copy;
	s->argc = argc;
	s->argv_rank = RANK_OPTION;
	return 0;
}
