/* completion.c -- what completion scripts are made from; see help.h. */
#include "spec/completion.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "spec/field.h"
#include "spec/profile.h"

static enum help_values values_of(const struct field *f)
{
	if (f->type == FIELD_PROFILE)
		return HELP_PROFILES;
	if (f->type == FIELD_ENUM)
		return HELP_WORDS;
	if (f->flags & FIELD_IS_DIR)
		return HELP_DIRS;
	return f->flags & FIELD_IS_FILE ? HELP_FILES : HELP_NOTHING;
}

static void of_field(const struct field *f, struct complete *ret)
{
	*ret = (struct complete){
		.name = f->name,
		.arg = f->arg,
		.help = f->help,
		.values = values_of(f),
		.field = f,
		.is_optional = (f->flags & FIELD_OPT_ARG) != 0,
		.repeats = f->type == FIELD_LIST || f->type == FIELD_RLIMIT,
	};
}

/* The i-th row of the table that is an option of the command line. */
static const struct field *option_at(size_t i)
{
	for (size_t at = 0; at < fields_len; at++)
		if (field_is_option(&fields[at]) && i-- == 0)
			return &fields[at];
	return NULL;
}

bool complete_find(const struct help_command *c, size_t i, struct complete *ret)
{
	const struct help_option *own = c->options;
	const struct field *f;
	size_t n = 0;

	for (; own != NULL && own[n].name != NULL; n++) {
		if (n < i)
			continue;
		*ret = (struct complete){ .name = own[n].name,
					  .arg = own[n].arg,
					  .help = own[n].help,
					  .values = own[n].values };
		return true;
	}
	f = c->takes_fields ? option_at(i - n) : NULL;
	if (f == NULL)
		return false;
	of_field(f, ret);
	return true;
}

void complete_write_words(struct buf *out, const struct complete *o)
{
	for (const struct field_word *w = o->field->words; w->name; w++)
		if (!w->is_later)
			buf_format(out, " %s", w->name);
}

void complete_write_profiles(struct buf *out)
{
	for (size_t i = 0; profile_at(i) != NULL; i++)
		buf_format(out, " %s", profile_at(i)->name);
}

void complete_write_quoted(struct buf *out, const char *text,
			   const char *special)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			buf_text(out, "'\\''");
		else if (strchr(special, *text) != NULL)
			buf_format(out, "\\%c", *text);
		else
			buf_char(out, *text);
	}
}

int field_write_completion(struct buf *out, const char *shell,
			   const struct help_command *commands, size_t n)
{
	static const struct {
		const char *shell;
		void (*write)(struct buf *out, const struct help_command *c,
			      size_t n);
	} shells[] = {
		{ "bash", complete_write_bash },
		{ "zsh", complete_write_zsh },
		{ "fish", complete_write_fish },
	};

	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
		if (strcmp(shells[i].shell, shell) != 0)
			continue;
		shells[i].write(out, commands, n);
		return 0;
	}
	return -EINVAL;
}
