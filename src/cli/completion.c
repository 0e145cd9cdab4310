/* completion.c -- cupel completion: scripts for three shells. */
#include <stdlib.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "spec/help.h"
#include "spec/schemas.h"

#define OPTIONS_MAX 40 /* own options of one command, including the end */
#define CHOICES_MAX 40 /* commands or schemas, including the end */

struct words {
	struct help_option options[OPTIONS_MAX];
	const char *choices[CHOICES_MAX];
};

static enum help_values values_of(enum option_values values)
{
	switch (values) {
	case VALUES_FILES:
		return HELP_FILES;
	case VALUES_DIRS:
		return HELP_DIRS;
	case VALUES_PROFILES:
		return HELP_PROFILES;
	default:
		return HELP_NOTHING;
	}
}

static enum help_values words_of(enum command_words words)
{
	switch (words) {
	case WORDS_FILES:
		return HELP_FILES;
	case WORDS_DIRS:
		return HELP_DIRS;
	case WORDS_PROFILES:
		return HELP_PROFILES;
	case WORDS_COMMAND:
		return HELP_COMMAND;
	default:
		return HELP_NOTHING;
	}
}

static void list_options(const struct command *c, struct words *w)
{
	for (size_t i = 0; c->options != NULL && c->options[i].name != NULL &&
			   i + 1 < OPTIONS_MAX;
	     i++)
		w->options[i] = (struct help_option){
			.name = c->options[i].name,
			.arg = c->options[i].arg,
			.help = c->options[i].help,
			.values = values_of(c->options[i].values),
		};
}

/* Choices that are the names of another table; NULL when the command has its
 * own. */
static const char *const *list_choices(const struct command *c, struct words *w)
{
	size_t n = 0;

	if (c->words == WORDS_COMMANDS)
		for (; n < commands_len && n + 1 < CHOICES_MAX; n++)
			w->choices[n] = commands[n].name;
	if (c->words == WORDS_SCHEMAS)
		for (; schema_text_at(n) != NULL && n + 1 < CHOICES_MAX; n++)
			w->choices[n] = schema_text_at(n)->name;
	return n > 0 ? w->choices : c->choices;
}

static int write_script(const char *shell, struct buf *out)
{
	owned_mem struct words *words = calloc(commands_len, sizeof *words);
	owned_mem struct help_command *list =
		calloc(commands_len, sizeof *list);

	if (words == NULL || list == NULL) {
		cli_complain("completion: no memory");
		return CLI_FAILED;
	}
	for (size_t i = 0; i < commands_len; i++) {
		const struct command *c = &commands[i];

		list_options(c, &words[i]);
		list[i] = (struct help_command){
			.name = c->name,
			.help = c->summary,
			.takes_fields = c->takes_spec,
			.options = words[i].options,
			.choices = list_choices(c, &words[i]),
			.words = words_of(c->words),
		};
	}
	if (field_write_completion(out, shell, list, commands_len) < 0)
		return cli_usage(
			"completion: expected bash, zsh or fish, found '%.80s'",
			shell);
	return cli_print(out);
}

int completion_command(int argc, char *argv[])
{
	owned_buf struct buf out = { 0 };
	const char *word = argc > 1 ? argv[1] : "";

	if (argc != 2)
		return cli_usage("completion: expected one of bash, zsh, fish");
	return write_script(word, &out);
}
