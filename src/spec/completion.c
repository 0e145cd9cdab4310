/* completion.c -- completion scripts for three shells; see help.h. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "spec/field.h"
#include "spec/help.h"
#include "spec/profile.h"

/* The values of f, each after a blank: enum words and shipped profiles. */
static void write_values(struct buf *out, const struct field *f)
{
	if (f->type == FIELD_ENUM)
		for (const struct field_word *w = f->words; w->name; w++)
			if (!w->is_later)
				buf_format(out, " %s", w->name);
	if (f->type == FIELD_PROFILE)
		for (size_t i = 0; profile_at(i) != NULL; i++)
			buf_format(out, " %s", profile_at(i)->name);
}

static bool has_values(const struct field *f)
{
	return f->type == FIELD_ENUM || f->type == FIELD_PROFILE;
}

static bool has_word(const struct field *f)
{
	return f->arg != NULL && (f->flags & FIELD_OPT_ARG) == 0;
}

/* The rows that satisfy want, as "--a|--b"; "--" alone when there are none,
 * which no word that is tested against it can be. */
static void write_pattern(struct buf *out, bool (*want)(const struct field *f))
{
	const char *before = "";

	for (size_t i = 0; i < fields_len; i++) {
		if (!field_is_option(&fields[i]) || !want(&fields[i]))
			continue;
		buf_format(out, "%s--%s", before, fields[i].name);
		before = "|";
	}
}

static bool is_file(const struct field *f)
{
	return (f->flags & FIELD_IS_FILE) != 0 && !has_values(f);
}

static bool is_dir(const struct field *f)
{
	return (f->flags & FIELD_IS_DIR) != 0;
}

/* What follows an option, and which options swallow a word. */
static void write_bash_tables(struct buf *out)
{
	buf_text(out, "_cupel_value()\n{\n\tcase $1 in\n");
	for (size_t i = 0; i < fields_len; i++) {
		const struct field *f = &fields[i];

		if (!field_is_option(f) || !has_values(f))
			continue;
		buf_format(out, "\t--%s) COMPREPLY=($(compgen %s-W '", f->name,
			   f->flags & FIELD_IS_FILE ? "-f " : "");
		write_values(out, f);
		buf_text(out, "' -- \"$2\")) ;;\n");
	}
	buf_text(out, "\t");
	write_pattern(out, is_dir);
	buf_text(out, ") COMPREPLY=($(compgen -d -- \"$2\")) ;;\n\t");
	write_pattern(out, is_file);
	buf_text(out, ") COMPREPLY=($(compgen -f -- \"$2\")) ;;\n"
		      "\tesac\n}\n\n_cupel_takes_word()\n{\n\tcase $1 in\n\t");
	write_pattern(out, has_word);
	buf_text(out, ") return 0 ;;\n\tesac\n\treturn 1\n}\n\n");
}

static void write_bash_options(struct buf *out,
			       const struct help_command *commands, size_t n)
{
	buf_text(out, "_cupel_options()\n{\n\tcase $1 in\n");
	for (size_t i = 0; i < n; i++) {
		const char *const *word = commands[i].words;

		buf_format(out, "\t%s) echo \"", commands[i].name);
		for (; word != NULL && *word != NULL; word++)
			buf_format(out, " %s", *word);
		for (size_t j = 0; j < fields_len; j++)
			if (commands[i].takes_fields &&
			    field_is_option(&fields[j]))
				buf_format(out, " --%s", fields[j].name);
		buf_text(out, "\" ;;\n");
	}
	buf_text(out, "\tesac\n}\n\n");
}

static void write_bash(struct buf *out, const struct help_command *commands,
		       size_t n)
{
	/* '=' breaks words in bash: "--a=b" arrives as three */
	static const char main_function[] =
		"_cupel()\n{\n"
		"\tlocal cur=${COMP_WORDS[COMP_CWORD]} i word past=\n"
		"\tlocal prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
		"\tlocal cmd=${COMP_WORDS[1]}\n"
		"\tCOMPREPLY=()\n"
		"\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
		"\t\tCOMPREPLY=($(compgen -W \"$_cupel_commands\" "
		"-- \"$cur\"))\n"
		"\t\treturn\n\tfi\n"
		"\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
		"\t\tword=${COMP_WORDS[i]}\n"
		"\t\tcase $word in\n"
		"\t\t--) past=1 ;;\n"
		"\t\t--*)\tif [ \"${COMP_WORDS[i + 1]}\" = = ]; then\n"
		"\t\t\t\ti=$((i + 2))\n"
		"\t\t\telif _cupel_takes_word \"$word\"; then\n"
		"\t\t\t\ti=$((i + 1))\n"
		"\t\t\tfi ;;\n"
		"\t\t=) ;;\n"
		"\t\t*) past=1 ;;\n"
		"\t\tesac\n\tdone\n"
		"\tif [ -n \"$past\" ]; then\n"
		"\t\tCOMPREPLY=($(compgen -c -f -- \"$cur\"))\n"
		"\t\treturn\n\tfi\n"
		"\tif [ \"$cur\" = = ]; then\n"
		"\t\tcur=\n"
		"\telif [ \"$prev\" = = ]; then\n"
		"\t\tprev=${COMP_WORDS[COMP_CWORD - 2]}\n"
		"\tfi\n"
		"\t_cupel_value \"$prev\" \"$cur\"\n"
		"\tif [ ${#COMPREPLY[@]} -gt 0 ] || "
		"_cupel_takes_word \"$prev\"; then\n"
		"\t\treturn\n\tfi\n"
		"\tcase $cur in\n"
		"\t-*) COMPREPLY=($(compgen -W \"$(_cupel_options \"$cmd\")\" "
		"-- \"$cur\")) ;;\n"
		"\t*) COMPREPLY=($(compgen -c -f -- \"$cur\")) ;;\n"
		"\tesac\n}\n"
		"complete -F _cupel cupel\n";

	buf_text(out, "# bash completion for cupel(1)\n_cupel_commands=\"");
	for (size_t i = 0; i < n; i++)
		buf_format(out, "%s%s", i > 0 ? " " : "", commands[i].name);
	buf_text(out, "\"\n\n");
	write_bash_tables(out);
	write_bash_options(out, commands, n);
	buf_text(out, main_function);
}

/* text within '...', and with a backslash before each of special. */
static void write_quoted(struct buf *out, const char *text, const char *special)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			buf_text(out, "'\\''");
		else if (strchr(special, *text) != NULL)
			buf_format(out, "\\%c", *text);
		else
			buf_char(out, *text);
	}
}

/* One line for _arguments.  Source: zshcompsys(1). */
static void write_zsh_option(struct buf *out, const struct field *f)
{
	bool repeats = f->type == FIELD_LIST || f->type == FIELD_RLIMIT;

	buf_format(out, "\t\t'%s--%s%s[", repeats ? "*" : "", f->name,
		   f->flags & FIELD_OPT_ARG ? "=-"
		   : f->arg != NULL         ? "="
					    : "");
	write_quoted(out, f->help, "[]:\\");
	buf_char(out, ']');
	if (f->arg != NULL) {
		buf_text(out, f->flags & FIELD_OPT_ARG ? "::" : ":");
		write_quoted(out, f->arg, ":\\");
		buf_char(out, ':');
		if (has_values(f)) {
			buf_char(out, '(');
			write_values(out, f);
			buf_char(out, ')');
		} else if (is_dir(f)) {
			buf_text(out, "_files -/");
		} else if (is_file(f)) {
			buf_text(out, "_files");
		}
	}
	buf_text(out, "' \\\n");
}

static void write_zsh(struct buf *out, const struct help_command *commands,
		      size_t n)
{
	buf_text(out,
		 "#compdef cupel\n\n_cupel_fields()\n{\n\t_arguments \\\n");
	for (size_t i = 0; i < fields_len; i++)
		if (field_is_option(&fields[i]))
			write_zsh_option(out, &fields[i]);
	buf_text(out, "\t\t'*::command:_normal'\n}\n\n_cupel()\n{\n"
		      "\tlocal -a commands=(\n");
	for (size_t i = 0; i < n; i++) {
		buf_format(out, "\t\t'%s:", commands[i].name);
		write_quoted(out, commands[i].help, ":\\");
		buf_text(out, "'\n");
	}
	buf_text(out, "\t)\n\tif ((CURRENT == 2)); then\n"
		      "\t\t_describe command commands\n\t\treturn\n\tfi\n"
		      "\tshift words\n\t((CURRENT--))\n"
		      "\tcase $words[1] in\n");
	for (size_t i = 0; i < n; i++) {
		const char *const *word = commands[i].words;

		buf_format(out, "\t%s) ", commands[i].name);
		if (!commands[i].takes_fields ||
		    (word != NULL && *word != NULL)) {
			buf_text(out, "compadd --");
			for (; word != NULL && *word != NULL; word++)
				buf_format(out, " %s", *word);
			buf_text(out, "; ");
		}
		buf_text(out, commands[i].takes_fields ? "_cupel_fields ;;\n"
						       : "_files ;;\n");
	}
	buf_text(out, "\tesac\n}\n\n_cupel \"$@\"\n");
}

static void write_fish_option(struct buf *out, const struct field *f)
{
	buf_format(out, "complete -c cupel -n __cupel_fields -l %s", f->name);
	if (has_values(f)) {
		buf_text(out, " -x -a '");
		write_values(out, f);
		buf_char(out, '\'');
	} else if (f->flags & (FIELD_IS_FILE | FIELD_IS_DIR)) {
		buf_text(out, f->flags & FIELD_OPT_ARG ? "" : " -r -F");
	} else if (f->arg != NULL) {
		buf_text(out, " -x");
	}
	buf_text(out, " -d '");
	write_quoted(out, f->help, "");
	buf_text(out, "'\n");
}

/* Whether options of ours can still come: the rest is COMMAND's. */
static void write_fish_condition(struct buf *out,
				 const struct help_command *commands, size_t n)
{
	buf_text(out, "# fish completion for cupel(1)\n"
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
	for (size_t i = 0; i < fields_len; i++)
		if (field_is_option(&fields[i]) && fields[i].arg != NULL &&
		    (fields[i].flags & FIELD_OPT_ARG) == 0)
			buf_format(out, " --%s", fields[i].name);
	buf_text(out, "\n"
		      "\t\t\t\tset skip 1\n"
		      "\t\t\tcase '--*'\n"
		      "\t\t\tcase '*'\n"
		      "\t\t\t\treturn 1\n"
		      "\t\tend\n"
		      "\tend\n"
		      "end\n");
}

static void write_fish_word(struct buf *out, const char *command,
			    const char *word)
{
	bool is_option = strncmp(word, "--", 2) == 0;

	buf_format(out,
		   "complete -c cupel -n '__fish_seen_subcommand_from %s' %s "
		   "%s\n",
		   command, is_option ? "-l" : "-a",
		   is_option ? word + 2 : word);
}

static void write_fish(struct buf *out, const struct help_command *commands,
		       size_t n)
{
	write_fish_condition(out, commands, n);
	for (size_t i = 0; i < n; i++) {
		const char *const *word = commands[i].words;

		buf_format(out,
			   "complete -c cupel -n __fish_use_subcommand -f -a %s"
			   " -d '",
			   commands[i].name);
		write_quoted(out, commands[i].help, "");
		buf_text(out, "'\n");
		for (; word != NULL && *word != NULL; word++)
			write_fish_word(out, commands[i].name, *word);
	}
	for (size_t i = 0; i < fields_len; i++)
		if (field_is_option(&fields[i]))
			write_fish_option(out, &fields[i]);
}

int field_write_completion(struct buf *out, const char *shell,
			   const struct help_command *commands, size_t n)
{
	static const struct {
		const char *shell;
		void (*write)(struct buf *out, const struct help_command *c,
			      size_t n);
	} shells[] = {
		{ "bash", write_bash },
		{ "zsh", write_zsh },
		{ "fish", write_fish },
	};

	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
		if (strcmp(shells[i].shell, shell) != 0)
			continue;
		shells[i].write(out, commands, n);
		return 0;
	}
	return -EINVAL;
}
