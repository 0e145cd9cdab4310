/* see.c -- looking for what must not be visible: host paths, host processes,
 * host files, inherited descriptors and environment. */
#include "attack.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/* Read the named file. */
static void read_path(char **args)
{
	char buf[256];
	long n = file_read(arg(args, 0), buf, sizeof buf);

	if (n < 0)
		say(errno_name(errno), "%s", args[0]);
	if (n == 0)
		say("empty", "%s", args[0]);
	say("won", "%ld bytes of %s", n, args[0]);
}

/* Read the named file below any of the roots that a launcher may have left
 * behind. */
static void read_anywhere(char **args)
{
	static const char *const roots[] = {
		"",
		"/oldroot",
		"/old_root",
		"/.old",
		"/host",
		"/newroot",
		"/put_old",
		"/mnt",
		"/proc/1/root",
		"/proc/self/root/..",
		"/proc/self/cwd/../..",
		"/repo/../..",
		"/dev/fd/../../..",
		"/scratch/../..",
	};
	char path[1024], buf[256];
	const char *need = args[0] && args[1] ? args[1] : NULL;

	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
		(void)snprintf(path, sizeof path, "%s%s", roots[i],
			       arg(args, 0));
		if (file_read(path, buf, sizeof buf) <= 0)
			continue;
		if (!need || strstr(buf, need))
			say("won", "%s", path);
	}
	say("ENOENT", "%s", args[0]);
}

static void open_device(char **args)
{
	int fd = open(arg(args, 0), O_RDONLY | O_NONBLOCK | O_NOCTTY);

	say_errno(fd, args[0]);
}

/* Look for a text (a path of the host, a secret) in all files of our own /proc
 * directory. */
static void search_proc(char **args)
{
	static const char *const names[] = {
		"/proc/self/mountinfo",
		"/proc/self/mounts",
		"/proc/self/mountstats",
		"/proc/mounts",
		"/proc/self/environ",
		"/proc/self/maps",
		"/proc/self/comm",
		"/proc/self/status",
		"/proc/self/cgroup",
		"/proc/1/cmdline",
		"/proc/1/comm",
		"/proc/1/environ",
		"/proc/1/mountinfo",
		"/proc/1/stat",
		"/proc/1/status",
		"/proc/1/maps",
		"/proc/1/cgroup",
		"/proc/cmdline",
		"/proc/keys",
		"/proc/locks",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (has_text(names[i], arg(args, 0)) == 1)
			say("won", "%s", names[i]);
	say("unseen", "%s", args[0]);
}

static int link_has(const char *path, const char *text)
{
	char to[4096];
	ssize_t n = readlink(path, to, sizeof to - 1);

	if (n < 0)
		return 0;
	to[n] = '\0';
	return strstr(to, text) != NULL;
}

static void search_links(char **args)
{
	static const char *const names[] = {
		"/proc/self/exe", "/proc/self/cwd", "/proc/self/root",
		"/proc/1/exe",    "/proc/1/cwd",    "/proc/1/root",
		"/dev/stdin",     "/dev/stdout",    "/dev/fd/0",
	};
	const char *execfn = (const char *)getauxval(AT_EXECFN);
	char cwd[4096], path[64];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (link_has(names[i], arg(args, 0)))
			say("won", "%s", names[i]);
	for (int fd = 0; fd < 1024; fd++) {
		(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		if (link_has(path, args[0]))
			say("won", "descriptor %d", fd);
	}
	if (execfn && strstr(execfn, args[0]))
		say("won", "AT_EXECFN");
	if (getcwd(cwd, sizeof cwd) && strstr(cwd, args[0]))
		say("won", "getcwd");
	say("unseen", "%s", args[0]);
}

static void search_env(char **args)
{
	for (char **e = environ; *e; e++)
		if (strstr(*e, arg(args, 0)))
			say("won", "%s", *e);
	say("unseen", "%s", args[0]);
}

/* Look for a process whose command line contains the text, also by trying all
 * numbers. */
static void search_processes(char **args)
{
	char path[64], buf[4096];

	for (int pid = 1; pid < 65536; pid++) {
		long n;

		(void)snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
		n = file_read(path, buf, sizeof buf);
		if (n > 0 &&
		    memmem(buf, (size_t)n, arg(args, 0), strlen(args[0])) &&
		    pid != getpid())
			say("won", "process %d", pid);
	}
	say("unseen", "%s", args[0]);
}

/* List the processes in /proc: only our own may be there, and not init. */
static void list_processes(char **args)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	int others = 0;

	(void)args;
	if (!d)
		say(errno_name(errno), "/proc");
	while ((e = readdir(d)) != NULL)
		if (isdigit((unsigned char)e->d_name[0]) &&
		    atoi(e->d_name) != getpid())
			others++;
	if (others)
		say("won", "%d others", others);
	say("unseen", "only ourselves");
}

/* List open descriptors: all but 0, 1, 2 and 3 would belong to somebody
 * else. */
static void list_fds(char **args)
{
	int found = 0, last = -1;

	(void)args;
	for (int fd = 4; fd < 65536; fd++)
		if (fcntl(fd, F_GETFD) >= 0) {
			found++;
			last = fd;
		}
	if (found)
		say("won", "%d more, the last is %d", found, last);
	say("unseen", "none above 3");
}

/* Read each of the named files: "won" names those that give bytes. */
static void read_each(char **args)
{
	char list[2048] = "", buf[256];

	for (int i = 0; args[i]; i++)
		if (file_read(args[i], buf, sizeof buf) > 0 &&
		    strlen(list) + strlen(args[i]) + 2 < sizeof list)
			(void)strcat(strcat(list, args[i]), ",");
	say(list[0] ? "won" : "unseen", "%s", list);
}

/* Look for the host's control groups by name. */
static void cgroup_path(char **args)
{
	char buf[8192];
	char *save = NULL;

	(void)args;
	if (file_read("/proc/self/cgroup", buf, sizeof buf) < 0)
		say(errno_name(errno), "cgroup");
	for (char *l = strtok_r(buf, "\n", &save); l;
	     l = strtok_r(NULL, "\n", &save)) {
		char *path = strrchr(l, ':');

		if (path && strcmp(path, ":/") != 0)
			say("won", "%s", path + 1);
	}
	say("unseen", "every path is /");
}

/* List the directory: "won" when something is in it. */
static void list_dir(char **args)
{
	DIR *d = opendir(arg(args, 0));
	struct dirent *e;

	if (!d)
		say(errno_name(errno), "%s", args[0]);
	while ((e = readdir(d)) != NULL)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			say("won", "%s", e->d_name);
	say("empty", "%s", args[0]);
}

/* Climb above the root with chdir, by path and by descriptor. */
static void climb(char **args)
{
	struct stat root, here;
	int fd;

	for (int i = 0; i < 64; i++)
		if (chdir("..") < 0)
			break;
	if (stat("/", &root) < 0 || stat(".", &here) < 0)
		say(errno_name(errno), "stat");
	if (root.st_ino != here.st_ino || root.st_dev != here.st_dev)
		say("won", "above the root");
	fd = open("../../../../../..", O_PATH | O_DIRECTORY);
	if (fd >= 0 && faccessat(fd, arg(args, 0), F_OK, 0) == 0)
		say("won", "%s from above", args[0]);
	say("unseen", "the root is the root");
}

const struct attack attacks_see[] = {
	{ "read", read_path },
	{ "read-anywhere", read_anywhere },
	{ "read-each", read_each },
	{ "device", open_device },
	{ "search-proc", search_proc },
	{ "search-links", search_links },
	{ "search-env", search_env },
	{ "search-processes", search_processes },
	{ "list-processes", list_processes },
	{ "list-fds", list_fds },
	{ "cgroup-path", cgroup_path },
	{ "list-dir", list_dir },
	{ "climb", climb },
	{ 0 },
};
