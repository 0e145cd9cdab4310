/* stop.c -- see stop.h. */
#include "cli/stop.h"

#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

void stop_unblock(void)
{
	static const int all[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	sigset_t set;

	(void)sigemptyset(&set);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		(void)sigaddset(&set, all[i]);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int stop_open(void)
{
	static const int all[] = { SIGINT, SIGTERM, SIGHUP };
	sigset_t set;

	(void)sigemptyset(&set);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct sigaction now;

		if (sigaction(all[i], NULL, &now) == 0 &&
		    now.sa_handler != SIG_IGN)
			(void)sigaddset(&set, all[i]);
	}
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -1;
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int stop_signal(int stop_fd)
{
	struct signalfd_siginfo info = { 0 };

	if (read(stop_fd, &info, sizeof info) == (ssize_t)sizeof info)
		return (int)info.ssi_signo;
	return SIGINT;
}
