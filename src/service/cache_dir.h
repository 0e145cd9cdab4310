/* cache_dir.h -- the user's own directory for files that can be made again. */
#ifndef CUPEL_SERVICE_CACHE_DIR_H
#define CUPEL_SERVICE_CACHE_DIR_H

/* cache_dir_open -- open $XDG_CACHE_HOME/cupel/NAME or ~/.cache/cupel/NAME.  It
 * is made with mode 0700 if it is missing, and so is the directory of the
 * variable, but not the directories above it.
 *
 * Every directory, beginning with the one that the variable names, must belong
 * to the caller and not be writable for others.  Nobody else may have any
 * access to the last one.  No directory below the variable's may be a link.
 * Returns the descriptor, owned by the caller, or -1 if this is not so.
 * Source: XDG Base Directory Specification: a relative path is ignored. */
int cache_dir_open(const char *name);

#endif
