/* completion_bash.c -- the completion script for bash. */
#include "base/buf.h"
#include "spec/completion.h"

/* Write one word for the kind of an option's argument.  An argument that is
 * given only after '=' takes no word of its own. */
static void write_kind(struct buf *out, const struct complete *o)
{
	static const char *const kinds[] = {
		[HELP_NOTHING] = "any", [HELP_FILES] = "files",
		[HELP_DIRS] = "dirs",   [HELP_PROFILES] = "profiles",
		[HELP_WORDS] = "words", [HELP_COMMAND] = "command",
	};

	buf_format(out, "\t\t--%s) echo '%s%s", o->name,
		   o->is_optional ? "=" : "", kinds[o->values]);
	if (o->values == HELP_WORDS)
		complete_write_words(out, o);
	buf_text(out, "' ;;\n");
}

static void write_options(struct buf *out, const struct help_command *c,
			  bool has_argument)
{
	struct complete o;

	for (size_t i = 0; complete_find(c, i, &o); i++)
		if (has_argument && o.arg != NULL)
			write_kind(out, &o);
		else if (!has_argument)
			buf_format(out, " --%s", o.name);
}

/* The options of the table are the same for all commands that take them. */
static void write_tables(struct buf *out, const struct help_command *commands,
			 size_t n)
{
	static const struct help_command table = { .takes_fields = true };
	const char *before = "\tesac\n\tcase $1 in\n\t";

	buf_text(out, "# _cupel_kind COMMAND OPTION\n_cupel_kind()\n{\n"
		      "\tcase $1 in\n");
	for (size_t i = 0; i < n; i++) {
		struct help_command own = commands[i];

		own.takes_fields = false;
		if (own.options == NULL)
			continue;
		buf_format(out, "\t%s) case $2 in\n", own.name);
		write_options(out, &own, true);
		buf_text(out, "\t\tesac ;;\n");
	}
	for (size_t i = 0; i < n; i++) {
		if (!commands[i].takes_fields)
			continue;
		buf_format(out, "%s%s", before, commands[i].name);
		before = "|";
	}
	buf_text(out, ") case $2 in\n");
	write_options(out, &table, true);
	buf_text(out, "\t\tesac ;;\n\tesac\n}\n\n"
		      "_cupel_options()\n{\n\tcase $1 in\n");
	for (size_t i = 0; i < n; i++) {
		buf_format(out, "\t%s) echo \"", commands[i].name);
		write_options(out, &commands[i], false);
		buf_text(out, "\" ;;\n");
	}
	buf_text(out, "\tesac\n}\n\n");
}

/* Write what can follow the options: words to choose from, then words of a
 * kind. */
static void write_operands(struct buf *out, const struct help_command *commands,
			   size_t n)
{
	static const char *const kinds[] = {
		[HELP_NOTHING] = "any", [HELP_FILES] = "files",
		[HELP_DIRS] = "dirs",   [HELP_PROFILES] = "profiles",
		[HELP_WORDS] = "any",   [HELP_COMMAND] = "command",
	};

	buf_text(out, "_cupel_choices()\n{\n\tcase $1 in\n");
	for (size_t i = 0; i < n; i++) {
		if (commands[i].choices == NULL)
			continue;
		buf_format(out, "\t%s) echo '", commands[i].name);
		for (size_t j = 0; commands[i].choices[j] != NULL; j++)
			buf_format(out, " %s", commands[i].choices[j]);
		buf_text(out, "' ;;\n");
	}
	buf_text(out, "\tesac\n}\n\n_cupel_operands()\n{\n\tcase $1 in\n");
	for (size_t i = 0; i < n; i++)
		buf_format(out, "\t%s) echo %s ;;\n", commands[i].name,
			   kinds[commands[i].words]);
	buf_text(out, "\tesac\n}\n\n");
}

/* '=' breaks words in bash: "--a=b" arrives as three */
static const char functions[] =
	"# _cupel_offer KIND BEGINNING\n"
	"_cupel_offer()\n{\n"
	"\tcase $1 in\n"
	"\tfiles | profiles | command) compopt -o filenames ;;\n"
	"\tdirs) compopt -o dirnames -o filenames ;;\n"
	"\tesac 2>/dev/null\n"
	"\tcase $1 in\n"
	"\tfiles) mapfile -t COMPREPLY < <(compgen -f -- \"$2\") ;;\n"
	"\tdirs) mapfile -t COMPREPLY < <(compgen -d -- \"$2\") ;;\n"
	"\tprofiles) mapfile -t COMPREPLY < "
	"<(compgen -f -W \"$_cupel_profiles\" -- \"$2\") ;;\n"
	"\tcommand)\n"
	"\t\tif [ -n \"$2\" ] && [ \"$_cupel_n\" = 0 ]; then\n"
	"\t\t\tmapfile -t COMPREPLY < <(compgen -c -f -- \"$2\")\n"
	"\t\telse\n"
	"\t\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$2\")\n"
	"\t\tfi ;;\n"
	"\twords*) mapfile -t COMPREPLY < "
	"<(compgen -W \"${1#words}\" -- \"$2\") ;;\n"
	"\tesac\n}\n\n"
	"# _cupel_read COMMAND -- words after it that are not options, "
	"to\n"
	"# _cupel_n; whether options can still come, to _cupel_open\n"
	"_cupel_read()\n{\n"
	"\tlocal i kind\n"
	"\t_cupel_n=0 _cupel_open=1\n"
	"\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
	"\t\tcase $_cupel_open${COMP_WORDS[i]} in\n"
	"\t\t1--) _cupel_open= ;;\n"
	"\t\t1--*)\n"
	"\t\t\tkind=$(_cupel_kind \"$1\" \"${COMP_WORDS[i]}\")\n"
	"\t\t\tif [ \"${COMP_WORDS[i + 1]}\" = = ]; then\n"
	"\t\t\t\ti=$((i + 2))\n"
	"\t\t\telif [ -n \"$kind\" ] && [ \"${kind#=}\" = \"$kind\" ]; "
	"then\n"
	"\t\t\t\ti=$((i + 1))\n"
	"\t\t\tfi ;;\n"
	"\t\t*)\t_cupel_n=$((_cupel_n + 1))\n"
	"\t\t\t[ \"$(_cupel_operands \"$1\")\" != command ] || "
	"_cupel_open= ;;\n"
	"\t\tesac\n"
	"\tdone\n}\n\n"
	"_cupel()\n{\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} kind= choices\n"
	"\tlocal prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
	"\tlocal cmd=${COMP_WORDS[1]} _cupel_n _cupel_open\n"
	"\tCOMPREPLY=()\n"
	"\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
	"\t\t_cupel_offer \"words $_cupel_commands\" \"$cur\"\n"
	"\t\treturn\n\tfi\n"
	"\t_cupel_read \"$cmd\"\n"
	"\tif [ -n \"$_cupel_open\" ]; then\n"
	"\t\tif [ \"$cur\" = = ]; then\n"
	"\t\t\tcur=\n"
	"\t\t\tkind=$(_cupel_kind \"$cmd\" \"$prev\")\n"
	"\t\t\tkind=${kind#=}\n"
	"\t\telif [ \"$prev\" = = ]; then\n"
	"\t\t\tprev=${COMP_WORDS[COMP_CWORD - 2]}\n"
	"\t\t\tkind=$(_cupel_kind \"$cmd\" \"$prev\")\n"
	"\t\t\tkind=${kind#=}\n"
	"\t\telse\n"
	"\t\t\tkind=$(_cupel_kind \"$cmd\" \"$prev\")\n"
	"\t\t\t[ \"${kind#=}\" = \"$kind\" ] || kind=\n"
	"\t\tfi\n"
	"\t\tif [ -n \"$kind\" ]; then\n"
	"\t\t\t_cupel_offer \"$kind\" \"$cur\"\n"
	"\t\t\treturn\n"
	"\t\tfi\n"
	"\t\tcase $cur in\n"
	"\t\t-*)\t_cupel_offer \"words $(_cupel_options \"$cmd\")\" "
	"\"$cur\"\n"
	"\t\t\treturn ;;\n"
	"\t\tesac\n"
	"\tfi\n"
	"\tchoices=$(_cupel_choices \"$cmd\")\n"
	"\tif [ \"$_cupel_n\" = 0 ] && [ -n \"$choices\" ]; then\n"
	"\t\t_cupel_offer \"words $choices\" \"$cur\"\n"
	"\telse\n"
	"\t\t_cupel_offer \"$(_cupel_operands \"$cmd\")\" \"$cur\"\n"
	"\tfi\n"
	"}\n"
	"complete -F _cupel cupel\n";

void complete_write_bash(struct buf *out, const struct help_command *commands,
			 size_t n)
{
	buf_text(out, "# bash completion for cupel(1)\n_cupel_commands=\"");
	for (size_t i = 0; i < n; i++)
		buf_format(out, "%s%s", i > 0 ? " " : "", commands[i].name);
	buf_text(out, "\"\n_cupel_profiles=\"");
	complete_write_profiles(out);
	buf_text(out, "\"\n\n");
	write_tables(out, commands, n);
	write_operands(out, commands, n);
	buf_text(out, functions);
}
