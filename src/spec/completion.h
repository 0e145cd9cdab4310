/* completion.h -- what the writers of completion scripts share.
 *
 * Not for other rooms: they see help.h.
 * */
#ifndef CUPEL_SPEC_COMPLETION_H
#define CUPEL_SPEC_COMPLETION_H

#include <stdbool.h>
#include <stddef.h>

#include "spec/help.h"

struct buf;
struct field;

/* An option as a completion needs it, from whichever table. */
struct complete {
	const char *name, *arg, *help;
	enum help_values values;
	const struct field
		*field;   /* for HELP_WORDS: the row with the words; or NULL */
	bool is_optional; /* its argument is given only as --name=ARG */
	bool repeats;
};

/* complete_find -- option i of a command: first its own options, then those of
 * the table of fields if it takes them.
 * Returns false past the last. */
bool complete_find(const struct help_command *c, size_t i,
		   struct complete *ret);

/* complete_write_words -- the words of an enumeration, each after a blank. */
void complete_write_words(struct buf *out, const struct complete *o);

/* complete_write_profiles -- the shipped profiles, each after a blank. */
void complete_write_profiles(struct buf *out);

/* complete_write_quoted -- text within '...', with a backslash before each
 * character of special. */
void complete_write_quoted(struct buf *out, const char *text,
			   const char *special);

/* A script for each shell. */
void complete_write_bash(struct buf *out, const struct help_command *commands,
			 size_t n);
void complete_write_zsh(struct buf *out, const struct help_command *commands,
			size_t n);
void complete_write_fish(struct buf *out, const struct help_command *commands,
			 size_t n);

#endif
