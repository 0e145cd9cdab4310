/* name.h -- shows file names, which are bytes.
 *
 * Reversible: a backslash becomes `\\`, a control byte and a byte that is not
 * part of well-formed UTF-8 become `\xHH`, the rest stays.  So the text is
 * valid UTF-8 on one line, and different names give different texts. */
#ifndef CUPEL_BASE_NAME_H
#define CUPEL_BASE_NAME_H

#include <stddef.h>

struct buf;

/* name_write -- append name[0..n-1] so escaped. */
void name_write(struct buf *out, const char *name, size_t n);

#endif
