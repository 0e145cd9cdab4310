/* help.h -- what people read about the options, from the table alone.
 *
 * Pure: each appends to a buffer; the cli prints. */
#ifndef CUPEL_SPEC_HELP_H
#define CUPEL_SPEC_HELP_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* field_write_help -- the option list of --help, by groups, 80 columns. */
void field_write_help(struct buf *out);

/* field_write_man -- the option list of cupel-run(1): a .SS for each group, a
 * .TP for each option, with its JSON key's range.  Source: man(7). */
void field_write_man(struct buf *out);

/* help_write_roff -- text for man(7): each '-' can be copied, a backslash is
 * one, no line is a control line. */
void help_write_roff(struct buf *out, const char *text);

/* A subcommand, as completions need to know it; the cli owns the list. */
struct help_command {
	const char *name;
	const char *help;         /* one line, no full stop */
	bool takes_fields;        /* the options of the table */
	const char *const *words; /* its own options, "--jobs"; NULL-ended;
				   * NULL when it has none */
};

/* field_write_completion -- a completion script for "bash", "zsh" or "fish".
 * Returns 0, or -EINVAL for another shell. */
int field_write_completion(struct buf *out, const char *shell,
			   const struct help_command *commands, size_t n);

#endif
