/* runtime_world.h -- prefixes of interpreters made in /opt, and a look at them. */
#ifndef CUPEL_TESTS_RUNTIME_WORLD_H
#define CUPEL_TESTS_RUNTIME_WORLD_H

#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "plan/host_path.h"
#include "spec/spec.h"

/* A prefix below /tmp would be refused for where it lies. */
static char top[] = "/opt/cupel-runtime.XXXXXX";
static struct host host;
static struct spec spec;
static struct cupel_error err;

__attribute__((format(printf, 1, 2))) static const char *at(const char *fmt,
							    ...)
{
	static char paths[4][PATH_MAX];
	static unsigned next;
	char *path = paths[next++ % 4];
	int n = snprintf(path, PATH_MAX, "%s/", top);
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(path + n, (size_t)(PATH_MAX - n), fmt, ap);
	va_end(ap);
	return path;
}

static void dir_make(const char *path, mode_t mode)
{
	ok(mkdir(path, 0755) == 0 || errno == EEXIST);
	ok_int(chmod(path, mode), 0);
}

static void program_make(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);

	ok(fd >= 0);
	(void)close(fd);
}

static void prefix_make(const char *name)
{
	dir_make(at("%s", name), 0755);
	dir_make(at("%s/bin", name), 0755);
	dir_make(at("%s/lib", name), 0755);
	program_make(at("%s/bin/zzlang", name));
}

static int remove_one(const char *path, const struct stat *st, int kind,
		      struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

/* For the next looks; NULL = none. */
static const char *repo;
static struct host_source *ro;

static inline void repo_is(const char *name)
{
	static char path[PATH_MAX];

	(void)snprintf(path, sizeof path, "%s", at("%s", name));
	repo = path;
}

static inline void host_begin(void)
{
	host_done(&host);
	host = (struct host){ .uid = geteuid() };
	err = (struct cupel_error){ 0 };
}

/* host_runtime_read for --runtime DIR, twice (NULL: none), and COMMAND. */
static int look(const char *dir, const char *command, const char *path)
{
	const char *dirs[] = { dir, dir };
	const char *argv[] = { command };

	host_begin();
	host.has_repo = repo != NULL;
	host.repo.path = repo;
	host.repo.dst = "/repo";
	host.ro = ro;
	host.ro_len = ro != NULL;

	ok_int(setenv("PATH", path, 1), 0);
	spec.runtime = (struct spec_list){ .items = dirs, .len = dir ? 2 : 0 };
	spec.argv = argv;
	spec.argc = command != NULL;
	return host_runtime_read(&host, &spec, &err);
}

static int world_run(const struct tap_case cases[])
{
	int r;

	if (mkdtemp(top) == NULL) {
		printf("1..0 # SKIP no directory can be made in /opt\n");
		return 0;
	}
	(void)chmod(top, 0755);
	(void)setenv("HOME", "/", 1);
	r = tap_run(cases);
	host_done(&host);
	(void)nftw(top, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return r;
}

#endif
