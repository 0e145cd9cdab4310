/* help.h -- the help texts of the options, made from the table alone.
 *
 * Pure: each function appends to a buffer; the cli prints. */
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
 * shown as one, and no line becomes a control line. */
void help_write_roff(struct buf *out, const char *text);

/* What a word completes to. */
enum help_values {
	HELP_NOTHING,
	HELP_FILES,
	HELP_DIRS,
	HELP_PROFILES, /* the shipped ones, and files */
	HELP_WORDS,    /* the words of an enumeration */
	HELP_COMMAND,  /* a command line to run inside */
};

/* An option that belongs to one subcommand. */
struct help_option {
	const char *name; /* "jobs"; NULL ends a list */
	const char *arg;  /* "N"; NULL for a flag */
	const char *help; /* one line, no full stop */
	enum help_values values;
};

/* A subcommand as completions see it; the cli owns the list. */
struct help_command {
	const char *name;
	const char *help;  /* one line, no full stop */
	bool takes_fields; /* it takes the options of the table */
	const struct help_option *options; /* NULL when it has none */
	const char *const
		*choices;       /* for its first word; NULL-ended, or NULL */
	enum help_values words; /* for its other words, or for all */
};

/* field_write_completion -- a completion script for "bash", "zsh" or "fish".
 * Returns 0, or -EINVAL for another shell. */
int field_write_completion(struct buf *out, const char *shell,
			   const struct help_command *commands, size_t n);

#endif
