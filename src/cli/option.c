/* option.c -- read options by a table. */
#include "cli/option.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "cli/cli.h"

static int find_row(const struct option_row *rows, const char *name, size_t n)
{
	for (int i = 0; rows[i].name != NULL; i++)
		if (strlen(rows[i].name) == n &&
		    memcmp(rows[i].name, name, n) == 0)
			return i;
	return -1;
}

static int add_text(const struct option_row *row, struct option_value *v,
		    const char *text)
{
	if (v->count >= OPTION_LIST_MAX)
		return cli_usage("--%s: may be given at most %d times",
				 row->name, OPTION_LIST_MAX);
	if (v->texts == NULL)
		v->texts = calloc(OPTION_LIST_MAX, sizeof *v->texts);
	if (v->texts == NULL) {
		cli_complain("--%s: no memory", row->name);
		return CLI_FAILED;
	}
	v->texts[v->count++] = text;
	return 0;
}

static int refuse_unknown(const struct option_row *rows, const char *word)
{
	char name[40] = "";
	struct near near = { .name = name };
	size_t n = strcspn(word, "=");

	if (n > 2 && n - 2 < sizeof name && word[1] == '-')
		memcpy(name, word + 2, n - 2);
	for (size_t i = 0; rows[i].name != NULL; i++)
		near_note(&near, rows[i].name);
	if (near.best == NULL)
		return cli_usage("unknown option '%.80s'", word);
	return cli_usage("unknown option '%.80s', did you mean '--%s'?", word,
			 near.best);
}

/* Read one option at argv[*i]; afterwards *i is the index of its last word. */
static int read_one(int argc, char *const argv[], const struct option_row *rows,
		    struct option_value *ret, int *i)
{
	const char *word = argv[*i] + 2;
	const char *eq = strchr(word, '=');
	size_t n = eq != NULL ? (size_t)(eq - word) : strlen(word);
	int at = argv[*i][1] == '-' ? find_row(rows, word, n) : -1;

	if (argv[*i][1] == '-' && strcmp(word, "help") == 0)
		return OPTION_HELP;
	if (at < 0)
		return refuse_unknown(rows, argv[*i]);
	if (rows[at].kind == OPTION_FLAG) {
		if (eq != NULL)
			return cli_usage("--%s takes no value", rows[at].name);
		ret[at].count++;
		return 0;
	}
	if (eq != NULL)
		return add_text(&rows[at], &ret[at], eq + 1);
	if (*i + 1 >= argc)
		return cli_usage("--%s needs %s", rows[at].name, rows[at].arg);
	return add_text(&rows[at], &ret[at], argv[++*i]);
}

/* Move argv[from..to) in front of the words argv[first..from). */
static void bring_forward(char *argv[], int first, int from, int to)
{
	for (; from < to; first++, from++) {
		char *word = argv[from];

		memmove(&argv[first + 1], &argv[first],
			(size_t)(from - first) * sizeof *argv);
		argv[first] = word;
	}
}

int option_read(int argc, char *argv[], const struct option_row *rows,
		struct option_value *ret, int *ret_rest)
{
	int words = 1; /* the words from here up to i are not options */

	for (int i = 1; i < argc; i++) {
		int from = i;
		bool is_end = strcmp(argv[i], "--") == 0;
		int r;

		if (argv[i][0] != '-' || argv[i][1] == '\0')
			continue;
		r = is_end ? 0 : read_one(argc, argv, rows, ret, &i);
		if (r != 0)
			return r;
		bring_forward(argv, words, from, i + 1);
		words += i + 1 - from;
		if (is_end)
			break;
	}
	*ret_rest = words;
	return 0;
}

void option_done(const struct option_row *rows, struct option_value *values)
{
	for (size_t i = 0; rows[i].name != NULL; i++) {
		free(values[i].texts);
		values[i] = (struct option_value){ 0 };
	}
}

const char *option_text(const struct option_value *v, const char *fallback)
{
	return v->count > 0 && v->texts != NULL ? v->texts[v->count - 1]
						: fallback;
}

unsigned option_jobs(const char *text)
{
	size_t len = strlen(text);

	if (len < 1 || len > 2 || strspn(text, "0123456789") != len)
		return 0;
	return (unsigned)strtoul(text, NULL, 10);
}
