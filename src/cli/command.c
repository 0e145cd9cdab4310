/* command.c -- the table of commands. */
#include "cli/command.h"

#include <string.h>

#include "base/near.h"
#include "cli/cli.h"

static const char *const profile_choices[] = { "list", "show", "check", "find",
					       NULL };
static const char *const report_choices[] = { "junit", NULL };
static const char *const egress_choices[] = { "rules", NULL };
static const char *const trace_choices[] = { "show", "diff", NULL };
static const char *const audit_choices[] = { "verify", NULL };
static const char *const gate_choices[] = {
	"run", "baseline", "list", "show", "verify", "attest", "gc", NULL,
};
static const char *const completion_choices[] = { "bash", "zsh", "fish", NULL };

/* clang-format off */
const struct command commands[] = {
	{ "run", "[OPTIONS] [--] COMMAND [ARG...]",
	  "run a command in a vessel",
	  run_command, true, NULL, WORDS_COMMAND, NULL },
	{ "batch", "[OPTIONS] [SPECS [RESULTS]]",
	  "run many commands, a vessel for each, from JSON Lines to JSON Lines",
	  batch_command, true, batch_options, WORDS_FILES, NULL },
	{ "worker", "[OPTIONS]",
	  "do the requests that wait on a JetStream server",
	  worker_command, false, worker_options, WORDS_NONE, NULL },
	{ "submit", "[OPTIONS] [FILE]",
	  "send requests to workers through a JetStream server, and print the "
	  "answers",
	  submit_command, false, submit_options, WORDS_FILES, NULL },
	{ "plan", "[OPTIONS] [--] COMMAND [ARG...]",
	  "print what a run with these options would do, without doing it",
	  plan_command, true, NULL, WORDS_COMMAND, NULL },
	{ "validate", "[OPTIONS] [FILE|-]",
	  "check JSON: strict syntax, and a JSON Schema",
	  validate_command, false, validate_options, WORDS_FILES, NULL },
	{ "confirm", "[OPTIONS] [FLAGS [LOG]]",
	  "run flagged functions, and log which of them really fail",
	  confirm_command, false, confirm_options, WORDS_FILES, NULL },
	{ "probe", "[OPTIONS] NAME [REPO]",
	  "read facts from an untrusted repository",
	  probe_command, false, probe_options, WORDS_FILES, NULL },
	{ "explain", "[OPTIONS] PATH.TO.FACT [REPO]",
	  "say from which file, hash and probe a gathered fact came",
	  explain_command, false, explain_options, WORDS_FILES, NULL },
	{ "audit", "verify [DIR]",
	  "find the first run record that was changed",
	  audit_command, false, NULL, WORDS_DIRS, audit_choices },
	{ "gather", "[OPTIONS] [REPO]",
	  "run all probes over a repository, and write its context",
	  gather_command, false, gather_options, WORDS_DIRS, NULL },
	{ "gate", "run|baseline|list|show|verify|attest|gc [OPTIONS] [GATE]",
	  "judge a change by running its build and tests",
	  gate_command, false, gate_options, WORDS_FILES, gate_choices },
	{ "doctor", "[OPTIONS]",
	  "find out what this host can do, and how to repair what it cannot",
	  doctor_command, false, doctor_options, WORDS_NONE, NULL },
	{ "shell", "[OPTIONS] [--] [COMMAND [ARG...]]",
	  "start an interactive shell in a vessel, on a terminal of its own",
	  shell_command, true, NULL, WORDS_COMMAND, NULL },
	{ "trace", "show [RESULT] | diff [--json] BASE NEW",
	  "show what a run executed and connected to, or what of it is new",
	  trace_command, false, NULL, WORDS_FILES, trace_choices },
	{ "egress", "rules RESULT...",
	  "print the egress rules that allow what runs connected to",
	  egress_command, false, NULL, WORDS_FILES, egress_choices },
	{ "report", "junit [RESULT]",
	  "print the results of a run's tests as JUnit XML",
	  report_command, false, NULL, WORDS_FILES, report_choices },
	{ "profile", "list | show [NAME] | check FILE | find [REPO] [-- COMMAND]",
	  "list, print or check profiles, or find the one that fits a "
	  "repository",
	  profile_command, false, NULL, WORDS_PROFILES, profile_choices },
	{ "schema", "[NAME]",
	  "print one of the published JSON Schemas, or list their names",
	  schema_command, false, NULL, WORDS_SCHEMAS, NULL },
	{ "completion", "bash|zsh|fish",
	  "print the completion script for a shell",
	  completion_command, false, NULL, WORDS_NONE, completion_choices },
	{ "help", "[COMMAND]",
	  "print the options of a command",
	  help_command, false, NULL, WORDS_COMMANDS, NULL },
};
/* clang-format on */
const size_t commands_len = sizeof commands / sizeof *commands;

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < commands_len; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

int command_unknown(const char *name)
{
	struct near near = { .name = name };

	for (size_t i = 0; i < commands_len; i++)
		near_note(&near, commands[i].name);
	if (near.best == NULL)
		return cli_usage("unknown command '%.80s'; see 'cupel --help'",
				 name);
	return cli_usage("unknown command '%.80s', did you mean '%s'? "
			 "see 'cupel --help'",
			 name, near.best);
}
