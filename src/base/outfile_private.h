/* outfile_private.h -- between outfile.c and outfile_path.c. */
#ifndef CUPEL_BASE_OUTFILE_PRIVATE_H
#define CUPEL_BASE_OUTFILE_PRIVATE_H

#include <errno.h>

#include "base/outfile.h"

/* Two errno that no call on a file returns: the file belongs to another user;
 * a log is not a regular file. */
#define OUTFILE_NOT_OURS    EKEYREJECTED
#define OUTFILE_NOT_REGULAR EMEDIUMTYPE

/* outfile_fail -- *err (cause caller, or busy) with path and what sys means
 * here.  Returns -sys. */
int outfile_fail(struct cupel_error *err, const char *path, int sys);

/* outfile_links_are_followed -- only in the control of an attack. */
bool outfile_links_are_followed(void);

#endif
