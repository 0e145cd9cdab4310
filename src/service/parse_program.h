/* parse_program.h -- cupel-parse, embedded; it is started from a memory
 * file. */
#ifndef CUPEL_SERVICE_PARSE_PROGRAM_H
#define CUPEL_SERVICE_PARSE_PROGRAM_H

#include <stddef.h>

extern const char parse_program_bytes[];
extern const char parse_program_end[];

static inline size_t parse_program_len(void)
{
	return (size_t)(parse_program_end - parse_program_bytes);
}

#endif
