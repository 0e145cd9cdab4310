/* help.c -- what --help prints, from the tables. */
#include <string.h>

#include "base/buf.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "spec/help.h"

#define COLUMNS 78
#define INDENT  6

/* write text below an option, folded at COLUMNS */
static void add_folded(struct buf *out, const char *text)
{
	size_t at = 0;

	while (*text != '\0') {
		size_t n = strcspn(text, " ");

		if (at != 0 && at + 1 + n > COLUMNS) {
			buf_char(out, '\n');
			at = 0;
		}
		buf_format(out, "%*s%.*s", at == 0 ? INDENT : 1, "", (int)n,
			   text);
		at += (at == 0 ? INDENT : 1) + n;
		text += n + (text[n] == ' ');
	}
	buf_char(out, '\n');
}

static void add_option(struct buf *out, const struct option_row *o)
{
	buf_format(out, "  --%s%s%s\n", o->name, o->arg != NULL ? " " : "",
		   o->arg != NULL ? o->arg : "");
	add_folded(out, o->help);
}

/* Write what `cupel NAME --help` prints. */
static void command_help(const struct command *c, struct buf *out)
{
	buf_format(out, "usage: cupel %s%s%s\n", c->name,
		   c->args[0] != '\0' ? " " : "", c->args);
	add_folded(out, c->summary);
	if (c->options != NULL) {
		buf_text(out, "\nOptions:\n");
		for (const struct option_row *o = c->options; o->name != NULL;
		     o++)
			add_option(out, o);
	}
	if (c->takes_spec) {
		buf_char(out, '\n');
		field_write_help(out);
	}
	buf_format(out, "\nSee cupel-%s(1).\n", c->name);
}

void command_help_all(struct buf *out)
{
	buf_text(out, "usage: cupel COMMAND [ARG...]\nRun untrusted code in a "
		      "vessel, and get checked facts back.\n\nCommands:\n");
	for (size_t i = 0; i < commands_len; i++)
		buf_format(out, "  %-11s %s\n", commands[i].name,
			   commands[i].summary);
	buf_text(out, "\n'cupel COMMAND --help' lists the options of a "
		      "command; the manual is cupel(1).\n");
}

int command_show_help(const char *name)
{
	owned_buf struct buf out = { 0 };
	const struct command *c = command_find(name);

	if (c == NULL)
		return command_unknown(name);
	command_help(c, &out);
	return cli_print(&out);
}

int help_command(int argc, char *argv[])
{
	owned_buf struct buf out = { 0 };

	if (argc > 2)
		return cli_usage(
			"help: expected one COMMAND, found '%.80s' after it",
			argv[2]);
	if (argc == 2 && strcmp(argv[1], "--help") != 0)
		return command_show_help(argv[1]);
	if (argc == 2)
		return command_show_help(argv[0]);
	command_help_all(&out);
	return cli_print(&out);
}
