/* egress.c -- cupel egress rules: the rules that would allow what was
 * reached. */
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/happened.h"
#include "jobs/trace/rules.h"

static int add(const char *path, struct reached *r)
{
	struct happened h = { 0 };
	int status = cli_happened_read("egress rules", path, &h);

	if (status == CLI_OK && h.egress == NULL)
		status = cli_usage("egress rules: %.300s: the run's network "
				   "was not scoped (--network scoped)",
				   path);
	if (status == CLI_OK && reached_add(r, &h) < 0)
		status = cli_usage("egress rules: no memory");
	happened_done(&h);
	return status;
}

static int print(struct reached *r)
{
	owned_buf struct buf out = { 0 };

	if (reached_write(r, &out) < 0)
		return cli_usage("egress rules: no memory");
	if (r->odd > 0)
		cli_complain("egress rules: entries left out: %zu (they name "
			     "no host for a rule)",
			     r->odd);
	if (r->omitted > 0)
		cli_complain("egress rules: connections that did not fit into "
			     "the results: %llu; more rules may be needed",
			     r->omitted);
	return cli_print(&out);
}

static int rules(int n, char *paths[])
{
	struct reached r = { 0 };
	int status = CLI_OK;

	for (int i = 0; status == CLI_OK && i < n; i++)
		status = add(paths[i], &r);
	if (status == CLI_OK)
		status = print(&r);
	reached_done(&r);
	return status;
}

int egress_command(int argc, char *argv[])
{
	int status = CLI_OK;

	if (argc < 2)
		return cli_usage("egress: expected the word rules after it");
	if (strcmp(argv[1], "rules") != 0)
		return cli_usage(
			"egress: expected the word rules, found '%.80s'",
			argv[1]);
	if (cli_happened_words("egress rules", argc, argv, NULL, &status))
		return status;
	if (argc < 3)
		return cli_usage("egress rules: expected RESULT, a file that "
				 "cupel run --json wrote, or - for stdin");
	return rules(argc - 2, argv + 2);
}
