/* address.h -- options that name the server, and options that are numbers. */
#ifndef CUPEL_WORKER_ADDRESS_H
#define CUPEL_WORKER_ADDRESS_H

#include <stdint.h>

#include "cli/option.h"
#include "worker/link.h"

/* worker_address_read -- read the options with which the tables of both
 * commands begin. */
void worker_address_read(const struct option_value values[],
			 struct worker_address *ret);

/* worker_number_read -- read the whole number that an option has; fallback if
 * it is not given.  Returns 0, or CLI_USAGE after one line on stderr. */
int worker_number_read(const struct option_value *v, const char *name,
		       const uint64_t range[2], uint64_t fallback,
		       uint64_t *ret);

/* worker_submit -- cupel submit; worker_work -- cupel worker.  argv[0] is the
 * command's name.  Both return the exit status. */
int worker_submit(int argc, char *argv[]);
int worker_work(int argc, char *argv[], const char *cupel);

#endif
