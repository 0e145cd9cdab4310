/* cli_file.c -- the caller's files are replaced whole or not at all. */
#include "cli/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "tap.h"

static struct cupel_error err;

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ok(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	(void)close(fd);
}

static void has(const char *path, const char *text)
{
	owned_buf struct buf out = { 0 };

	ok_int(file_read_all(path, 4096, &out, &err), 0);
	ok(strcmp(out.bytes != NULL ? out.bytes : "", text) == 0);
}

static int entries(void)
{
	DIR *d = opendir(".");
	int count = 0;

	while (d != NULL && readdir(d) != NULL)
		count++;
	if (d != NULL)
		(void)closedir(d);
	return count - 2;
}

static void replaces_a_file(void)
{
	struct stat before, after;

	put("a", "old");
	ok(stat("a", &before) == 0);
	ok_int(file_can_write("a", &err), 0);
	ok_int(file_write("a", 0666, "new", 3, &err), 0);
	has("a", "new");
	ok(stat("a", &after) == 0 && before.st_ino != after.st_ino);
	ok_int(entries(), 1);
	ok(unlink("a") == 0);
}

static void writes_through_no_link(void)
{
	put("victim", "precious");
	ok(symlink("victim", "link") == 0);
	ok_int(file_can_write("link", &err), -ELOOP);
	ok_has(err.what, "link: is a symbolic link");
	ok_int(file_write("link", 0666, "new", 3, &err), -ELOOP);
	has("victim", "precious");
	ok(symlink("nowhere", "dangling") == 0);
	ok_int(file_write("dangling", 0666, "new", 3, &err), -ELOOP);
	ok(access("nowhere", F_OK) < 0);
	ok(unlink("link") == 0 && unlink("victim") == 0 &&
	   unlink("dangling") == 0);
}

static void leaves_nothing_when_it_fails(void)
{
	ok_int(file_write("no/such", 0666, "x", 1, &err), -ENOENT);
	ok_has(err.what, "no: No such file");
	ok_int(file_can_write("no/such", &err), -ENOENT);
	ok(mkdir("d", 0700) == 0);
	ok_int(file_can_write("d", &err), -EISDIR);
	ok_int(file_write("d", 0666, "x", 1, &err), -EISDIR);
	ok_int(file_can_write("d/", &err), -EISDIR);
	ok_int(entries(), 1);
	ok(rmdir("d") == 0);
	ok_int(file_write("", 0666, "x", 1, &err), -ENOENT);
}

static void writes_to_descriptors_and_devices(void)
{
	char path[32], got[8] = { 0 };
	int ends[2];

	ok(pipe(ends) == 0);
	(void)snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
	ok_int(file_can_write(path, &err), 0);
	ok_int(file_write(path, 0666, "hi", 2, &err), 0);
	ok(read(ends[0], got, sizeof got) == 2 && strcmp(got, "hi") == 0);
	ok_int(file_write("/dev/null", 0666, "hi", 2, &err), 0);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

/* A link in /var that root owns is the system's own; such a link elsewhere is
 * not. */
static void follows_the_links_of_the_system_only(void)
{
	struct stat st;
	int e;

	if (lstat("/var/run", &st) == 0 && S_ISLNK(st.st_mode) &&
	    st.st_uid == 0) {
		e = file_can_write("/var/run/cupel-none", &err);
		ok(e == 0 || e == -EACCES);
	}
	ok(symlink("/run", "run") == 0);
	ok_int(file_can_write("run/cupel-none", &err), -ELOOP);
	ok_has(err.what, "run: is a symbolic link");
	ok_int(file_can_write("./run/../cupel-none", &err), -ELOOP);
	ok_int(file_can_write("/proc/self/cwd/a", &err), -ELOOP);
	ok_int(file_can_write("..", &err), -EINVAL);
	ok(unlink("run") == 0);
}

static void reads_no_more_than_the_cap(void)
{
	owned_buf struct buf out = { 0 };

	put("a", "12345");
	ok_int(file_read_all("a", 5, &out, &err), 0);
	ok(out.len == 5);
	ok_int(file_read_all("a", 4, &out, &err), -EFBIG);
	ok_has(err.what, "a: longer than 4 bytes");
	ok_int(file_read_all("/dev/zero", 1 << 20, &out, &err), -EFBIG);
	ok_int(file_read_all(".", 4, &out, &err), -EISDIR);
	ok(unlink("a") == 0);
}

int main(void)
{
	char dir[] = "/tmp/cupel-cli-file-XXXXXX";
	int r;

	if (mkdtemp(dir) == NULL || chdir(dir) < 0)
		return 1;
	r = tap_run((struct tap_case[]){
		CASE(replaces_a_file), CASE(writes_through_no_link),
		CASE(leaves_nothing_when_it_fails),
		CASE(writes_to_descriptors_and_devices),
		CASE(follows_the_links_of_the_system_only),
		CASE(reads_no_more_than_the_cap), TAP_END });
	return chdir("/") < 0 || rmdir(dir) < 0 ? 1 : r;
}
