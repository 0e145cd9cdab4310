/* parse_program.h -- cupel-parse, embedded; it is started from a memory
 * file. */
#ifndef CUPEL_SERVICE_PARSE_PROGRAM_H
#define CUPEL_SERVICE_PARSE_PROGRAM_H

#include <stddef.h>

#include "cupel.h"

extern const char parse_program_bytes[];
extern const char parse_program_end[];

static inline size_t parse_program_len(void)
{
	return (size_t)(parse_program_end - parse_program_bytes);
}

/* How cupel-parse ends if it is refused memory: PARSE_EXIT_MEMORY of
 * parsers/program/parse_exit.h. */
#define PARSE_PROGRAM_MEMORY 5

/* parse_program_end_code -- as vessel_end_code() (vessel.h), of a vessel that ran
 * cupel-parse: "memory" if that was refused some, which is no limit of the
 * vessel's status.
 *
 * @rc	its exit status */
const char *parse_program_end_code(enum cupel_status status, int rc);

#endif
