/* streams.h -- the source of a run's stdin and the targets of its output. */
#ifndef CUPEL_CLI_STREAMS_H
#define CUPEL_CLI_STREAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/outfile.h"
#include "cli/pass.h"

struct cupel_error;
struct spec;

struct streams {
	int stdin_fd; /* -1: empty */
	bool owns_stdin;
	struct pass out, errs; /* fd -1: not wanted */
	/* --stdout and --stderr: new files, or a file that is written in
	 * place */
	struct outfile out_file, errs_file;
};

/* streams_open -- open what the request names.
 *
 * @ret		streams_done() frees it, on failure too
 * Returns 0 or -errno, *err naming the option. */
int streams_open(const struct spec *spec, struct streams *ret,
		 struct cupel_error *err);

/* streams_put -- give the files of --stdout and --stderr their names, replacing
 * what has them.  Call it once the run has started, so that a request that
 * starts nothing loses nothing.  Returns 0 or -errno, *err naming the
 * option. */
int streams_put(const struct spec *spec, struct streams *s,
		struct cupel_error *err);

/* streams_take -- a cupel_hooks.output callback; data is the struct streams. */
void streams_take(void *data, int stream, const char *bytes, size_t n);

/* streams_wait -- wait until run_fd is readable or output can be sent, and
 * send it.  A signal ends the wait, too. */
void streams_wait(struct streams *s, int run_fd);

/* streams_lost -- the -errno of the first stream that could not be written,
 * except for a reader that went away; 0 if none.  *ret_name is its name. */
int streams_lost(const struct streams *s, const char **ret_name);

void streams_done(struct streams *s);

#endif
