/* explain_fact.c -- cupel explain: shows where a fact came from. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "jobs/gather/explain.h"

enum { EXPLAIN_OUT };

const struct option_row explain_options[] = {
	[EXPLAIN_OUT] = { "out", OPTION_WORD, "DIR", VALUES_DIRS,
			  "the directory that gather wrote to (default: "
			  "REPO/.cupel)" },
	{ NULL, OPTION_FLAG, NULL, VALUES_NONE, NULL },
};

static int open_out(const char *out, const char *repo)
{
	owned_fd int root = -1;
	int fd;

	if (out != NULL) {
		fd = open(out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		return fd < 0 ? -errno : fd;
	}
	root = open(repo, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -errno;
	fd = openat(root, ".cupel",
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int explain(const char *path, const char *out, const char *repo)
{
	owned_fd int fd = open_out(out, repo);
	owned_buf struct buf lines = { 0 };
	owned_buf struct buf why = { 0 };
	struct cupel_error err = { 0 };
	int e;

	if (fd < 0)
		return cli_usage("explain: %.300s%s: %s", out ? out : repo,
				 out ? "" : "/.cupel", strerror(-fd));
	e = explain_fact(fd, path, &lines, &why, &err);
	if (e < 0 && why.len > 0) {
		cli_complain("explain: %s", why.bytes);
		return e == -EINVAL ? CLI_USAGE : CLI_FAILED;
	}
	if (e < 0) {
		cli_complain("explain: %s", err.what);
		return err.cause == CUPEL_CAUSE_HOST ? CLI_HOST : CLI_USAGE;
	}
	return cli_print(&lines);
}

int explain_command(int argc, char *argv[])
{
	struct option_value values[1] = { 0 };
	int rest = argc;
	int r = option_read(argc, argv, explain_options, values, &rest);
	const char *out =
		r == 0 ? option_text(&values[EXPLAIN_OUT], NULL) : NULL;

	if (r == OPTION_HELP)
		r = command_show_help(argv[0]);
	else if (r == 0 && rest == argc)
		r = cli_usage("explain: expected the PATH of a fact, such as "
			      "'node_manifest.packages[0].name'");
	else if (r == 0 && argc - rest > 1 && out != NULL)
		r = cli_usage("explain: give --out or REPO, not both");
	else if (r == 0 && argc - rest > 2)
		r = cli_usage("explain: expected PATH and REPO, found '%.80s' "
			      "after them",
			      argv[rest + 2]);
	else if (r == 0)
		r = explain(argv[rest], out,
			    argc - rest > 1 ? argv[rest + 1] : ".");
	option_done(explain_options, values);
	return r;
}
