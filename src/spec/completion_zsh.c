/* completion_zsh.c -- the completion script for zsh.
 *
 * Source: zshcompsys(1). */
#include "base/buf.h"
#include "spec/completion.h"

static const char *action(enum help_values values)
{
	static const char *const actions[] = {
		[HELP_NOTHING] = "",       [HELP_FILES] = "_files",
		[HELP_DIRS] = "_files -/", [HELP_PROFILES] = "_cupel_profiles",
		[HELP_WORDS] = "",         [HELP_COMMAND] = "_normal",
	};

	return actions[values];
}

/* One line for _arguments. */
static void write_option(struct buf *out, const struct complete *o)
{
	buf_format(out, "\t\t'%s--%s%s[", o->repeats ? "*" : "", o->name,
		   o->is_optional   ? "=-"
		   : o->arg != NULL ? "="
				    : "");
	complete_write_quoted(out, o->help, "[]:\\");
	buf_char(out, ']');
	if (o->arg != NULL) {
		buf_text(out, o->is_optional ? "::" : ":");
		complete_write_quoted(out, o->arg, ":\\");
		buf_char(out, ':');
		if (o->values == HELP_WORDS) {
			buf_char(out, '(');
			complete_write_words(out, o);
			buf_char(out, ')');
		} else {
			buf_text(out, action(o->values));
		}
	}
	buf_text(out, "'\n");
}

static void write_options(struct buf *out, const struct help_command *c)
{
	struct complete o;

	for (size_t i = 0; complete_find(c, i, &o); i++)
		write_option(out, &o);
}

/* Write the words of a command that follow its options, and the call. */
static void write_command(struct buf *out, const struct help_command *c)
{
	struct help_command own = *c;

	own.takes_fields = false;
	buf_format(out, "\t%s) spec=(\n", c->name);
	write_options(out, &own);
	if (c->choices != NULL) {
		buf_text(out, "\t\t'1:word:(");
		for (size_t i = 0; c->choices[i] != NULL; i++)
			buf_format(out, "%s%s", i > 0 ? " " : "",
				   c->choices[i]);
		buf_text(out, ")'\n");
	}
	if (c->words == HELP_COMMAND)
		buf_text(out, "\t\t'*::command:_normal'\n");
	else if (c->words != HELP_NOTHING)
		buf_format(out, "\t\t'*:word:%s'\n", action(c->words));
	buf_format(out, "\t\t)%s ;;\n",
		   c->takes_fields ? "; spec=($fields $spec)" : "");
}

void complete_write_zsh(struct buf *out, const struct help_command *commands,
			size_t n)
{
	static const struct help_command table = { .takes_fields = true };

	buf_text(out, "#compdef cupel\n\n_cupel_profiles()\n{\n"
		      "\tcompadd --");
	complete_write_profiles(out);
	buf_text(out, "\n\t_files\n}\n\n_cupel()\n{\n"
		      "\tlocal -a spec fields commands=(\n");
	for (size_t i = 0; i < n; i++) {
		buf_format(out, "\t\t'%s:", commands[i].name);
		complete_write_quoted(out, commands[i].help, ":\\");
		buf_text(out, "'\n");
	}
	buf_text(out, "\t)\n\tif ((CURRENT == 2)); then\n"
		      "\t\t_describe command commands\n\t\treturn\n\tfi\n"
		      "\tfields=(\n");
	write_options(out, &table);
	buf_text(out, "\t)\n\tshift words\n\t((CURRENT--))\n"
		      "\tcase $words[1] in\n");
	for (size_t i = 0; i < n; i++)
		write_command(out, &commands[i]);
	buf_text(out, "\t*) return 1 ;;\n\tesac\n"
		      "\t_arguments $spec\n}\n\n_cupel \"$@\"\n");
}
