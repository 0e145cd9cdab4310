/* tests_command.c -- finds the commands that run tests, as they are declared.
 *
 * They are scripts of package.json, commands of tox.ini, and targets of a
 * Makefile.  The last two are read line by line, and nothing is expanded. */
#include <string.h>

#include "parsers/common/address_clean.h"
#include "parsers/tests/tests.h"

#define COMMAND_BYTES TEXT_LINE_BYTES

/* A name with one of these parts runs tests. */
static const char words[] =
	"test tests testing e2e coverage cov spec specs unit integration jest "
	"vitest mocha ava cypress playwright karma jasmine tdd pytest tap";

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9');
}

/* Whether one of the words in the name is in words, or the name begins with
 * "test". */
static bool names_tests(struct json_text name, const char *more)
{
	if (text_begins(name, "test"))
		return true;
	while (name.len > 0) {
		struct json_text word = { name.bytes, 0 };

		while (word.len < name.len && is_letter(word.bytes[word.len]))
			word.len++;
		if (text_in(word, words) || text_in(word, more))
			return true;
		name = text_from(name, word.len + 1);
	}
	return false;
}

/* Targets of make that check something other than the program ("check-format"),
 * and object files whose names happen to have one of our words. */
static bool names_no_tests(struct json_text name)
{
	static const char others[] =
		"lint format fmt style license licenses generated gen deps mod "
		"go docs doc spelling spell tidy vendor headers header version "
		"release diff clean";
	bool is_check = text_begins(name, "check");

	if (text_has(name, ".") || text_is(name, "testclean"))
		return true;
	while (is_check && name.len > 0) {
		struct json_text word = { name.bytes, 0 };

		while (word.len < name.len && is_letter(word.bytes[word.len]))
			word.len++;
		if (text_in(word, others))
			return true;
		name = text_from(name, word.len + 1);
	}
	return false;
}

static uint64_t frameworks_in(struct json_text command)
{
	const struct tools t = { tests_framework_tools,
				 FRAMEWORK_SCRIPTS_END_ };

	return project_tools_in_command(&t, command);
}

static void command_put(struct inventory *inv, struct json_text name,
			struct json_text command, const struct parse_input *in)
{
	struct slice_list *list = &inv->lists[INVENTORY_COMMANDS];
	struct jsonw *w;
	uint64_t found;

	if (slice_is_full(list))
		return;
	found = frameworks_in(command);
	w = slice_item(list);
	text_put(w, "name", name);
	address_put(w, "command", command, ADDRESS_COMMAND);
	jsonw_array(w, "frameworks");
	for (enum framework f = 0; f < FRAMEWORK_SCRIPTS_END_; f++)
		if ((found >> f & 1) != 0)
			jsonw_text(w, NULL, tests_framework_name(f));
	jsonw_end_array(w);
	source_write(w, "source", in);
	slice_item_end(list);
}

void tests_command_put(struct inventory *inv, const char *name,
		       const char *command, const struct parse_input *in)
{
	command_put(inv, (struct json_text){ name, strlen(name) },
		    (struct json_text){ command, strlen(command) }, in);
}

/* Beginnings and ends of names of scripts that prepare tests, or publish what
 * was tested, but run no test. */
static const char other_first[] =
	"release publish deploy install uninstall build clean lint format fmt "
	"typecheck prepare";
static const char other_last[] =
	"install uninstall setup teardown prepare start stop up down clean";

/* Whether the first or the last word of the name says that the script does
 * something else ("release:test", "playwright:install"). */
static bool names_another(struct json_text name)
{
	struct json_text word = { name.bytes, 0 };

	while (word.len < name.len && is_letter(name.bytes[word.len]))
		word.len++;
	if (text_in(word, other_first))
		return true;
	word = (struct json_text){ name.bytes + name.len, 0 };
	while (word.len < name.len && is_letter(word.bytes[-1])) {
		word.bytes--;
		word.len++;
	}
	return word.len < name.len && text_in(word, other_last);
}

static void scripts_read(struct inventory *inv, const struct manifest *m)
{
	const struct json_value *v = json_find(&m->tree, "scripts");

	if (v == NULL || v->type != JSON_OBJECT)
		return;
	for (size_t i = 0; i < v->u.object.len; i++) {
		const struct json_member *s = &v->u.object.members[i];
		struct json_text command =
			parse_text(&s->value, m->in, inv->report);

		if (command.bytes == NULL || s->name.len > COMMAND_BYTES)
			continue;
		if (names_another(s->name))
			continue;
		if (names_tests(s->name, "") || frameworks_in(command) != 0)
			command_put(inv, s->name, command, m->in);
	}
}

/* Command is of at most COMMAND_BYTES, and may stand in several lines. */
static void lines_put(struct inventory *inv, struct json_text name,
		      struct json_text command, const struct parse_input *in)
{
	char bytes[COMMAND_BYTES];

	command_put(inv, name, tests_joined_write(command, bytes), in);
}

/* Whether a command is passed over because it is too long, which is told if it
 * stands in several lines. */
static bool is_too_long(struct inventory *inv, struct json_text command,
			const struct parse_input *in, size_t offset)
{
	if (command.len <= COMMAND_BYTES)
		return false;
	if (memchr(command.bytes, '\n', command.len) != NULL)
		report_note(&inv->report->warnings, "truncated", in,
			    (int64_t)offset,
			    "a command of several lines has over 4096 bytes; "
			    "it is left out");
	return true;
}

/* Whether an environment of tox is there for something else than tests: one of the
 * words in the name says so. */
static bool env_names_another(struct json_text section)
{
	static const char others[] =
		"lint linters style format fmt black isort flake8 pylint ruff "
		"typing types type mypy pyright typecheck docs doc sphinx "
		"spelling manifest release build publish package clean "
		"changelog "
		"commit precommit bandit safety dev";

	section = text_from(section, strlen("testenv"));
	while (section.len > 0) {
		struct json_text word = { section.bytes, 0 };

		while (word.len < section.len &&
		       is_letter(word.bytes[word.len]))
			word.len++;
		if (text_in(word, others))
			return true;
		section = text_from(section, word.len + 1);
	}
	return false;
}

static bool is_comment(struct json_text line)
{
	return text_begins(line, "#") || text_begins(line, ";");
}

/* Read "[testenv:py]", then "commands =" with indented lines below it, among which
 * empty lines and comments may stand. */
static void tox_read(struct inventory *inv, const struct parse_input *in)
{
	struct json_text line, section = { NULL, 0 }, value;
	struct lines lines = lines_of(in);
	bool in_commands = false, is_env = false, is_another = false;
	size_t offset;

	while (tests_joined_next(&lines, true, &line, &offset)) {
		bool is_indented = line.len > 0 && (line.bytes[0] == ' ' ||
						    line.bytes[0] == '\t');

		if (text_begins(line, "[")) {
			section = text_cut(text_from(line, 1), ']', NULL);
			is_env = section.len <= COMMAND_BYTES &&
				 text_begins(section, "testenv");
			is_another = is_env && env_names_another(section);
		}
		if (!is_indented && text_trim(line).len > 0 &&
		    !is_comment(line)) {
			struct json_text key = text_cut(line, '=', &value);

			in_commands = text_is(text_trim(key), "commands");
			line = value;
		}
		line = text_trim(line);
		if (in_commands && is_env && line.len > 0 &&
		    !is_comment(line) && !is_too_long(inv, line, in, offset) &&
		    (!is_another || frameworks_in(line) != 0))
			lines_put(inv, section, line, in);
	}
}

/* The target of "name: prerequisites".  Empty for a recipe, a variable, a
 * pattern, several targets, or a name that make knows (".PHONY"). */
static struct json_text target_of(struct json_text line)
{
	static const struct json_text none = { "", 0 };
	struct json_text rest, name = text_cut(line, ':', &rest);

	if (line.len == 0 || line.len > COMMAND_BYTES ||
	    line.bytes[0] == '\t' || line.bytes[0] == ' ' ||
	    line.bytes[0] == '#' || line.bytes[0] == '.' ||
	    rest.bytes == NULL || text_begins(rest, "=") ||
	    text_begins(rest, ":="))
		return none;
	name = text_trim(name);
	for (size_t i = 0; i < name.len; i++)
		if (!is_letter(name.bytes[i]) &&
		    (name.bytes[i] == '\0' ||
		     strchr("-_./", name.bytes[i]) == NULL))
			return none;
	return name;
}

/* The current target, and what was seen of its recipe. */
struct recipe {
	struct json_text target;  /* empty: we do not look at it */
	struct json_text command; /* bytes NULL: none yet */
	bool runs_framework;      /* the command runs a framework */
};

static bool only_prints(struct json_text line)
{
	while (line.len > 0 && strchr("@-+", line.bytes[0]) != NULL)
		line = text_from(line, 1);
	line = text_word(&line);
	return line.len == 0 || text_in(line, "echo printf : true");
}

/* A target's command is the last line of its recipe that runs a framework, or
 * else the last one that does more than print.  The lines before it prepare. */
static void recipe_line(struct inventory *inv, struct recipe *r,
			struct json_text line, const struct parse_input *in,
			size_t offset)
{
	bool runs;

	line = text_trim(line);
	if (r->target.len == 0 || line.len == 0 || line.bytes[0] == '#')
		return;
	if (is_too_long(inv, line, in, offset))
		return;
	runs = frameworks_in(line) != 0;
	if (r->command.bytes != NULL &&
	    (r->runs_framework > runs || (!runs && only_prints(line))))
		return;
	r->command = line;
	r->runs_framework = runs;
}

static void recipe_end(struct inventory *inv, struct recipe *r,
		       const struct parse_input *in)
{
	if (r->target.len > 0)
		lines_put(inv, r->target, r->command, in);
	*r = (struct recipe){ .target = { "", 0 } };
}

static void makefile_read(struct inventory *inv, const struct parse_input *in)
{
	struct recipe r = { .target = { "", 0 } };
	struct lines lines = lines_of(in);
	struct json_text line;
	size_t offset;

	while (tests_joined_next(&lines, false, &line, &offset)) {
		if (text_begins(line, "\t")) {
			recipe_line(inv, &r, line, in, offset);
			continue;
		}
		if (text_trim(line).len == 0 || line.bytes[0] == '#')
			continue;
		recipe_end(inv, &r, in);
		r.target = target_of(text_cut(line, '\n', NULL));
		if (!names_tests(r.target, "check") ||
		    names_no_tests(r.target) || names_another(r.target))
			r.target.len = 0;
	}
	recipe_end(inv, &r, in);
}

void tests_commands_read(struct inventory *inv)
{
	const struct project *p = &inv->project;

	for (const struct manifest *m = project_manifest_next(p, NULL);
	     m != NULL; m = project_manifest_next(p, m))
		scripts_read(inv, m);
	for (size_t i = 0; i < p->inputs->len; i++) {
		const struct parse_input *in = &p->inputs->items[i];

		if (in->is_name_only || input_is_installed(in) ||
		    !input_is_own(in))
			continue;
		if (input_base_is(in, "tox.ini"))
			tox_read(inv, in);
		else if (input_base_is(in, "Makefile") ||
			 input_base_is(in, "makefile") ||
			 input_base_is(in, "GNUmakefile"))
			makefile_read(inv, in);
	}
}
