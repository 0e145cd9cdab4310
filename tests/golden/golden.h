/* golden.h -- texts that are held to files of tests/golden.  UPDATE_GOLDEN=1 in
 * the environment writes the files anew; their diff is what a review reads.
 * What differs is printed, line by line. */
#ifndef CUPEL_TESTS_GOLDEN_GOLDEN_H
#define CUPEL_TESTS_GOLDEN_GOLDEN_H

#include <stdbool.h>

struct buf;

/* golden_read -- add the file NAME, "plans/abi-1.diff", to out.  Returns whether it
 * is there. */
bool golden_read(const char *name, struct buf *out);

/* golden_is -- whether the file NAME says exactly what got does. */
bool golden_is(const char *name, const struct buf *got);

/* golden_is_diff -- whether the file NAME says exactly how the JSON text got
 * differs from the JSON text base (json_diff.h).  Two that do not differ need no
 * file: that is an error. */
bool golden_is_diff(const char *name, const struct buf *base,
		    const struct buf *got);

/* golden_is_all -- whether every file of folder has been asked for by golden_is()
 * or golden_is_diff(). */
bool golden_is_all(const char *folder);

#endif
