/* completion_fish.c -- the completion script for fish.
 *
 * Source: complete(1) of fish. */
#include "base/buf.h"
#include "spec/completion.h"

static const struct help_command table = { .takes_fields = true };

/* Write what follows the condition: an option and the kind of its argument. */
static void write_option(struct buf *out, const struct complete *o)
{
	buf_format(out, " -l %s", o->name);
	switch (o->arg != NULL ? o->values : HELP_COMMAND) {
	case HELP_WORDS:
		buf_text(out, " -x -a '");
		complete_write_words(out, o);
		buf_char(out, '\'');
		break;
	case HELP_PROFILES:
		buf_text(out, " -r -F -a '");
		complete_write_profiles(out);
		buf_char(out, '\'');
		break;
	case HELP_FILES:
		buf_text(out, o->is_optional ? "" : " -r -F");
		break;
	case HELP_DIRS:
		buf_text(out, " -x -a '(__fish_complete_directories)'");
		break;
	case HELP_NOTHING:
		buf_text(out, " -x");
		break;
	default:
		break;
	}
	buf_text(out, " -d '");
	complete_write_quoted(out, o->help, "");
	buf_text(out, "'\n");
}

/* The condition that our options can still come; later words belong to
 * COMMAND. */
static void write_condition(struct buf *out,
			    const struct help_command *commands, size_t n)
{
	struct complete o;

	buf_text(out, "# fish completion for cupel(1)\n"
		      "function __cupel_is\n"
		      "\tset -l words (commandline -opc)\n"
		      "\ttest \"$words[2]\" = $argv[1]\n"
		      "end\n"
		      "function __cupel_first\n"
		      "\t__cupel_is $argv[1]\n"
		      "\tand test (count (commandline -opc)) = 2\n"
		      "end\n"
		      "function __cupel_fields\n"
		      "\tset -l words (commandline -opc)\n"
		      "\tset -e words[1]\n"
		      "\tset -l name $words[1]\n"
		      "\tset -e words[1]\n"
		      "\tset -l skip 0\n"
		      "\tcontains -- \"$name\"");
	for (size_t i = 0; i < n; i++)
		if (commands[i].takes_fields)
			buf_format(out, " %s", commands[i].name);
	buf_text(out, "; or return 1\n"
		      "\tfor word in $words\n"
		      "\t\tif test $skip = 1\n"
		      "\t\t\tset skip 0\n"
		      "\t\t\tcontinue\n"
		      "\t\tend\n"
		      "\t\tswitch $word\n"
		      "\t\t\tcase --\n"
		      "\t\t\t\treturn 1\n"
		      "\t\t\tcase");
	for (size_t i = 0; complete_find(&table, i, &o); i++)
		if (o.arg != NULL && !o.is_optional)
			buf_format(out, " --%s", o.name);
	buf_text(out, "\n"
		      "\t\t\t\tset skip 1\n"
		      "\t\t\tcase '--*'\n"
		      "\t\t\tcase '*'\n"
		      "\t\t\t\treturn 1\n"
		      "\t\tend\n"
		      "\tend\n"
		      "end\n");
}

/* Complete the words that are not options. */
static void write_words(struct buf *out, const struct help_command *c)
{
	for (size_t i = 0; c->choices != NULL && c->choices[i] != NULL; i++)
		buf_format(out,
			   "complete -c cupel -n '__cupel_first %s' -f -a %s\n",
			   c->name, c->choices[i]);
	if (c->words == HELP_PROFILES) {
		buf_format(out,
			   "complete -c cupel -n '__cupel_is %s; and not "
			   "__cupel_first %s' -a '",
			   c->name, c->name);
		complete_write_profiles(out);
		buf_text(out, "'\n");
	}
	if (c->words == HELP_NOTHING)
		buf_format(out, "complete -c cupel -n '__cupel_is %s' -f\n",
			   c->name);
	if (c->words == HELP_DIRS)
		buf_format(out,
			   "complete -c cupel -n '__cupel_is %s; and not "
			   "__cupel_first %s' -f -a "
			   "'(__fish_complete_directories)'\n",
			   c->name, c->name);
}

void complete_write_fish(struct buf *out, const struct help_command *commands,
			 size_t n)
{
	struct complete o;

	write_condition(out, commands, n);
	for (size_t i = 0; i < n; i++) {
		struct help_command own = commands[i];

		own.takes_fields = false;
		buf_format(out,
			   "complete -c cupel -n __fish_use_subcommand -f -a %s"
			   " -d '",
			   own.name);
		complete_write_quoted(out, own.help, "");
		buf_text(out, "'\n");
		for (size_t j = 0; complete_find(&own, j, &o); j++) {
			buf_format(out, "complete -c cupel -n '__cupel_is %s'",
				   own.name);
			write_option(out, &o);
		}
		write_words(out, &own);
	}
	for (size_t i = 0; complete_find(&table, i, &o); i++) {
		buf_text(out, "complete -c cupel -n __cupel_fields");
		write_option(out, &o);
	}
}
