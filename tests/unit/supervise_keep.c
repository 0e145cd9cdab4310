/* How keeping a cache ends: what is on the disk at which moment, and that
 * neither a time limit, nor a cancelled run, nor a slow disk makes it leave
 * anything behind. */
#include "supervise/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "keep_world.h"
#include "tap.h"

/* Nothing is kept, for that reason, and the directory is unchanged. */
static void ok_not_kept(const char *why)
{
	bool is_new = keep.tree[0] == '\0';
	struct kept kept;

	keep_write(&keep, &kept);
	ok(!kept.is_saved);
	ok(kept.why != NULL);
	ok_has(kept.why != NULL ? kept.why : "", why);
	ok_int(kept.bytes + kept.entries + kept.left_out, 0);
	ok_int(names_count(keep.dir_fd, ""), is_new ? 0 : 3);
	if (!is_new) {
		ok_has(text_of(keep.dir_fd, CACHE_CURRENT), OLD "\n");
		ok_has(text_of(keep.dir_fd, OLD "/old"), "old");
	}
}

static const char *notes(void)
{
	return text_of(AT_FDCWD, "log");
}

static void a_tree_is_on_the_disk_before_it_is_current(void)
{
	struct kept kept;

	set_up(false, 3);
	keep_write(&keep, &kept);
	ok(kept.is_saved && kept.why == NULL);
	ok(strcmp(notes(),
		  "syncfs: mark 1, trees 2, temps 1, current old;"
		  "fsync directory: mark 1, trees 2, temps 0, current new;") ==
	   0);
	ok_int(names_count(keep.dir_fd, ""), 3); /* the old one is gone */
	tear_down();
}

static void the_mark_of_a_new_cache_is_there_first(void)
{
	struct kept kept;

	set_up(true, 3);
	keep_write(&keep, &kept);
	ok(kept.is_saved);
	ok(strcmp(notes(),
		  "fsync file: mark 0, trees 0, temps 1, current none;"
		  "syncfs: mark 1, trees 1, temps 1, current none;"
		  "fsync directory: mark 1, trees 1, temps 0, current new;") ==
	   0);
	tear_down();
}

/* So does cupel-sync when it ends without a word. */
static void a_disk_that_fails_keeps_the_old(void)
{
	for (int i = 0; i < 4; i++) {
		set_up(i % 2 == 0, 3);
		disk = i < 2 ? SYNC_FAILS : SYNC_DIES;
		ok_not_kept("write_failed");
		tear_down();
	}
}

static uint64_t now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* cupel-sync was hung up on: its end of the socket says so. */
static void ok_hung_up(void)
{
	char byte;

	ok(hung >= 0);
	ok_int(recv(hung, &byte, 1, MSG_DONTWAIT), 0);
	(void)close(hung);
	hung = -1;
}

static void a_disk_that_hangs_is_left_alone(void)
{
	for (int is_new = 0; is_new < 2; is_new++) {
		uint64_t begin;

		set_up(is_new, 3);
		disk = SYNC_HANGS;
		begin = now_ms();
		keep.deadline_ns = (begin + 200) * 1000000;
		ok_not_kept("too_slow");
		ok(now_ms() - begin >= 200);
		ok(now_ms() - begin < 5000);
		ok_hung_up();
		tear_down();
	}
}

static void who_cancels_ends_the_wait_for_the_disk(void)
{
	const struct timespec soon = { .tv_nsec = 300000000 };
	uint64_t one = 1, begin;
	pid_t pid;

	set_up(false, 3);
	disk = SYNC_HANGS;
	keep.cancel_fd = eventfd(0, EFD_CLOEXEC);
	begin = now_ms();
	pid = fork();
	if (pid == 0) {
		(void)nanosleep(&soon, NULL);
		_exit(write(keep.cancel_fd, &one, sizeof one) < 0);
	}
	ok_not_kept("cancelled");
	ok(now_ms() - begin < 5000);
	ok_hung_up();
	ok_int(waitpid(pid, NULL, 0), pid);
	(void)close(keep.cancel_fd);
	tear_down();
}

static void cancelled_before_it_begins(void)
{
	for (int is_new = 0; is_new < 2; is_new++) {
		set_up(is_new, 3);
		keep.is_cancelled = true;
		ok_not_kept("cancelled");
		ok(notes()[0] == '\0');
		tear_down();
		set_up(is_new, 3);
		keep.cancel_fd = eventfd(1, EFD_CLOEXEC);
		ok_not_kept("cancelled");
		(void)close(keep.cancel_fd);
		tear_down();
	}
}

static void unchanged_is_no_failure_however_late_it_is(void)
{
	struct kept kept;

	set_up(false, 0);
	keep.is_cancelled = true;
	keep.deadline_ns = 0;
	keep_write(&keep, &kept);
	ok(!kept.is_saved && kept.why == NULL);
	tear_down();
}

/* The time may end anywhere: before, among the names, in the middle of a
 * file. */
static void out_of_time_anywhere(void)
{
	int fd;

	for (uint64_t ms = 0; ms < 60; ms++) {
		set_up(ms % 2 == 0, 10);
		fd = open("tmpfs/" PLAN_CACHE_DIR "/big",
			  O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		ok(fd >= 0 && ftruncate(fd, 100 * 65536) == 0);
		(void)close(fd);
		clock_ms = 1000;
		keep.deadline_ns = (1000 + ms) * 1000000;
		ok_not_kept("too_slow");
		tear_down();
	}
}

static void what_cannot_be_removed_in_time_the_next_one_removes(void)
{
	for (int is_new = 0; is_new < 2; is_new++) {
		struct kept kept;

		/* By the clock, 5 s to copy all and 2.5 s to remove it. */
		set_up(is_new, 125);
		clock_ms = 1000;
		clock_tick_ms = 20;
		keep.deadline_ns = 5500 * UINT64_C(1000000);
		keep_write(&keep, &kept);
		ok(kept.why != NULL && strcmp(kept.why, "too_slow") == 0);
		ok_int(names_count(keep.dir_fd, CACHE_TREE), 2 - is_new);
		ok_has(text_of(keep.dir_fd, CACHE_CURRENT),
		       is_new ? "" : OLD "\n");
		ok(cache_is_marked(keep.dir_fd)); /* or it would be refused */
		clock_ms = 0;
		keep.deadline_ns = UINT64_MAX;
		disk = SYNC_FAILS; /* this is also so if nothing is kept */
		keep_write(&keep, &kept);
		ok(!kept.is_saved);
		ok_int(names_count(keep.dir_fd, CACHE_TREE), 1 - is_new);
		disk = SYNC_WORKS;
		put("dir/.cupel-0123456789abcdef", "tree-01");
		keep_write(&keep, &kept);
		ok(kept.is_saved);
		ok_int(names_count(keep.dir_fd, ""), 3);
		tear_down();
	}
}

/* Nested directories with a file in each, in one of the two trees. */
static void deep_make(const char *where, const char *file, int n)
{
	char path[256] = "";

	(void)snprintf(path, sizeof path, "%s", where);
	for (int i = 0; i < n; i++) {
		size_t len = strlen(path);

		(void)snprintf(path + len, sizeof path - len, "/d");
		ok_int(mkdir(path, 0700), 0);
		len = strlen(path);
		(void)snprintf(path + len, sizeof path - len, "/%s", file);
		put(path, file);
		path[len] = '\0';
	}
}

static int files_count(int dir_fd, const char *name, const char *file)
{
	int at = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;
	int n = 0;

	while (at >= 0) {
		int next = openat(at, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		n += fstatat(at, file, &st, 0) == 0;
		(void)close(at);
		at = next;
	}
	return n;
}

/* A file that cannot be opened because descriptors are missing is never taken
 * for one that does not exist. */
static void out_of_descriptors_anywhere(void)
{
	struct rlimit all, few;
	int saved = 0;

	ok_int(getrlimit(RLIMIT_NOFILE, &all), 0);
	for (rlim_t n = 4; n < 64; n++) {
		struct kept kept;
		char now[64];

		set_up(false, 0);
		deep_make("dir/" OLD, "o", 10);
		deep_make("tmpfs/" PLAN_CACHE_DIR, "n", 10);
		disk = SYNC_QUIET;
		few = (struct rlimit){ n, all.rlim_max };
		ok_int(setrlimit(RLIMIT_NOFILE, &few), 0);
		keep_write(&keep, &kept);
		ok_int(setrlimit(RLIMIT_NOFILE, &all), 0);
		(void)snprintf(now, sizeof now, "%.21s",
			       text_of(keep.dir_fd, CACHE_CURRENT));
		saved += kept.is_saved;
		ok(kept.is_saved == (strcmp(now, OLD) != 0));
		ok(kept.is_saved == (kept.why == NULL));
		ok_int(kept.left_out, 0);
		ok_int(files_count(keep.dir_fd, now, "o"), 10);
		ok_int(files_count(keep.dir_fd, now, "n"),
		       kept.is_saved ? 10 : 0);
		tear_down();
	}
	ok(saved > 0 && saved < 60);
}

/* A file that the caller's user may not open.  Root may, so this is skipped for
 * root. */
static void a_closed_directory_keeps_the_old(void)
{
	if (geteuid() == 0)
		skip("root opens everything");
	set_up(false, 0);
	ok_int(mkdir("tmpfs/" PLAN_CACHE_DIR "/d", 0000), 0);
	ok_int(mkdir("dir/" OLD "/d", 0700), 0);
	put("dir/" OLD "/d/f", "old");
	ok_not_kept("unreadable");
	ok_has(text_of(keep.dir_fd, OLD "/d/f"), "old");
	ok_int(chmod("tmpfs/" PLAN_CACHE_DIR "/d", 0700), 0);
	tear_down();
	set_up(false, 0);
	ok_int(mkdir("tmpfs/" PLAN_CACHE_DIR "/d", 0700), 0);
	ok_int(mkdir("dir/" OLD "/d", 0000), 0);
	ok_not_kept("unreadable");
	tear_down();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_tree_is_on_the_disk_before_it_is_current),
		CASE(the_mark_of_a_new_cache_is_there_first),
		CASE(a_disk_that_fails_keeps_the_old),
		CASE(a_disk_that_hangs_is_left_alone),
		CASE(who_cancels_ends_the_wait_for_the_disk),
		CASE(cancelled_before_it_begins),
		CASE(unchanged_is_no_failure_however_late_it_is),
		CASE(out_of_time_anywhere),
		CASE(what_cannot_be_removed_in_time_the_next_one_removes),
		CASE(out_of_descriptors_anywhere),
		CASE(a_closed_directory_keeps_the_old), TAP_END });
}
