/* profile.c -- cupel profile: list, show, check, find. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "boundary/json.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/fit.h"
#include "cli/load.h"
#include "spec/profile.h"
#include "spec/spec.h"

static void add_about(const struct data_text *text, struct buf *out)
{
	struct arena arena = { 0 };
	struct json_value v;
	struct json_error err;
	const struct json_value *about = NULL;

	if (json_parse(text->bytes, text->len, NULL, &arena, &v, &err) == 0)
		about = json_find(&v, "about");
	buf_format(out, "%-16s %s\n", text->name,
		   about != NULL && about->type == JSON_STRING
			   ? about->u.string.bytes
			   : "");
	arena_done(&arena);
}

static int list_profiles(struct buf *out)
{
	for (size_t i = 0; profile_at(i) != NULL; i++)
		add_about(profile_at(i), out);
	return cli_print(out);
}

static int show_all(struct buf *out)
{
	struct cupel_error err = { 0 };

	if (profile_write_table(out, &err) < 0)
		return cli_fail(&err);
	return cli_print(out);
}

static int show_profile(const char *name, struct buf *out)
{
	struct cupel_error err = { 0 };
	struct spec spec = { 0 };
	int r = spec_init(&spec, &err);

	spec.load = load_file;
	if (r == 0)
		r = spec_set(&spec, "profile", name, &err);
	if (r == 0)
		profile_write_json(&spec, out);
	spec_done(&spec);
	return r < 0 ? cli_fail(&err) : cli_print(out);
}

static int check_profile(const char *path)
{
	owned_buf struct buf text = { 0 };
	struct cupel_error err = { 0 };

	if (load_file(NULL, path, &text, &err) < 0 ||
	    profile_check(text.bytes, text.len, path, &err) < 0)
		return cli_fail(&err);
	return CLI_OK;
}

/* The word as a shell reads it. */
static void word_add(struct buf *out, const char *word)
{
	if (word[0] != '\0' &&
	    strpbrk(word, " \t\n'\"\\$`|&;<>()*?[]{}~#!") == NULL) {
		buf_text(out, word);
		return;
	}
	buf_char(out, '\'');
	for (; *word != '\0'; word++)
		if (*word == '\'')
			buf_text(out, "'\\''");
		else
			buf_char(out, *word);
	buf_char(out, '\'');
}

/* Say to a person why, and what to type next. */
static void fit_say(const struct fit *fit, const char *repo,
		    const char *command)
{
	owned_buf struct buf why = { 0 };
	owned_buf struct buf run = { 0 };

	if (fit->word[0] != '\0')
		buf_format(&why, "the command has '%s'", fit->word);
	else if (fit->file[0] != '\0')
		buf_format(&why, "the repository has %s", fit->file);
	else
		buf_text(&why, "no known runner is in the command or in the "
			       "repository, so only the exit status counts; "
			       "with --repo-mode overlay the command can write "
			       "into the repository");
	buf_format(&run, "cupel run --profile %s", fit->profile);
	if (strcmp(repo, ".") != 0) {
		buf_text(&run, " --repo ");
		word_add(&run, repo);
	}
	buf_format(&run, " -- %s", command);
	if (!buf_has_failed(&why) && !buf_has_failed(&run))
		fprintf(stderr, "cupel: %s: %s\ncupel: try: %s\n", fit->profile,
			why.bytes, run.bytes);
}

static int find_profile(const char *repo, const char *command, bool is_person,
			struct buf *out)
{
	struct cupel_error err = { 0 };
	struct fit fit;

	if (fit_find(repo, command, &fit, &err) < 0)
		return cli_fail(&err);
	if (is_person)
		fit_say(&fit, repo, command);
	buf_format(out, "%s\n", fit.profile);
	return cli_print(out);
}

/* [REPO [COMMAND]], or [REPO] -- COMMAND [ARG...]. */
static int find_words(int argc, char *argv[], struct buf *out)
{
	owned_buf struct buf command = { 0 };
	int at = 0;

	while (at < argc && strcmp(argv[at], "--") != 0)
		at++;
	if (at == argc && argc <= 2)
		return find_profile(argc > 0 ? argv[0] : ".",
				    argc > 1 ? argv[1] : NULL, false, out);
	if (at == argc || at > 1)
		return cli_usage("profile find: a command of several words "
				 "stands behind '--': cupel profile find -- "
				 "make check");
	if (at + 1 == argc)
		return cli_usage("profile find: '--' needs a command behind "
				 "it");
	for (int i = at + 1; i < argc; i++) {
		buf_text(&command, i > at + 1 ? " " : "");
		word_add(&command, argv[i]);
	}
	if (buf_has_failed(&command))
		return cli_usage("profile find: the command is too long");
	return find_profile(at > 0 ? argv[0] : ".", command.bytes, true, out);
}

int profile_command(int argc, char *argv[])
{
	owned_buf struct buf out = { 0 };
	const char *verb = argc > 1 ? argv[1] : "";

	if (strcmp(verb, "list") == 0 && argc == 2)
		return list_profiles(&out);
	if (strcmp(verb, "show") == 0 && argc == 2)
		return show_all(&out);
	if (strcmp(verb, "show") == 0 && argc == 3)
		return show_profile(argv[2], &out);
	if (strcmp(verb, "check") == 0 && argc == 3)
		return check_profile(argv[2]);
	if (strcmp(verb, "find") == 0)
		return find_words(argc - 2, argv + 2, &out);
	if (strcmp(verb, "check") == 0 && argc < 3)
		return cli_usage("profile check: expected FILE after it");
	return cli_usage("profile: expected list, show [NAME|FILE], "
			 "check FILE or find [REPO] [-- COMMAND], not '%.80s'",
			 argc > 3 ? argv[argc - 1] : verb);
}
