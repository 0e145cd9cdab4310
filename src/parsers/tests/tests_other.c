/* tests_other.c -- tells commands that run no test: those that start what tests need,
 * and those that report what tests covered. */
#include <string.h>

#include "parsers/tests/tests.h"

/* Commands that start a service and return: the words that they begin with, and
 * a word that must follow. */
static const struct {
	const char *words[2]; /* "*": any word */
	const char *follows;  /* words; one of them must be there */
} services[] = {
	{ { "docker", "compose" }, "up start" },
	{ { "podman", "compose" }, "up start" },
	{ { "docker-compose", NULL }, "up start" },
	{ { "podman-compose", NULL }, "up start" },
	{ { "docker", "run" }, "-d --detach -dit -itd -dt -td" },
	{ { "podman", "run" }, "-d --detach -dit -itd -dt -td" },
	{ { "docker", "start" }, NULL },
	{ { "podman", "start" }, NULL },
	{ { "service", "*" }, "start restart" },
	{ { "systemctl", NULL }, "start restart" },
	{ { "brew", "services" }, "start restart" },
	{ { "pg_ctl", NULL }, "start restart" },
	{ { "pg_ctlcluster", NULL }, "start restart" },
	{ { "supabase", "start" }, NULL },
	{ { "minikube", "start" }, NULL },
	{ { "localstack", "start" }, NULL },
};

static bool begins_service(struct json_text command, size_t row)
{
	bool is_there = services[row].follows == NULL;
	struct json_text word;

	for (size_t i = 0; i < 2 && services[row].words[i] != NULL; i++) {
		word = text_word(&command);
		if (word.len == 0 ||
		    (strcmp(services[row].words[i], "*") != 0 &&
		     !text_is(word, services[row].words[i])))
			return false;
	}
	while (!is_there && (word = text_word(&command)).len > 0)
		is_there = text_in(word, services[row].follows);
	return is_there;
}

bool tests_command_is_service(struct json_text command)
{
	if (text_begins(text_trim(command), "sudo "))
		command = text_from(text_trim(command), strlen("sudo "));
	if (text_has(command, "&&") || text_has(command, ";") ||
	    text_has(command, "|"))
		return false;
	for (size_t i = 0; i < sizeof services / sizeof *services; i++)
		if (begins_service(command, i))
			return true;
	return false;
}

/* Programs that report coverage, and words of which one must follow. */
static const struct {
	const char *programs, *follows;
} reporters[] = {
	{ "nyc c8 istanbul", "report" },
	{ "coverage", "report html xml json lcov combine erase" },
	{ "codecov coveralls", NULL },
};

/* Programs that show a file to a person. */
static const char viewers[] = "open xdg-open opener opn open-cli";

/* What may stand before the program; and what reports nothing, but helps to. */
static const char runners[] =
	"npx npm yarn pnpm bunx exec node python python3 cross-env sudo";
static const char helpers[] = "cat cd echo mkdir rm rimraf true";

/* The first word that is neither an option nor a variable's value. */
static struct json_text plain_word(struct json_text *rest)
{
	struct json_text word;

	do {
		word = text_word(rest);
	} while (text_begins(word, "-") || text_has(word, "="));
	return word;
}

/* "./node_modules/.bin/nyc" is nyc, and ".../coveralls.js" coveralls. */
static struct json_text program_of(struct json_text word)
{
	const char *slash =
		word.len > 0 ? memrchr(word.bytes, '/', word.len) : NULL;

	if (slash != NULL)
		word = text_from(word, (size_t)(slash + 1 - word.bytes));
	if (text_ends(word, ".js"))
		word.len -= sizeof ".js" - 1;
	return word;
}

/* Take one program of the command.  False if it may do something else than report;
 * *reports is set if it does that. */
static bool report_take(struct json_text part, bool *reports)
{
	struct json_text program;

	do {
		program = program_of(plain_word(&part));
	} while (text_in(program, runners));
	if (program.len == 0 || text_in(program, helpers))
		return true;
	if (text_in(program, viewers)) {
		program = plain_word(&part);
		*reports = true;
		return text_has(program, "coverage") ||
		       text_has(program, "lcov");
	}
	for (size_t i = 0; i < sizeof reporters / sizeof *reporters; i++) {
		if (!text_in(program, reporters[i].programs))
			continue;
		*reports = true;
		return reporters[i].follows == NULL ||
		       text_in(plain_word(&part), reporters[i].follows);
	}
	return false;
}

bool tests_command_is_report(struct json_text command)
{
	bool reports = false;

	while (command.len > 0) {
		const size_t n = text_length_before(command, "|&;\n");

		if (!report_take(text_first(command, n), &reports))
			return false;
		command = text_from(command, n + 1);
	}
	return reports;
}
