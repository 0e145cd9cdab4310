/* counts.h -- see counts.c.  What the files here share, for they are linked as
 * an archive: who needs a part has it. */
#ifndef CUPEL_COVERAGE_COUNTS_H
#define CUPEL_COVERAGE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

/* Sparse, and as large as this so that hardly ever two images have one part:
 * report.py says so when it happens, and knows these numbers. */
#define COUNTS_PARTS      (UINT64_C(1) << 23)
#define COUNTS_PART_BYTES (UINT64_C(1) << 20)

#ifndef COUNTS_FILE /* of the builder's */
#define COUNTS_FILE "/nonexistent"
#endif

/* Descriptors in vessels whose command is ours: behind its one input, and
 * behind a template's three. */
#define GIVEN_TO_PARSER   5
#define GIVEN_TO_TEMPLATE 7

/* counts_open -- the file, or -errno. */
int counts_open(void);

/* counts_is_file -- by its size, which no other file has. */
int counts_is_file(int fd);

/* counts_start -- from here on this process counts in the file; again is fine.
 * @given_fd	where it may be if it cannot be opened, and then closed; or -1 */
void counts_start(int given_fd);

#endif
