/* trace.c -- cupel trace: shows what was executed, and what of it is new. */
#include <string.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/happened.h"
#include "jobs/trace/diff.h"
#include "jobs/trace/tree.h"

static int read_traced(const char *what, const char *path, struct happened *ret)
{
	int status = cli_happened_read(what, path, ret);

	if (status == CLI_OK && ret->trace == NULL)
		return cli_usage("%s: %.300s: the run was not traced (--trace)",
				 what, path);
	return status;
}

static int show(int n, char *paths[])
{
	owned_buf struct buf out = { 0 };
	struct happened h = { 0 };
	int status;

	if (n > 1)
		return cli_usage("trace show: expected one RESULT, found "
				 "'%.80s' after it",
				 paths[1]);
	status = read_traced("trace show", n > 0 ? paths[0] : "-", &h);
	if (status == CLI_OK)
		status = tree_write(&h, &out) < 0
				 ? cli_usage("trace show: no memory")
				 : cli_print(&out);
	happened_done(&h);
	return status;
}

static int print_diff(const struct diff *d, bool is_json)
{
	owned_buf struct buf out = { 0 };
	struct jsonw w = { .out = &out, .indent = 2 };

	if (is_json) {
		diff_write_json(d, &w);
		buf_char(&out, '\n');
	} else {
		diff_write_text(d, &out);
	}
	if (cli_print(&out) != CLI_OK)
		return CLI_USAGE;
	return d->len > 0 || d->missing_len > 0 ? CLI_FAILED : CLI_OK;
}

static int compare(const char *base, const char *next, bool is_json)
{
	struct happened a = { 0 }, b = { 0 };
	struct diff d = { 0 };
	int status = read_traced("trace diff", base, &a);

	if (status == CLI_OK)
		status = read_traced("trace diff", next, &b);
	if (status == CLI_OK)
		status = diff_build(&a, &b, &d) < 0
				 ? cli_usage("trace diff: no memory")
				 : print_diff(&d, is_json);
	diff_done(&d);
	happened_done(&b);
	happened_done(&a);
	return status;
}

static int diff(int argc, char *argv[])
{
	const char *paths[2] = { NULL, NULL };
	bool is_json = false;
	size_t n = 0;

	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], "--json") == 0) {
			is_json = true;
			continue;
		}
		if (n == 2)
			return cli_usage("trace diff: expected BASE and NEW, "
					 "found '%.80s' after them",
					 argv[i]);
		paths[n++] = argv[i];
	}
	if (n < 2)
		return cli_usage("trace diff: expected BASE and NEW, files "
				 "that cupel run --trace --json wrote");
	return compare(paths[0], paths[1], is_json);
}

int trace_command(int argc, char *argv[])
{
	const char *verb = argc > 1 ? argv[1] : "";
	bool is_diff = strcmp(verb, "diff") == 0;
	int status = CLI_OK;

	if (!is_diff && strcmp(verb, "show") != 0)
		return cli_usage("trace: expected show [RESULT] or diff BASE "
				 "NEW, not '%.80s'",
				 verb);
	if (cli_happened_words(is_diff ? "trace diff" : "trace show", argc,
			       argv, is_diff ? "--json" : NULL, &status))
		return status;
	return is_diff ? diff(argc, argv) : show(argc - 2, argv + 2);
}
