/* launch_caps.c -- which capabilities init has in its own namespaces while it
 * builds: no more than that run needs. */
#include <dirent.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "launch/launch.h"
#include "tap.h"

#define BIT(cap) (UINT64_C(1) << (cap))
#define ALWAYS                                                                 \
	(BIT(CAP_SYS_ADMIN) | BIT(CAP_SETUID) | BIT(CAP_SETGID) |              \
	 BIT(CAP_SETPCAP) | BIT(CAP_NET_ADMIN) | BIT(CAP_DAC_OVERRIDE) |       \
	 BIT(CAP_SYS_RESOURCE))
#define SOCKETS (BIT(CAP_NET_RAW) | BIT(CAP_NET_BIND_SERVICE))
#define TURNS   2000 /* of 10 ms */

static bool file_read(long pid, const char *name, char *text, size_t room)
{
	char path[64];
	FILE *f;
	size_t n;

	(void)snprintf(path, sizeof path, "/proc/%ld/%s", pid, name);
	f = fopen(path, "re");
	if (f == NULL)
		return false;
	n = fread(text, 1, room - 1, f);
	text[n] = '\0';
	(void)fclose(f);
	return n > 0;
}

/* A child of ours that is init by now, or 0. */
static long init_find(char *status, size_t room)
{
	DIR *dir = opendir("/proc");
	const struct dirent *e;
	long found = 0;

	while (found == 0 && dir != NULL && (e = readdir(dir)) != NULL) {
		long pid = strtol(e->d_name, NULL, 10);
		char name[64] = "", *parent;

		if (pid <= 0 || !file_read(pid, "cmdline", name, sizeof name) ||
		    strcmp(name, "cupel-init") != 0 ||
		    !file_read(pid, "status", status, room))
			continue;
		parent = strstr(status, "\nPPid:");
		if (parent != NULL && strtol(parent + 6, NULL, 10) == getpid())
			found = pid;
	}
	if (dir != NULL)
		(void)closedir(dir);
	return found;
}

static uint64_t caps_of(const char *status, const char *set)
{
	const char *at = strstr(status, set);

	return at != NULL ? strtoull(at + strlen(set), NULL, 16) : ~0ULL;
}

static void init_has(bool is_scoped, uint64_t want)
{
	const struct launch_extra extra = { .exec_fd = -1,
					    .backend = BACKEND_NAMESPACES,
					    .is_scoped = is_scoped };
	const struct timespec moment = { .tv_nsec = 10 * 1000 * 1000 };
	struct cupel_error err = { 0 };
	struct launch *begun = NULL;
	char status[4096] = "";
	long pid = 0;

	ok_int(launch_begin(&extra, &begun, &err), 0);
	for (int i = 0; i < TURNS && pid == 0; i++) {
		pid = init_find(status, sizeof status);
		if (pid == 0)
			(void)nanosleep(&moment, NULL);
	}
	ok(pid > 0);
	ok(caps_of(status, "\nCapAmb:") == want);
	ok(caps_of(status, "\nCapPrm:") == want);
	ok(caps_of(status, "\nCapEff:") == want);
	launch_abandon(begun);
	ok_int(init_find(status, sizeof status), 0);
}

static void of_an_ordinary_run_nothing_for_sockets(void)
{
	init_has(false, ALWAYS);
}

static void of_scoped_egress_what_its_sockets_need(void)
{
	init_has(true, ALWAYS | SOCKETS);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(of_an_ordinary_run_nothing_for_sockets),
		CASE(of_scoped_egress_what_its_sockets_need), TAP_END });
}
