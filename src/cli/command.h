/* command.h -- the one table of commands, which dispatch, help, completion and
 * man pages read. */
#ifndef CUPEL_CLI_COMMAND_H
#define CUPEL_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/option.h"

struct buf;

/* What the words after the options are, for completion.  If the command has
 * choices, these words follow them. */
enum command_words {
	WORDS_NONE,
	WORDS_FILES,
	WORDS_DIRS,
	WORDS_PROFILES, /* shipped ones, and files */
	WORDS_COMMAND,  /* a command line to run inside */
	WORDS_COMMANDS, /* a row of this table */
	WORDS_SCHEMAS,  /* the name of a schema */
};

struct command {
	const char *name;
	const char *args;    /* "[OPTIONS] [--] COMMAND [ARG...]" */
	const char *summary; /* one line, no full stop */
	/* argv[0] is the command's name; returns the exit status */
	int (*run)(int argc, char *argv[]);
	bool takes_spec; /* the options of spec/field.c */
	/* its own options; ends with a row without a name; may be NULL */
	const struct option_row *options;
	enum command_words words;
	/* for the first word; NULL-terminated */
	const char *const *choices;
};

extern const struct command commands[];
extern const size_t commands_len;

/* command_find -- the row of that name, or NULL. */
const struct command *command_find(const char *name);

/* command_unknown -- complain of an unknown name, and name the known one that
 * it resembles; returns the exit status. */
int command_unknown(const char *name);

/* command_help_all -- what `cupel --help` prints, to out. */
void command_help_all(struct buf *out);

/* command_show_help -- command_help() of that name to stdout; returns the
 * exit status. */
int command_show_help(const char *name);

/* The commands.  argv[0] is the name; each returns the exit status. */
int run_command(int argc, char *argv[]);
int batch_command(int argc, char *argv[]);
int worker_command(int argc, char *argv[]);
int submit_command(int argc, char *argv[]);
int plan_command(int argc, char *argv[]);
int validate_command(int argc, char *argv[]);
int doctor_command(int argc, char *argv[]);
int shell_command(int argc, char *argv[]);
int profile_command(int argc, char *argv[]);
int schema_command(int argc, char *argv[]);
int confirm_command(int argc, char *argv[]);
int probe_command(int argc, char *argv[]);
int gather_command(int argc, char *argv[]);
int report_command(int argc, char *argv[]);
int egress_command(int argc, char *argv[]);
int trace_command(int argc, char *argv[]);
int audit_command(int argc, char *argv[]);
int gate_command(int argc, char *argv[]);
int explain_command(int argc, char *argv[]);
int completion_command(int argc, char *argv[]);
int help_command(int argc, char *argv[]);

/* The commands' own options, which are listed before those of a spec. */
extern const struct option_row batch_options[];
extern const struct option_row worker_options[];
extern const struct option_row submit_options[];
extern const struct option_row validate_options[];
extern const struct option_row doctor_options[];
extern const struct option_row confirm_options[];
extern const struct option_row probe_options[];
extern const struct option_row gather_options[];
extern const struct option_row explain_options[];
extern const struct option_row gate_options[];

#endif
