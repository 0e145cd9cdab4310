/* Files of an earlier phase: which ones belong to a later phase, and which do
 * not. */
#include "supervise/old_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "artifact_world.h"
#include "tap.h"

static bool is_old(const struct old_files *old, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is = old_files_has(old, fd);

	ok(fd >= 0);
	(void)close(fd);
	return is;
}

static void a_file_is_old_until_it_is_written_to(void)
{
	struct timespec times[2] = { { .tv_sec = 0 }, { .tv_sec = 5 } };
	struct old_files old = { 0 };
	const char *const f = "../vessel/scratch/f", *const g = "../vessel/g";

	set_up();
	put(f, "one");
	ok_int(utimensat(AT_FDCWD, f, times, 0), 0);
	old_files_mark(&old, tmpfs_fd, "/scratch/f");
	ok_int(old.len, 1);
	ok(is_old(&old, f));
	ok_int(chmod(f, 0400), 0);
	ok_int(rename(f, g), 0);
	ok(is_old(&old, g)); /* it is the same file */
	put(f, "one");
	ok_int(utimensat(AT_FDCWD, f, times, 0), 0);
	ok(!is_old(&old, f)); /* another of the same size and time */
	ok_int(chmod(g, 0600), 0);
	put(g, "two");
	ok(!is_old(&old, g)); /* of another time */
	ok_int(truncate(g, 2), 0);
	ok_int(utimensat(AT_FDCWD, g, times, 0), 0);
	ok(!is_old(&old, g)); /* of another size */
	ok(!is_old(NULL, g));
	old_files_done(&old);
	tear_down();
}

static void a_file_of_two_names_stays_old(void)
{
	struct old_files old = { 0 };
	const char *const f = "../vessel/scratch/f";

	set_up();
	put(f, "one");
	ok_int(link(f, "../vessel/scratch/log"), 0);
	old_files_mark(&old, tmpfs_fd, "/scratch/f");
	ok_int(unlink("../vessel/scratch/log"), 0);
	put(f, "more");
	ok(is_old(&old, f));
	old_files_done(&old);
	tear_down();
}

static void all_files_below_a_directory_are_old(void)
{
	struct old_files old = { 0 };

	set_up();
	ok_int(mkdir("../vessel/upper/d", 0755), 0);
	ok_int(mkdir("../vessel/upper/d/e", 0755), 0);
	put("../vessel/upper/d/f", "f");
	put("../vessel/upper/d/e/g", "g");
	put("../vessel/upper/h", "h");
	ok_int(symlink("../h", "../vessel/upper/d/l"), 0);
	old_files_mark(&old, tmpfs_fd, "/repo/d/");
	ok_int(old.len, 2);
	ok(!old.is_unknown);
	ok(is_old(&old, "../vessel/upper/d/f"));
	ok(is_old(&old, "../vessel/upper/d/e/g"));
	ok(!is_old(&old, "../vessel/upper/h")); /* not through the link */
	old_files_done(&old);
	tear_down();
}

static void what_cannot_be_looked_at_makes_all_old(void)
{
	struct old_files old = { 0 };

	set_up();
	put("../vessel/scratch/f", "f");
	old_files_mark(&old, tmpfs_fd, "/scratch/none");
	old_files_mark(&old, tmpfs_fd, "/etc/passwd");
	ok(!old.is_unknown);
	ok(!is_old(&old, "../vessel/scratch/f"));
	old_files_mark(&old, tmpfs_fd, "/scratch/f/below");
	ok(old.is_unknown);
	ok(is_old(&old, "../vessel/scratch/f"));
	old_files_done(&old);
	ok_int(symlink("f", "../vessel/scratch/l"), 0);
	old_files_mark(&old, tmpfs_fd, "/scratch/l/x");
	ok(old.is_unknown);
	old_files_done(&old);
	old_files_mark(&old, tmpfs_fd, "/scratch/l");
	ok(!old.is_unknown); /* only another one can be a file */
	ok_int(old.len, 0);
	old_files_done(&old);
	tear_down();
}

/* More names than are examined, half of them links, which are never noted. */
static void too_many_names_make_all_old(void)
{
	struct old_files old = { 0 };
	bool failed = false;

	set_up();
	ok_int(mkdir("../vessel/scratch/d", 0755), 0);
	put("../vessel/scratch/f", "f");
	put("../vessel/scratch/d/0", "");
	for (int i = 1; i <= 256; i++) {
		char name[64];

		(void)snprintf(name, sizeof name, "../vessel/scratch/d/d%d", i);
		ok_int(mkdir(name, 0755), 0);
		for (int j = 0; j < 257; j++) {
			(void)snprintf(name, sizeof name,
				       "../vessel/scratch/d/d%d/%d", i, j);
			if (j % 2 == 0)
				failed |= symlink("0", name) < 0;
			else if (link("../vessel/scratch/d/0", name) < 0)
				put(name, "");
		}
	}
	ok(!failed);
	old_files_mark(&old, tmpfs_fd, "/scratch/d");
	ok(old.is_unknown);
	ok(is_old(&old, "../vessel/scratch/f"));
	old_files_done(&old);
	tear_down();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_file_is_old_until_it_is_written_to),
		CASE(a_file_of_two_names_stays_old),
		CASE(all_files_below_a_directory_are_old),
		CASE(what_cannot_be_looked_at_makes_all_old),
		CASE(too_many_names_make_all_old), TAP_END });
}
