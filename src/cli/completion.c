/* completion.c -- cupel completion: scripts for three shells. */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "spec/help.h"

#define WORDS_MAX  32 /* of one command, the end included */
#define NAME_BYTES 32

struct words {
	const char *list[WORDS_MAX];
	char options[WORDS_MAX][NAME_BYTES];
};

/* A command's choices and options, as words. */
static void list_words(const struct command *c, struct words *w)
{
	size_t n = 0;

	for (size_t i = 0;
	     c->choices != NULL && c->choices[i] != NULL && n + 1 < WORDS_MAX;
	     i++)
		w->list[n++] = c->choices[i];
	for (size_t i = 0; c->options != NULL && c->options[i].name != NULL &&
			   n + 1 < WORDS_MAX;
	     i++) {
		(void)snprintf(w->options[i], NAME_BYTES, "--%s",
			       c->options[i].name);
		w->list[n++] = w->options[i];
	}
	w->list[n] = NULL;
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
		list_words(&commands[i], &words[i]);
		list[i].name = commands[i].name;
		list[i].help = commands[i].summary;
		list[i].takes_fields = commands[i].takes_spec;
		list[i].words = words[i].list;
	}
	if (field_write_completion(out, shell, list, commands_len) < 0)
		return cli_usage("completion: '%.80s' is none of bash, zsh, "
				 "fish",
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
