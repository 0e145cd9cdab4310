/* service_filter_load.c -- filters by name and by path, and the cache of them. */
#include "tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "service/filter_cache.h"
#include "service/filter_load.h"

static const char policy[] =
	"{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"typo\":1,\"syscalls\":[{"
	"\"names\":[\"read\",\"nosuch\"],\"action\":\"SCMP_ACT_ALLOW\"}]}";

static char home[] = "/tmp/filter_load.XXXXXX";
static char file[64], cache[64], entry[256];
static struct arena arena;
static struct cupel_error err;

static int load(const char *what, struct filter *ret)
{
	arena_done(&arena);
	memset(&err, 0, sizeof err);
	memset(ret, 0, sizeof *ret);
	return filter_load(what, &arena, ret, &err);
}

static void write_file(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ok(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
	(void)close(fd);
}

/* Returns the number of entries; entry gets the path of the last one. */
static int count_entries(void)
{
	DIR *d = opendir(cache);
	struct dirent *e;
	int n = 0;

	while (d && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.') {
			n++;
			(void)snprintf(entry, sizeof entry, "%s/%.80s", cache,
				       e->d_name);
		}
	if (d)
		(void)closedir(d);
	return n;
}

static void empty_cache(void)
{
	while (count_entries() > 0)
		(void)unlink(entry);
}

static size_t read_entry(char *bytes, size_t room)
{
	int fd = open(entry, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, bytes, room);

	(void)close(fd);
	return n < 0 ? 0 : (size_t)n;
}

static void is_right(const struct filter *f)
{
	static const uint64_t none[6];

	ok(f->len > 0 && f->insns != NULL);
	ok(f->name && strcmp(f->name, file) == 0);
	ok(f->hash && strncmp(f->hash, "blake3:", 7) == 0);
	ok_int((intmax_t)f->warnings_len, 2);
	if (f->warnings_len == 2) {
		ok_has(f->warnings[0], "typo");
		ok_has(f->warnings[1], "nosuch");
	}
#ifdef __x86_64__
	ok_int(filter_run(f, 0xc000003e, 0, none), SECCOMP_RET_ALLOW);
	ok_int(filter_run(f, 0xc000003e, 1, none), SECCOMP_RET_ERRNO | EPERM);
#else
	ok_int(filter_run(f, 0xc00000b7, 63, none), SECCOMP_RET_ALLOW);
	ok_int(filter_run(f, 0xc00000b7, 64, none), SECCOMP_RET_ERRNO | EPERM);
#endif
}

static void finds_shipped_ones_by_name(void)
{
	struct filter f;

	ok_int(load("default", &f), 0);
	ok(f.insns == filter_find("default")->insns);
	ok_int(load("nosuch", &f), -EINVAL);
	ok_has(err.what, "--seccomp: nosuch: is not default");
	ok_int(load("", &f), -EINVAL);
	ok_int(load("cross", &f), -EINVAL);
	ok(count_entries() == 0);
}

/* A miss writes a new file, so the inode shows a hit. */
static void compiles_a_file_once(void)
{
	struct filter f;
	struct stat st, again;

	empty_cache();
	ok_int(load(file, &f), 0);
	is_right(&f);
	ok_int(count_entries(), 1);
	ok(stat(entry, &st) == 0 && (st.st_mode & 0777) == 0600);
	ok(stat(cache, &st) == 0 && (st.st_mode & 0777) == 0700);
	ok(stat(entry, &st) == 0);
	ok_int(load(file, &f), 0);
	is_right(&f);
	ok_int(count_entries(), 1);
	ok(stat(entry, &again) == 0 && again.st_ino == st.st_ino);
	write_file(file, policy, sizeof policy - 2); /* not a policy any more */
	ok_int(load(file, &f), -EINVAL);
	write_file(file, policy, sizeof policy - 1);
}

/* An entry that is found is really used.  An entry under another key's name has
 * the filter of another file, and its MAC is wrong there. */
static void believes_no_planted_entry(void)
{
	struct filter f;
	char good[1 << 16], bad[1 << 16], name[256];
	size_t n;

	empty_cache();
	ok_int(load(file, &f), 0);
	ok_int(count_entries(), 1);
	(void)snprintf(name, sizeof name, "%s", entry);
	n = read_entry(good, sizeof good);
	ok(n > 200);
	for (size_t at = 0; at < n; at += n / 37) {
		memcpy(bad, good, n);
		bad[at] ^= 1;
		write_file(name, bad, n);
		ok_int(load(file, &f), 0);
		is_right(&f);
		ok(read_entry(bad, sizeof bad) == n &&
		   memcmp(bad, good, n) == 0);
	}
	for (size_t cut = 0; cut < n; cut += n / 17) {
		write_file(name, good, cut);
		ok_int(load(file, &f), 0);
		is_right(&f);
	}
	memset(bad, 'x', sizeof bad);
	write_file(name, bad, sizeof bad);
	ok_int(load(file, &f), 0);
	is_right(&f);
	/* another file's entry under this one's name */
	write_file(file, "{\"defaultAction\":\"SCMP_ACT_ALLOW\"}", 34);
	ok_int(unlink(name), 0);
	ok_int(load(file, &f), 0);
	ok_int(count_entries(), 1);
	ok(strcmp(entry, name) != 0 && rename(entry, name) == 0);
	write_file(file, policy, sizeof policy - 1);
	ok_int(load(file, &f), 0);
	is_right(&f);
}

static void believes_only_its_own_files(void)
{
	static const mode_t modes[] = { 0770, 0702, 0750, 0755 };
	struct filter f;
	struct stat st;
	char elsewhere[80];

	empty_cache();
	(void)snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", home);
	ok_int(load(file, &f), 0);
	ok_int(count_entries(), 1);
	ok(rename(entry, elsewhere) == 0 && symlink(elsewhere, entry) == 0);
	ok_int(load(file, &f), 0);
	is_right(&f);
	ok(access(elsewhere, F_OK) == 0);
	ok(lstat(entry, &st) == 0 && S_ISREG(st.st_mode));
	ok_int(chmod(entry, 0644), 0);
	ok_int(load(file, &f), 0);
	is_right(&f);
	ok(stat(entry, &st) == 0 && (st.st_mode & 0777) == 0600);
	(void)unlink(elsewhere);
	ok_int(link(entry, elsewhere), 0);
	ok_int(load(file, &f), 0);
	ok(stat(entry, &st) == 0 && st.st_nlink == 1);
	/* a directory that others can write to or read is left alone */
	empty_cache();
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		ok_int(chmod(cache, modes[i]), 0);
		ok_int(load(file, &f), 0);
		is_right(&f);
		ok_int(count_entries(), 0);
	}
	ok_int(chmod(cache, 0700), 0);
	/* one below a directory that others can write to is not used either */
	ok_int(chmod(home, 0770), 0);
	ok_int(load(file, &f), 0);
	ok_int(count_entries(), 0);
	ok_int(chmod(home, 0700), 0);
	(void)unlink(elsewhere);
}

static void runs_without_a_cache(void)
{
	struct filter f;

	empty_cache();
	ok(setenv("XDG_CACHE_HOME", "/dev/null/none", 1) == 0);
	ok_int(load(file, &f), 0);
	is_right(&f);
	ok(setenv("XDG_CACHE_HOME", "relative", 1) == 0);
	ok(unsetenv("HOME") == 0);
	ok_int(load(file, &f), 0);
	is_right(&f);
	ok_int(count_entries(), 0);
	ok(setenv("HOME", home, 1) == 0);
	ok_int(load(file, &f), 0);
	is_right(&f);
	(void)snprintf(cache, sizeof cache, "%s/.cache/cupel/filters", home);
	ok_int(count_entries(), 1);
}

static void is_emptied_when_too_full(void)
{
	struct filter f;

	for (int i = 0; i < FILTER_CACHE_ENTRIES + 3; i++) {
		char path[128];

		(void)snprintf(path, sizeof path, "%s/x%d", cache, i);
		write_file(path, "", 0);
	}
	write_file(file, "{\"defaultAction\":\"SCMP_ACT_KILL\"}", 33);
	ok_int(load(file, &f), 0);
	ok_int(count_entries(), 1);
	write_file(file, policy, sizeof policy - 1);
}

static void refuses_files_that_are_none(void)
{
	struct filter f;
	char *big = calloc(1, FILTER_FILE_BYTES + 1);
	char path[96];

	ok_int(load("/nonexistent/x.json", &f), -ENOENT);
	ok_has(err.what, "--seccomp: /nonexistent/x.json: No such file");
	ok_int(load("/tmp/", &f), -EINVAL);
	ok_has(err.what, "not a regular file");
	(void)snprintf(path, sizeof path, "%s/fifo", home);
	ok(mkfifo(path, 0600) == 0);
	ok_int(load(path, &f), -EINVAL);
	ok(unlink(path) == 0);
	(void)snprintf(path, sizeof path, "%s/big.json", home);
	memset(big, ' ', FILTER_FILE_BYTES + 1);
	write_file(path, big, FILTER_FILE_BYTES + 1);
	ok_int(load(path, &f), -EINVAL);
	ok_has(err.what, "1 MiB");
	write_file(path, "{]", 2);
	ok_int(load(path, &f), -EINVAL);
	ok_has(err.what, "big.json:1:2: not JSON");
	ok(unlink(path) == 0);
	free(big);
}

int main(void)
{
	char command[128];
	int r;

	if (mkdtemp(home) == NULL)
		return 1;
	(void)snprintf(file, sizeof file, "%s/policy.json", home);
	(void)snprintf(cache, sizeof cache, "%s/cupel/filters", home);
	(void)setenv("XDG_CACHE_HOME", home, 1);
	write_file(file, policy, sizeof policy - 1);
	r = tap_run((struct tap_case[]){
		CASE(finds_shipped_ones_by_name), CASE(compiles_a_file_once),
		CASE(believes_no_planted_entry),
		CASE(believes_only_its_own_files), CASE(runs_without_a_cache),
		CASE(is_emptied_when_too_full),
		CASE(refuses_files_that_are_none), TAP_END });
	empty_cache();
	arena_done(&arena);
	(void)snprintf(command, sizeof command, "%s/.cache/cupel/filters",
		       home);
	for (char *end = command + strlen(command);
	     end > command + strlen(home); end = strrchr(command, '/')) {
		*end = '\0';
		(void)rmdir(command);
	}
	(void)snprintf(command, sizeof command, "%s/cupel/filters", home);
	(void)rmdir(command);
	(void)snprintf(command, sizeof command, "%s/cupel", home);
	(void)rmdir(command);
	(void)unlink(file);
	(void)rmdir(home);
	return r;
}
