/* main.c -- the program: finds the command and runs it. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/stop.h"
#include "cupel.h"

/* If descriptor 0, 1 or 2 is closed, the next opened file would get its number.
 * Put something there that fails when it is used, as a closed one does. */
static void hold_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null",
				   fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static int print_version(void)
{
	owned_buf struct buf out = { 0 };

	buf_format(&out, "cupel %s\n", cupel_version());
	return cli_print(&out);
}

static int print_help(void)
{
	owned_buf struct buf out = { 0 };

	command_help_all(&out);
	return cli_print(&out);
}

static int run_global(const char *word, int argc)
{
	if (argc == 2 && strcmp(word, "--version") == 0)
		return print_version();
	if (argc == 2 &&
	    (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0))
		return print_help();
	return cli_usage("unknown option '%.80s'; see 'cupel --help'", word);
}

/* Whether --help was given to a command that has no options of its own. */
static bool wants_help(const struct command *c, int argc, char *argv[])
{
	if (c->takes_spec || c->options != NULL)
		return false;
	for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--help") == 0)
			return true;
	return false;
}

int main(int argc, char *argv[])
{
	const struct command *c;

	hold_descriptors();
	/* write(2) then reports that a reader went away, or that a file may grow
	 * no more; a command starts with the default of every signal */
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	stop_unblock();
	if (argc < 2)
		return cli_usage("no command given; see 'cupel --help'");
	if (argv[1][0] == '-')
		return run_global(argv[1], argc);
	c = command_find(argv[1]);
	if (c == NULL)
		return command_unknown(argv[1]);
	if (wants_help(c, argc, argv))
		return command_show_help(c->name);
	return c->run(argc - 1, argv + 1);
}
