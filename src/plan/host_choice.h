/* host_choice.h -- reads the small files in which a version is chosen. */
#ifndef CUPEL_PLAN_HOST_CHOICE_H
#define CUPEL_PLAN_HOST_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#define CHOICE_WORD 64 /* of a version's name, with its end */

/* choice_read -- the first room - 1 bytes of dir/name, a regular file; a link at
 * the end is not followed.  The file may be a stranger's.
 *
 * @ret		room bytes, ended with a zero
 *
 * Returns whether there is such a file with at least one byte. */
bool choice_read(const char *dir, const char *name, char *ret, size_t room);

/* choice_is_word -- whether word has only letters, digits and ".+_-", begins with
 * neither '.' nor '-', and is not empty or as long as CHOICE_WORD: the name of a
 * version, and never a path. */
bool choice_is_word(const char *word);

#endif
