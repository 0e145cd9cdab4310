/* cache_dir.h -- the user's own directory for what can be made again. */
#ifndef CUPEL_SERVICE_CACHE_DIR_H
#define CUPEL_SERVICE_CACHE_DIR_H

/* cache_dir_open -- $XDG_CACHE_HOME/cupel/NAME, or ~/.cache/cupel/NAME, made
 * 0700 when it is missing (the directory of the variable too, not those above).
 *
 * Every directory from the one that the variable names is the caller's own and
 * not for others to write; the last is for nobody else at all; none of those
 * below it is a link.
 * Returns the descriptor, owned by the caller, or -1 where that is not so.
 * Source: XDG Base Directory Specification: a relative path is ignored. */
int cache_dir_open(const char *name);

#endif
