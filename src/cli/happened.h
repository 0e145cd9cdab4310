/* happened.h -- what `cupel egress` and `cupel trace` share. */
#ifndef CUPEL_CLI_HAPPENED_H
#define CUPEL_CLI_HAPPENED_H

#include <stdbool.h>

#include "jobs/trace/happened.h"

/* cli_happened_read -- read the result in path, or from stdin for "-".
 *
 * @what	for messages: "trace diff"
 * @ret		zeroed by the caller; happened_done() frees it, on failure too
 * Returns CLI_OK, or an exit status after one line on stderr. */
int cli_happened_read(const char *what, const char *path, struct happened *ret);

/* cli_happened_words -- look for options in argv[2..]; --help is handled
 * elsewhere.
 *
 * @flag	the one known option, which is counted: "--json"; NULL: none
 * @ret		the exit status if the command has ended
 * Returns whether it has ended, because of an unknown option. */
bool cli_happened_words(const char *what, int argc, char *argv[],
			const char *flag, int *ret);

#endif
