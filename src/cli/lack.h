/* lack.h -- what a failed command seems to have lacked, for one line of advice.
 *
 * The words that a command printed are a guess, and anybody inside can print them: so
 * nothing but a line of advice may depend on them, and nothing of them is in it. */
#ifndef CUPEL_CLI_LACK_H
#define CUPEL_CLI_LACK_H

#include <stdbool.h>

struct spec;

/* lack_says -- whether text (NULL: nothing) has one of the words that
 * profiles/data/advice-words.txt has by the topic. */
bool lack_says(const char *text, const char *topic);

/* lack_find_path -- the advice for a command that printed text and did not find a file
 * by the path that the repository has on the host, where the vessel does not have it;
 * NULL for none. */
const char *lack_find_path(const char *text, const struct spec *spec);

/* lack_find_owner -- the advice for a command that printed text and did not change a
 * file in the overlay of a repository that has files of others; NULL for none. */
const char *lack_find_owner(const char *text, const struct spec *spec);

/* lack_find -- the advice for a command that printed text, run over repo (NULL: the
 * current directory), and lacked what cannot be fetched without a network; NULL for
 * none. */
const char *lack_find(const char *text, const char *repo);

#endif
