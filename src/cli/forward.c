/* forward.c -- forwards signals to a run. */
#include "cli/forward.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

#include "cupel.h"

/* The run that receives the signals. */
static struct cupel_run *volatile target;

static void forward(int signal)
{
	int saved = errno;

	if (target != NULL)
		cupel_run_cancel(target, signal);
	errno = saved;
}

static void set_all(void (*handler)(int))
{
	static const int all[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct sigaction old, new = { .sa_handler = handler };

		if (sigaction(all[i], &new, &old) == 0 &&
		    old.sa_handler == SIG_IGN)
			(void)sigaction(all[i], &old, NULL);
	}
}

void forward_signals(struct cupel_run *run)
{
	target = run;
	set_all(forward);
}

void forward_no_more(bool is_final)
{
	if (is_final)
		set_all(SIG_DFL);
	target = NULL;
}
