/* request.h -- makes a spec of the library from a command line. */
#ifndef CUPEL_CLI_REQUEST_H
#define CUPEL_CLI_REQUEST_H

struct cupel_spec;
struct spec;

struct request {
	struct cupel_spec *spec;
	const struct spec *fields; /* the same, to look at; borrowed */
};

/* request_read -- read the options and the command of `cupel run` and similar
 * commands.
 *
 * @argv	argv[0] is the command's name
 * @ret		zeroed by the caller; request_done() frees it
 * @ret_exit	exit status when there is nothing more to do: --help was
 *		printed, or one line about an error
 *
 * Returns whether *ret can be used; *ret_exit is set when it cannot. */
int request_read(int argc, char *argv[], struct request *ret, int *ret_exit);
void request_done(struct request *r);

/* request_usage_rc -- the exit status of a usage error: the value of
 * --error-rc, wherever it appears, or 2. */
int request_usage_rc(const struct request *r, int argc, char *const argv[]);

#endif
