/* plan_host_runtime.c -- which interpreters outside /usr are shown, and why
 * others are not. */
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

static void host_begin(void)
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
	host.ro = ro;
	host.ro_len = ro != NULL;

	ok_int(setenv("PATH", path, 1), 0);
	spec.runtime = (struct spec_list){ .items = dirs, .len = dir ? 2 : 0 };
	spec.argv = argv;
	spec.argc = command != NULL;
	return host_runtime_read(&host, &spec, &err);
}

static int named(const char *dir)
{
	return look(dir, NULL, "/usr/bin:/bin");
}

static void a_named_prefix_is_shown_where_it_lies(void)
{
	prefix_make("good");
	ok_int(named(at("good")), 0);
	ok_int((intmax_t)host.runtime_len, 1);
	ok(host.runtime_len == 1 &&
	   strcmp(host.runtime[0].path, at("good")) == 0 &&
	   strcmp(host.runtime[0].dst, at("good")) == 0);
	/* its link is followed */
	ok_int(symlink("good", at("link")), 0);
	ok_int(look(at("link"), NULL, "/usr/bin"), 0);
	ok_int((intmax_t)host.runtime_len, 1);
	/* what lies in /usr is there already */
	ok_int(named("/usr"), 0);
	ok_int((intmax_t)host.runtime_len, 0);
}

static void a_prefix_that_shows_too_much_is_refused(void)
{
	static const char *const bad[] = { "/",    "/home", "/root", "/etc",
					   "/var", "/tmp",  "/dev",  "/proc" };

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (access(bad[i], F_OK) < 0)
			continue;
		ok_int(named(bad[i]), -EINVAL);
		ok_has(err.what, "--runtime: ");
		ok_has(err.what, bad[i]);
		ok_int(err.cause, CUPEL_CAUSE_CALLER);
	}
	ok_int(named(at("nosuch")), -ENOENT);
	ok_has(err.what, "--runtime: ");
}

static void home_and_repository_are_refused(void)
{
	prefix_make("own");
	ok_int(setenv("HOME", at("own"), 1), 0);
	ok_int(named(at("own")), -EINVAL);
	ok_has(err.what, "home directory");
	ok_int(setenv("HOME", at("own/lib"), 1), 0);
	ok_int(named(at("own")), -EINVAL);
	ok_int(setenv("HOME", "/", 1), 0);
	repo = at("own/lib");
	ok_int(named(at("own")), -EINVAL);
	ok_has(err.what, "contains the repository");
	repo = top;
	ok_int(named(at("own")), -EINVAL);
	ok_has(err.what, "lies in the repository");
	repo = NULL;
}

static void what_others_can_change_is_refused(void)
{
	prefix_make("open");
	ok_int(chmod(at("open"), 0775), 0);
	ok_int(named(at("open")), -EINVAL);
	ok_has(err.what, "writable by others");
	ok_int(chmod(at("open"), 0755), 0);
	ok_int(chmod(at("open/lib"), 0757), 0);
	ok_int(named(at("open")), -EINVAL);
	ok_has(err.what, "does not look like");
	ok_int(chmod(at("open/lib"), 0755), 0);
	ok_int(named(at("open")), 0);
	if (geteuid() == 0) {
		ok_int(chown(at("open"), 1234, 1234), 0);
		ok_int(named(at("open")), -EINVAL);
		ok_has(err.what, "not owned by");
	}
	dir_make(at("bare"), 0755);
	dir_make(at("bare/bin"), 0755);
	ok_int(named(at("bare")), -EINVAL);
	ok_has(err.what, "does not look like");
	dir_make(at("bare/lib64"), 0755);
	ok_int(named(at("bare")), 0);
}

static void the_command_is_found_where_the_caller_would(void)
{
	char path[PATH_MAX];

	prefix_make("first");
	prefix_make("second");
	(void)snprintf(path, sizeof path, "relative::%s:%s:/usr/bin",
		       at("first/bin"), at("second/bin"));
	ok_int(look(NULL, "zzlang", path), 0);
	ok(host.runtime_len == 1 &&
	   strcmp(host.runtime[0].path, at("first")) == 0);
	/* a path is no name, and what no place has is looked for inside */
	ok_int(look(NULL, "./zzlang", path), 0);
	ok_int(look(NULL, "zznone", path), 0);
	ok_int((intmax_t)host.runtime_len, 0);
	/* a virtualenv and what it was made from */
	prefix_make("venv");
	ok_int(unlink(at("venv/bin/zzlang")), 0);
	ok_int(symlink(at("first/bin/zzlang"), at("venv/bin/zzlang")), 0);
	ok_int(look(NULL, "zzlang", at("venv/bin")), 0);
	ok(host.runtime_len == 2 &&
	   strcmp(host.runtime[0].path, at("venv")) == 0 &&
	   strcmp(host.runtime[1].path, at("first")) == 0);
	/* never from the repository */
	repo = at("first");
	ok_int(look(NULL, "zzlang", path), 0);
	repo = NULL;
	ok(host.runtime_len == 1 &&
	   strcmp(host.runtime[0].path, at("second")) == 0);
}

static void what_is_passed_over_names_the_option(void)
{
	dir_make(at("shims"), 0755);
	program_make(at("shims/zzlang"));
	ok_int(look(NULL, "zzlang", at("shims")), -ENOENT);
	ok_has(err.what, at("shims/zzlang"));
	ok_has(err.what, "--runtime DIR");
	/* with a prefix named, the caller has answered */
	prefix_make("answer");
	ok_int(look(at("answer"), "zzlang", at("shims")), 0);
	ok_int((intmax_t)host.runtime_len, 1);
}

static void a_prefix_and_a_ro_target_stay_apart(void)
{
	static const char *const overlaps[] = { "side", "side/lib", "." };
	struct host_source source = { 0 };
	char own[PATH_MAX];
	char dst[PATH_MAX];

	prefix_make("side");
	(void)snprintf(own, sizeof own, "%s/side", top);
	(void)snprintf(dst, sizeof dst, "%s/side2", top);
	source.dst = dst;
	ro = &source;
	ok_int(named(own), 0);
	for (size_t i = 0; i < 3; i++) {
		(void)snprintf(dst, sizeof dst, "%s/%s", top, overlaps[i]);
		if (i == 2)
			dst[strlen(top)] = '\0';
		ok_int(named(own), -EINVAL);
		ok_has(err.what, "--runtime: ");
		ok_has(err.what, "--ro target");
		ok_has(err.what, dst);
	}
	ro = NULL;
}

static void there_is_an_end_to_them(void)
{
	const char *dirs[17];
	char own[17][64];

	for (int i = 0; i < 17; i++) {
		(void)snprintf(own[i], sizeof own[i], "%s/n%d", top, i);
		prefix_make(own[i] + strlen(top) + 1);
		dirs[i] = own[i];
	}
	spec.argc = 0;
	spec.runtime = (struct spec_list){ .items = dirs, .len = 16 };
	host_begin();
	ok_int(host_runtime_read(&host, &spec, &err), 0);
	spec.runtime.len = 17;
	host_begin();
	ok_int(host_runtime_read(&host, &spec, &err), -E2BIG);
	ok_has(err.what, "more than 16");
}

int main(void)
{
	int r;

	if (mkdtemp(top) == NULL) {
		printf("1..0 # SKIP no directory can be made in /opt\n");
		return 0;
	}
	(void)chmod(top, 0755);
	(void)setenv("HOME", "/", 1);
	r = tap_run((struct tap_case[]){
		CASE(a_named_prefix_is_shown_where_it_lies),
		CASE(a_prefix_that_shows_too_much_is_refused),
		CASE(home_and_repository_are_refused),
		CASE(what_others_can_change_is_refused),
		CASE(the_command_is_found_where_the_caller_would),
		CASE(what_is_passed_over_names_the_option),
		CASE(a_prefix_and_a_ro_target_stay_apart),
		CASE(there_is_an_end_to_them),
		TAP_END,
	});
	host_done(&host);
	(void)nftw(top, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return r;
}
