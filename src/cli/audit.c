/* audit.c -- cupel audit verify: checks that the chain of run records is
 * whole. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/plural.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "jobs/common/chain.h"

/* dir is a repository, the directory that gather wrote to, or the directory of
 * the records itself.  No name on the way may be a link. */
static int open_runs(const char *dir)
{
	static const char *const steps[] = { ".cupel", "runs" };
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (size_t i = 0; fd >= 0 && i < sizeof steps / sizeof *steps; i++) {
		int next =
			openat(fd, steps[i],
			       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (next < 0 && errno == ENOENT)
			continue;
		cleanup_fd(&fd);
		fd = next;
	}
	return fd < 0 ? -errno : fd;
}

static int verify(const char *dir)
{
	owned_fd int fd = open_runs(dir);
	owned_buf struct buf lines = { 0 };
	struct cupel_error err = { 0 };
	char newest[CHAIN_NAME_BYTES];
	size_t records = 0;
	int e;

	if (fd < 0)
		return cli_usage("audit verify: %.300s: %s", dir,
				 strerror(-fd));
	if (chain_newest(fd, newest) == -ENOENT)
		return cli_usage("audit verify: %.300s holds no run record; "
				 "'cupel gather' writes them",
				 dir);
	e = chain_verify(fd, &lines, &records, &err);
	if (e < 0)
		return cli_usage("audit verify: %s", err.what);
	if (e == 0)
		buf_format(&lines, "%zu record%s, one whole chain\n", records,
			   plural_s(records));
	if (cli_print(&lines) != CLI_OK)
		return CLI_FAILED;
	return e == 0 ? CLI_OK : CLI_FAILED;
}

int audit_command(int argc, char *argv[])
{
	if (argc < 2)
		return cli_usage("audit: expected the word verify after it");
	if (strcmp(argv[1], "verify") != 0)
		return cli_usage(
			"audit: expected the word verify, found '%.80s'",
			argv[1]);
	if (argc > 2 && argv[2][0] == '-' && argv[2][1] != '\0')
		return cli_usage("audit verify: unknown option '%.80s'; it "
				 "takes no options",
				 argv[2]);
	if (argc > 3)
		return cli_usage("audit verify: expected one DIR, found "
				 "'%.80s' after it",
				 argv[3]);
	return verify(argc > 2 ? argv[2] : ".");
}
