/* cli.h -- what the files of the command share.
 *
 * Room: cli.
 *
 * Must:     print, read the caller's files, exit
 *           make every byte that came from inside harmless before it reaches
 *           a terminal
 * Must not: know how a vessel is built: a run goes through cupel.h
 *           read, open or allocate on the way of `cupel run` what that run
 *           does not use
 */
#ifndef CUPEL_CLI_CLI_H
#define CUPEL_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct cupel_error;

/* Exit statuses of every command; `cupel run` exits with the command's. */
enum cli_exit {
	CLI_OK = 0,
	CLI_FAILED = 1,
	CLI_USAGE = 2,
	CLI_HOST = 3, /* this host cannot do it */
};

/* cli_complain -- write "cupel: " and one line to stderr, printable whatever
 * the arguments contain. */
void cli_complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* cli_usage -- the same, but returns CLI_USAGE, for `return cli_usage(`. */
int cli_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* cli_fail -- complain with err->what.  Returns CLI_USAGE for cause caller,
 * CLI_HOST for cause host, else CLI_FAILED. */
int cli_fail(const struct cupel_error *err);

/* cli_write -- write all n bytes to fd, even when write(2) is partial,
 * interrupted, or the descriptor does not block.  Returns 0 or -errno. */
int cli_write(int fd, const char *bytes, size_t n);

/* cli_print -- write out to stdout.  Returns CLI_OK; CLI_FAILED with a
 * complaint when the bytes cannot be written (silent on EPIPE) or out had
 * failed. */
int cli_print(const struct buf *out);

#endif
