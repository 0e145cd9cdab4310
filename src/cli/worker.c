/* worker.c -- cupel worker and cupel submit: starts cupel-worker, which lies
 * beside this program. */
#include "cli/worker.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "cli/cli.h"
#include "cli/command.h"

#define PROGRAM "cupel-worker"

#define ADDRESS_ROWS                                                           \
	[WORKER_NATS] = { "nats", OPTION_WORD, "URL", VALUES_NONE,             \
			  "the server, nats://HOST[:PORT] or "                 \
			  "tls://HOST[:PORT] "                                 \
			  "(default: nats://127.0.0.1:4222)" },                \
	[WORKER_STREAM] = { "stream", OPTION_WORD, "NAME", VALUES_NONE,        \
			    "the names of all streams begin with NAME "        \
			    "(default: cupel)" },                              \
	[WORKER_CREDS] = { "creds", OPTION_WORD, "FILE", VALUES_FILES,         \
			   "a user's credentials, as nsc writes them" },       \
	[WORKER_TLS_CA] = { "tls-ca", OPTION_WORD, "FILE", VALUES_FILES,       \
			    "certificates that sign the server's; demands "    \
			    "TLS" }

/* clang-format off */
const struct option_row worker_options[] = {
	ADDRESS_ROWS,
	[WORKER_JOBS] = { "jobs", OPTION_WORD, "N", VALUES_NONE,
		"how many requests at once, 1 to 256 (default: as many as "
		"processors)" },
	[WORKER_ROOT] = { "root", OPTION_LIST, "DIR", VALUES_DIRS,
		"a repository named by its path must lie below DIR; may be "
		"repeated (default: no path is allowed)" },
	[WORKER_GIT_HOST] = { "git-host", OPTION_LIST, "HOST[:PORT]",
		VALUES_NONE,
		"a repository may be fetched from HOST; may be repeated "
		"(default: none may be fetched)" },
	[WORKER_GIT_CA] = { "git-ca", OPTION_WORD, "FILE", VALUES_FILES,
		"certificates that sign those of the git hosts" },
	[WORKER_WORK] = { "work", OPTION_WORD, "DIR", VALUES_DIRS,
		"where each worker makes a directory for its checkouts "
		"(default: $TMPDIR, else /tmp)" },
	[WORKER_ACK_WAIT] = { "ack-wait", OPTION_WORD, "S", VALUES_NONE,
		"seconds until a lost worker's request goes to another, 1 to "
		"3600; the same for all workers (default: 60)" },
	[WORKER_TIME_MAX] = { "time-max", OPTION_WORD, "S", VALUES_NONE,
		"time limit of one request in seconds, 1 to 86400 (default: "
		"3600)" },
	[WORKER_DRAIN_FOR] = { "drain-for", OPTION_WORD, "S", VALUES_NONE,
		"seconds that running requests get after SIGTERM, 0 to 86400 "
		"(default: 30)" },
	[WORKER_METRICS] = { "metrics", OPTION_WORD, "FILE", VALUES_FILES,
		"write counters to FILE, for Prometheus, every 5 seconds" },
	[WORKER_CHECK] = { "check", OPTION_FLAG, NULL, VALUES_NONE,
		"check whether a worker with these options could work here, "
		"and take no request" },
	[WORKER_QUIET] = { "quiet", OPTION_FLAG, NULL, VALUES_NONE,
		"print no lines on stderr at the start and the end" },
	{ NULL, OPTION_FLAG, NULL, VALUES_NONE, NULL },
};
const struct option_row submit_options[] = {
	ADDRESS_ROWS,
	[SUBMIT_WAIT] = { "wait", OPTION_FLAG, NULL, VALUES_NONE,
		"print each answer when it arrives (the default)" },
	[SUBMIT_NO_WAIT] = { "no-wait", OPTION_FLAG, NULL, VALUES_NONE,
		"end when the server has stored all requests" },
	[SUBMIT_TIMEOUT] = { "timeout", OPTION_WORD, "S", VALUES_NONE,
		"give up after S seconds, 1 to 31536000 (default: never)" },
	[SUBMIT_QUIET] = { "quiet", OPTION_FLAG, NULL, VALUES_NONE,
		"print no summary on stderr at the end" },
	{ NULL, OPTION_FLAG, NULL, VALUES_NONE, NULL },
};
/* clang-format on */

/* The path of this program; NULL when it is unknown. */
static char *self_find(char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (n <= 0 || path[0] != '/')
		return NULL;
	path[n] = '\0';
	return path;
}

static bool wants_help(int argc, char *argv[])
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--help") == 0)
			return true;
	return false;
}

int worker_begin(int argc, char *argv[])
{
	char self[PATH_MAX];
	owned_buf struct buf program = { 0 };
	owned_mem char **words = calloc((size_t)argc + 3, sizeof *words);
	size_t n = 0;

	if (words == NULL || self_find(self) == NULL) {
		cli_complain("%s: cannot find the path of this program: /proc "
			     "is not mounted",
			     argv[0]);
		return CLI_HOST;
	}
	buf_add(&program, self, (size_t)(strrchr(self, '/') - self));
	buf_text(&program, "/" PROGRAM);
	words[n++] = (char *)PROGRAM;
	words[n++] = self;
	for (int i = 0; i < argc; i++)
		words[n++] = argv[i];
	if (!buf_has_failed(&program))
		(void)execv(program.bytes, words);
	cli_complain("%s: there is no " PROGRAM " beside %s (%s): install the "
		     "package " PROGRAM
		     ", or build it with libnats and libcrypto "
		     "(Debian: libnats-dev, libssl-dev)",
		     argv[0], self, strerror(errno));
	return CLI_HOST;
}

int worker_command(int argc, char *argv[])
{
	return wants_help(argc, argv) ? command_show_help(argv[0])
				      : worker_begin(argc, argv);
}

int submit_command(int argc, char *argv[])
{
	return worker_command(argc, argv);
}
