/* many.c -- start one command many times, so many at once; or run a batch of
 * as many lines and look at each answer.
 *
 * usage: many each PLACES RUNS COMMAND [ARG...]
 *        many lines RUNS LINES COMMAND [ARG...]
 *
 * each: as a pool does, a new start for each end, by posix_spawn.  Nothing is
 * captured.  lines: COMMAND reads the file LINES and answers on a pipe; all of
 * its output is read, and there must be RUNS whole answers, each OK.
 * Exits 0 when every run was well.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void die(const char *what)
{
	fprintf(stderr, "many: %s\n", what);
	exit(2);
}

static pid_t start(char **argv, const char *in, int out_fd)
{
	posix_spawn_file_actions_t files;
	pid_t pid;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, in, O_RDONLY, 0);
	if (out_fd >= 0)
		posix_spawn_file_actions_adddup2(&files, out_fd, 1);
	if (posix_spawn(&pid, argv[0], &files, NULL, argv, environ) != 0)
		die("cannot start the command");
	posix_spawn_file_actions_destroy(&files);
	return pid;
}

static bool is_well(int status)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void run_each(size_t places, size_t runs, char **argv)
{
	size_t started = 0, ended = 0;
	int status;

	while (ended < runs) {
		for (; started < runs && started - ended < places; started++)
			(void)start(argv, "/dev/null", -1);
		if (wait(&status) < 0)
			die("wait");
		if (!is_well(status))
			die("a run did not exit 0");
		ended++;
	}
}

/* A whole answer has its id, a result that is OK, and all its braces. */
static bool is_answer(const char *line)
{
	size_t n = strlen(line);

	return strncmp(line, "{\"id\":", 6) == 0 && n > 3 &&
	       strcmp(line + n - 3, "}}\n") == 0 &&
	       strstr(line, "\"status\":\"OK\",\"rc\":0,") != NULL &&
	       strstr(line, "\"enforced\":{") != NULL;
}

static void run_lines(size_t runs, const char *lines, char **argv)
{
	char *line = NULL;
	size_t room = 0, well = 0;
	int ends[2], status;
	FILE *from;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0)
		die("pipe");
	pid = start(argv, lines, ends[1]);
	close(ends[1]);
	from = fdopen(ends[0], "r");
	while (from != NULL && getline(&line, &room, from) > 0)
		well += is_answer(line);
	free(line);
	if (from != NULL)
		fclose(from);
	if (waitpid(pid, &status, 0) != pid || !is_well(status))
		die("the batch did not exit 0");
	if (well != runs)
		die("the batch did not answer each line with OK");
}

static size_t number_read(const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*text == '\0' || *end != '\0' || n == 0 || n > 1000000)
		die("a number is outside 1..1000000");
	return n;
}

int main(int argc, char **argv)
{
	if (argc >= 5 && strcmp(argv[1], "each") == 0)
		run_each(number_read(argv[2]), number_read(argv[3]), argv + 4);
	else if (argc >= 5 && strcmp(argv[1], "lines") == 0)
		run_lines(number_read(argv[2]), argv[3], argv + 4);
	else
		die("usage: many each PLACES RUNS COMMAND... or "
		    "many lines RUNS LINES COMMAND...");
	return 0;
}
