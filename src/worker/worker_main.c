/* worker_main.c -- the program cupel-worker, which cupel worker and cupel
 * submit start. */
#include <signal.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/stop.h"
#include "worker/address.h"

int main(int argc, char *argv[])
{
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN); /* write(2) says EFBIG */
	stop_unblock();
	if (argc > 2 && argv[1][0] == '/' && strcmp(argv[2], "worker") == 0)
		return worker_work(argc - 2, argv + 2, argv[1]);
	if (argc > 2 && strcmp(argv[2], "submit") == 0)
		return worker_submit(argc - 2, argv + 2);
	return cli_usage("cupel-worker is started by 'cupel worker' and 'cupel "
			 "submit'; run one of these");
}
