/* procs.c -- see procs.h. */
#include "live/procs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARGS_MAX    256
#define CMDLINE_MAX 4096

extern char **environ;
static char here[64]; /* used by procs_here */
static char *listing; /* nftw(3) has no argument for its function */

static void die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(99);
}

int64_t procs_now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

pid_t procs_start(const char *const args[], int out_fd)
{
	static char path[4096];
	const char *build = getenv("BUILD");
	posix_spawn_file_actions_t files;
	char *argv[ARGS_MAX + 2] = { path };
	pid_t pid;

	snprintf(path, sizeof path, "%s/cupel", build ? build : ".");
	for (size_t i = 0; args[i] != NULL && i < ARGS_MAX; i++)
		argv[i + 1] = (char *)(uintptr_t)args[i];
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	if (out_fd >= 0)
		posix_spawn_file_actions_adddup2(&files, out_fd, 1);
	else
		posix_spawn_file_actions_addopen(&files, 1, "/dev/null",
						 O_WRONLY, 0);
	errno = posix_spawn(&pid, path, &files, NULL, argv, environ);
	if (errno != 0)
		die(path);
	posix_spawn_file_actions_destroy(&files);
	return pid;
}

void procs_adopt(void)
{
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		die("PR_SET_CHILD_SUBREAPER");
}

/* The processes of the machine that run or wait for the kernel, and our children. */
static void busy_tell(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;

	while (proc != NULL && (e = readdir(proc)) != NULL) {
		char path[300], name[64], state;
		int pid, parent, n;
		FILE *f;

		snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
		f = e->d_name[0] >= '1' && e->d_name[0] <= '9'
			    ? fopen(path, "re")
			    : NULL;
		if (f == NULL)
			continue;
		n = fscanf(f, "%d (%63[^)]) %c %d", &pid, name, &state,
			   &parent);
		if (n == 4 && pid != getpid() &&
		    (state == 'R' || state == 'D' || parent == getpid()))
			fprintf(stderr, "# late: %d %s, child of %d, %c\n", pid,
				name, parent, state);
		fclose(f);
	}
	if (proc != NULL)
		closedir(proc);
}

int64_t procs_gone_us(int64_t limit_us)
{
	int64_t start = procs_now_us();
	bool is_told = false;
	const struct timespec nap = { .tv_nsec = 200000 };

	for (;;) {
		pid_t pid = waitpid(-1, NULL, WNOHANG);
		int64_t took = procs_now_us() - start;

		if (pid < 0 && errno == ECHILD)
			return took;
		if (pid == 0 && took > limit_us)
			return -1;
		if (pid == 0 && took > LATE_US && !is_told) {
			is_told = true;
			busy_tell();
		}
		if (pid == 0)
			nanosleep(&nap, NULL);
	}
}

static bool argv_has(const char *pid, const char *text)
{
	char path[300], line[CMDLINE_MAX + 1];
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%s/cmdline", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, line, CMDLINE_MAX);
	close(fd);
	for (ssize_t i = 0; i < n; i++)
		if (line[i] == '\0')
			line[i] = ' ';
	line[n > 0 ? n : 0] = '\0';
	return strstr(line, text) != NULL;
}

static int each_process(const char *text, int sig)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;
	int found = 0;

	if (proc == NULL)
		die("/proc");
	while ((e = readdir(proc)) != NULL) {
		pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);

		if (pid <= 0 || pid == getpid() || !argv_has(e->d_name, text))
			continue;
		found++;
		if (sig != 0)
			(void)kill(pid, sig);
	}
	closedir(proc);
	return found;
}

int procs_count(const char *text)
{
	return each_process(text, 0);
}

void procs_kill(const char *text)
{
	(void)each_process(text, SIGKILL);
}

static int listing_add(const char *path, const struct stat *st, int type,
		       struct FTW *ftw)
{
	size_t len = strlen(listing);
	char *more = realloc(listing, len + strlen(path) + 32);

	(void)type;
	(void)ftw;
	if (more == NULL)
		return 1;
	listing = more;
	snprintf(listing + len, strlen(path) + 32, "%s %lld\n", path,
		 S_ISREG(st->st_mode) ? (long long)st->st_size : 0LL);
	return 0;
}

char *procs_listing(const char *dir)
{
	listing = calloc(1, 1);
	if (listing == NULL || nftw(dir, listing_add, 16, FTW_PHYS) != 0)
		die(dir);
	return listing;
}

void procs_here(void)
{
	char home[128];
	FILE *f;

	snprintf(here, sizeof here, "/tmp/cupel-here.XXXXXX");
	if (mkdtemp(here) == NULL || chdir(here) < 0)
		die(here);
	snprintf(home, sizeof home, "%s/home", here);
	if (mkdir("home", 0700) < 0 || mkdir("repo", 0755) < 0)
		die(home);
	f = fopen("repo/x.c", "w");
	if (f == NULL || fputs("int x;\n", f) < 0 || fclose(f) != 0)
		die("repo/x.c");
	if (chmod(here, 0755) < 0 || chdir("repo") < 0 ||
	    setenv("HOME", home, 1) < 0 || setenv("TMPDIR", home, 1) < 0)
		die(here);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void procs_leave(void)
{
	if (chdir("/") == 0)
		(void)nftw(here, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

bool procs_is_full(void)
{
	const char *tier = getenv("CUPEL_TIER");

	return tier != NULL && strcmp(tier, "full") == 0;
}
