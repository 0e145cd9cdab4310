/* manual.c -- at build time: makes a page from its template and the tables. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/doctor/doctor.h"
#include "cli/file.h"
#include "cli/manual_slice.h"
#include "plan/wall.h"
#include "spec/help.h"
#include "spec/profile.h"
#include "spec/reason.h"
#include "spec/schemas.h"

#define TEMPLATE_BYTES ((size_t)1 << 20)

static void add_options(struct buf *out, const char *name)
{
	const struct command *c = command_find(name);

	if (c == NULL || (c->takes_spec && c->options == NULL)) {
		field_write_man(out);
		return;
	}
	for (const struct option_row *o = c->options;
	     o != NULL && o->name != NULL; o++) {
		buf_text(out, ".TP\n\\fB\\-\\-");
		help_write_roff(out, o->name);
		buf_text(out, "\\fR");
		if (o->arg != NULL)
			buf_format(out, " \\fI%s\\fR", o->arg);
		buf_char(out, '\n');
		help_write_roff(out, o->help);
		buf_text(out, ".\n");
	}
}

static void add_commands(struct buf *out, const char *name)
{
	(void)name;
	for (size_t i = 0; i < commands_len; i++) {
		const struct command *c = &commands[i];

		buf_format(out, ".TP\n\\fBcupel %s\\fR ", c->name);
		help_write_roff(out, c->args);
		buf_char(out, '\n');
		help_write_roff(out, c->summary);
		buf_format(out, ": see \\fBcupel\\-%s\\fR(1).\n", c->name);
	}
}

static void add_rows(struct buf *out, const char *name)
{
	(void)name;
	for (size_t i = 0; i < rows_len; i++) {
		buf_format(out, ".TP\n.B %s\n", rows[i].id);
		help_write_roff(out, rows[i].what);
		buf_text(out, ".\n");
	}
}

static void add_causes(struct buf *out, const char *name)
{
	(void)name;
	for (size_t i = 0; i < traps_len; i++) {
		bool is_known = false;

		for (size_t k = 0; k < i; k++)
			is_known |= strcmp(traps[k].code, traps[i].code) == 0;
		if (is_known)
			continue;
		buf_format(out, ".TP\n.B %s\n", traps[i].code);
		help_write_roff(out, traps[i].words);
		buf_text(out, ".\n");
	}
}

static void add_reasons(struct buf *out, const char *name)
{
	(void)name;
	for (int r = REASON_NONE + 1; r < REASON_MAX_; r++)
		buf_format(out, "%s\\fB%s\\fR%s\n", r > 1 ? "" : "",
			   reason_name((enum reason)r),
			   r + 1 < REASON_MAX_ ? "," : ".");
}

static void add_walls(struct buf *out, const char *name)
{
	(void)name;
	for (int w = 0; w < WALL_MAX_; w++)
		buf_format(out, "\\fB%s\\fR%s\n", wall_name((enum wall)w),
			   w + 1 < WALL_MAX_ ? "," : ".");
}

static void add_schemas(struct buf *out, const char *name)
{
	(void)name;
	for (size_t i = 0; schema_text_at(i) != NULL; i++)
		buf_format(out, "\\fB%s\\fR%s\n", schema_text_at(i)->name,
			   schema_text_at(i + 1) != NULL ? "," : ".");
}

static void add_profiles(struct buf *out, const char *name)
{
	owned_buf struct buf table = { 0 };
	struct cupel_error err = { 0 };
	const char *line;

	(void)name;
	if (profile_write_table(&table, &err) < 0)
		out->failed = true;
	buf_text(out, ".nf\n");
	line = table.bytes != NULL ? table.bytes : "";
	while (*line != '\0') {
		size_t n = strcspn(line, "\n");
		owned_buf struct buf one = { 0 };

		buf_add(&one, line, n);
		help_write_roff(out, one.bytes);
		buf_char(out, '\n');
		line += n + (line[n] == '\n');
	}
	buf_text(out, ".fi\n");
}

static void add_probes(struct buf *out, const char *name)
{
	(void)name;
	manual_probes(out);
}

static const struct directive {
	const char *word;
	void (*add)(struct buf *out, const char *rest);
} directives[] = {
	{ "@options ", add_options }, { "@commands", add_commands },
	{ "@rows", add_rows },        { "@causes", add_causes },
	{ "@reasons", add_reasons },  { "@walls", add_walls },
	{ "@schemas", add_schemas },  { "@profiles", add_profiles },
	{ "@probes", add_probes },
};

static void add_plain(struct buf *out, const char *line)
{
	static const char word[] = "@VERSION@";
	const char *at = strstr(line, word);

	if (at == NULL) {
		buf_format(out, "%s\n", line);
		return;
	}
	buf_add(out, line, (size_t)(at - line));
	buf_format(out, "%s%s\n", PACKAGE_VERSION, at + sizeof word - 1);
}

static int add_line(struct buf *out, const char *line)
{
	for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
		size_t n = strlen(directives[i].word);

		if (strncmp(line, directives[i].word, n) != 0)
			continue;
		directives[i].add(out, line + n);
		return 0;
	}
	if (line[0] == '@')
		return cli_usage("unknown directive '%s'", line);
	add_plain(out, line);
	return 0;
}

int main(int argc, char *argv[])
{
	owned_buf struct buf text = { 0 }, out = { 0 };
	struct cupel_error err = { 0 };
	int r = 0;

	if (argc != 2)
		return cli_usage("usage: manual TEMPLATE");
	if (file_read_all(argv[1], TEMPLATE_BYTES, &text, &err) < 0)
		return cli_fail(&err);
	for (char *line = text.bytes;
	     r == 0 && line != NULL && *line != '\0';) {
		char *end = strchr(line, '\n');

		if (end != NULL)
			*end = '\0';
		r = add_line(&out, line);
		line = end != NULL ? end + 1 : NULL;
	}
	return r != 0 ? r : cli_print(&out);
}
