/* Artifacts: what leaves a dead vessel's tmpfs, and what does not. */
#include "supervise/artifact.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "artifact_world.h"
#include "plan/plan.h"
#include "tap.h"

static const char *get(const char *path)
{
	static char text[256];
	int fd = open(path, O_RDONLY | O_NOFOLLOW);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;

	if (fd >= 0)
		(void)close(fd);
	if (n < 0)
		return "(none)";
	text[n] = '\0';
	return text;
}

static struct artifact_list copy(const char *path, const char *dst)
{
	struct plan_artifact a = { .path = path, .dst = dst };
	struct plan p = { .artifacts = &a, .artifacts_len = 1 };
	struct artifact_list l;

	ok_int(artifact_copy_all(&p, tmpfs_fd, NULL, &l), 0);
	return l;
}

static void is_skipped(const char *path, const char *dst, const char *why)
{
	struct artifact_list l = copy(path, dst);

	ok_int(l.len, 1);
	ok(l.len > 0 && l.items[0].skipped != NULL);
	if (l.len > 0 && l.items[0].skipped != NULL)
		ok_has(l.items[0].skipped, why);
	artifact_list_done(&l);
}

static void a_file_of_each_view_is_copied_and_hashed(void)
{
	static const char *const views[][2] = {
		{ "../vessel/scratch/f", "/scratch/f" },
		{ "../vessel/tmp/f", "/tmp/f" },
		{ "../vessel/shm/f", "/dev/shm//f/" },
		{ "../vessel/upper/f", "/repo/f" },
	};

	set_up();
	for (size_t i = 0; i < 4; i++) {
		struct artifact_list l;

		put(views[i][0], "abc");
		l = copy(views[i][1], "out/of/it");
		ok_int(l.len, 1);
		ok(l.items[0].skipped == NULL);
		ok_int(l.items[0].bytes, 3);
		/* BLAKE3 of "abc" */
		ok_has(l.items[0].blake3,
		       "blake3:6437b3ac38465133ffb63b75273a8db548c558465d79db03"
		       "fd359c6cd5bd9d85");
		ok_has(l.items[0].dst, "out/of/it");
		ok_has(get("out/of/it"), "abc");
		ok_int(unlink("out/of/it"), 0);
		artifact_list_done(&l);
	}
	tear_down();
}

static void without_dst_it_is_the_base_name_here(void)
{
	struct artifact_list l;

	set_up();
	ok_int(mkdir("../vessel/scratch/d", 0755), 0);
	put("../vessel/scratch/d/f", "x");
	l = copy("/scratch/d/f", NULL);
	ok_has(get("f"), "x");
	artifact_list_done(&l);
	tear_down();
}

static void a_directory_is_its_regular_files_in_order(void)
{
	struct artifact_list l;

	set_up();
	ok_int(mkdir("../vessel/scratch/d", 0755), 0);
	ok_int(mkdir("../vessel/scratch/d/sub", 0755), 0);
	put("../vessel/scratch/d/b", "b");
	put("../vessel/scratch/d/a\n\x1b", "a");
	put("../vessel/scratch/d/sub/c", "c");
	ok_int(symlink("/etc/passwd", "../vessel/scratch/d/link"), 0);
	ok_int(mkfifo("../vessel/scratch/d/pipe", 0600), 0);
	l = copy("/scratch/d", NULL);
	ok_int(l.len, 5);
	ok_has(l.items[0].path, "/scratch/d/a\n\x1b");
	ok_has(l.items[1].path, "/scratch/d/b");
	ok_has(l.items[2].skipped, "not_regular");
	ok_has(l.items[3].skipped, "not_regular");
	ok_has(l.items[4].dst, "d/sub/c");
	ok_has(get("d/sub/c"), "c");
	ok_int(access("d/link", F_OK), -1);
	ok_int(access("d/pipe", F_OK), -1);
	artifact_list_done(&l);
	tear_down();
}

static void nothing_is_read_through_a_link(void)
{
	set_up();
	put("secret", "secret");
	ok_int(symlink("../../host/secret", "../vessel/scratch/link"), 0);
	ok_int(symlink("../../host", "../vessel/scratch/dir"), 0);
	is_skipped("/scratch/link", "o", "not_regular");
	is_skipped("/scratch/dir/secret", "o", "not_regular");
	is_skipped("/scratch/../../host/secret", "o", "not_regular");
	is_skipped("/scratch/..", "o", "not_regular");
	ok_has(get("o"), "(none)");
	tear_down();
}

static void what_is_not_there_is_said(void)
{
	set_up();
	is_skipped("/scratch/none", "o", "not_found");
	is_skipped("/etc/passwd", "o", "not_in_scratch");
	is_skipped("/scratchy/f", "o", "not_in_scratch");
	(void)close(tmpfs_fd);
	tmpfs_fd = -1;
	is_skipped("/scratch/none", "o", "no_scratch");
	tear_down();
}

static void a_link_at_dst_is_replaced_not_followed(void)
{
	struct artifact_list l;

	set_up();
	put("../vessel/scratch/f", "new");
	put("victim", "old");
	ok_int(symlink("victim", "dst"), 0);
	l = copy("/scratch/f", "dst");
	ok(l.items[0].skipped == NULL);
	artifact_list_done(&l);
	ok_has(get("victim"), "old");
	ok_has(get("dst"), "new");
	tear_down();
}

static int temporaries(void)
{
	DIR *d = opendir(".");
	struct dirent *e;
	int n = 0;

	while ((e = readdir(d)) != NULL)
		n += strncmp(e->d_name, ".cupel", 6) == 0;
	(void)closedir(d);
	return n;
}

static void a_link_above_dst_is_refused(void)
{
	char abs[256];

	set_up();
	put("../vessel/scratch/f", "new");
	ok_int(mkdir("real", 0755), 0);
	ok_int(symlink("real", "dir"), 0);
	is_skipped("/scratch/f", "dir/f", "write_failed");
	(void)snprintf(abs, sizeof abs, "%s/host/dir/f", top);
	is_skipped("/scratch/f", abs, "write_failed");
	ok_has(get("real/f"), "(none)");
	is_skipped("/scratch/f", "..", "write_failed");
	is_skipped("/scratch/f", "real", "write_failed"); /* a directory */
	ok_int(temporaries(), 0);
	is_skipped("/scratch/f", "", "write_failed");
	tear_down();
}

static void the_total_is_capped_and_holes_count(void)
{
	struct artifact_list l;
	struct plan_artifact a[3] = { { "/scratch/big", "big" },
				      { "/scratch/half", "half" },
				      { "/scratch/more", "more" } };
	struct plan p = { .artifacts = a, .artifacts_len = 3 };

	set_up();
	put("../vessel/scratch/big", "");
	put("../vessel/scratch/half", "");
	put("../vessel/scratch/more", "");
	ok_int(truncate("../vessel/scratch/big", (64 << 20) + 1), 0);
	ok_int(truncate("../vessel/scratch/half", 40 << 20), 0);
	ok_int(truncate("../vessel/scratch/more", 40 << 20), 0);
	ok_int(artifact_copy_all(&p, tmpfs_fd, NULL, &l), 0);
	ok_int(l.len, 3);
	ok_has(l.items[0].skipped, "too_large");
	ok(l.items[1].skipped == NULL);
	ok_has(l.items[2].skipped, "too_large");
	ok_int(access("more", F_OK), -1);
	ok_int(temporaries(), 0); /* no temporary is left */
	artifact_list_done(&l);
	tear_down();
}

static void the_number_is_capped(void)
{
	struct artifact_list l;

	set_up();
	for (int i = 0; i < ARTIFACT_FILES_MAX + 5; i++) {
		char name[64];

		(void)snprintf(name, sizeof name, "../vessel/scratch/%05d", i);
		put(name, "");
	}
	l = copy("/scratch", "all");
	ok_int(l.len, ARTIFACT_FILES_MAX);
	ok_has(l.items[ARTIFACT_FILES_MAX - 1].skipped, "too_many");
	ok(l.items[0].skipped == NULL);
	artifact_list_done(&l);
	tear_down();
}

static void a_deep_tree_ends(void)
{
	struct artifact_list l;
	int fd = -1;

	set_up();
	fd = open("../vessel/scratch", O_PATH | O_DIRECTORY);
	for (int i = 0; i < 60; i++) {
		int below;

		ok_int(mkdirat(fd, "d", 0755), 0);
		below = openat(fd, "d", O_PATH | O_DIRECTORY);
		(void)close(fd);
		fd = below;
	}
	(void)close(fd);
	l = copy("/scratch", "all");
	ok_int(l.len, 1);
	ok_has(l.items[0].skipped, "too_deep");
	artifact_list_done(&l);
	tear_down();
}

/* The first is there however the name is written, and the result says so. */
static void of_two_with_one_target_the_first_is_copied(void)
{
	static const char *const spelt[] = { "out", "./out", "d/../out",
					     ".//out" };

	for (size_t i = 0; i < sizeof spelt / sizeof *spelt; i++) {
		struct plan_artifact a[] = {
			{ .path = "/scratch/none", .dst = "out" },
			{ .path = "/scratch/f", .dst = "out" },
			{ .path = "/scratch/g", .dst = spelt[i] },
			{ .path = "/scratch/g", .dst = "other" },
		};
		struct plan p = { .artifacts = a, .artifacts_len = 4 };
		struct artifact_list l;

		set_up();
		ok_int(mkdir("d", 0700), 0);
		put("../vessel/scratch/f", "first");
		put("../vessel/scratch/g", "second");
		put("out", "of an earlier run");
		put("other", "of an earlier run");
		ok_int(artifact_copy_all(&p, tmpfs_fd, NULL, &l), 0);
		ok_int(l.len, 4);
		ok(l.items[1].skipped == NULL && l.items[1].dst != NULL);
		ok_has(l.items[2].skipped != NULL ? l.items[2].skipped : "",
		       "same_target");
		ok(l.items[2].dst == NULL);
		ok(l.items[3].skipped == NULL);
		ok_has(get("out"), "first");
		ok_has(get("other"), "second");
		artifact_list_done(&l);
		tear_down();
	}
}

static void a_file_and_a_directory_may_meet_at_a_target(void)
{
	struct plan_artifact a[] = {
		{ .path = "/scratch/d", .dst = "out" },
		{ .path = "/scratch/f", .dst = "out/x" },
	};
	struct plan p = { .artifacts = a, .artifacts_len = 2 };
	struct artifact_list l;

	set_up();
	ok_int(mkdir("../vessel/scratch/d", 0700), 0);
	put("../vessel/scratch/d/x", "first");
	put("../vessel/scratch/f", "second");
	ok_int(artifact_copy_all(&p, tmpfs_fd, NULL, &l), 0);
	ok_int(l.len, 2);
	ok_has(l.len == 2 && l.items[1].skipped != NULL ? l.items[1].skipped
							: "",
	       "same_target");
	ok_has(get("out/x"), "first");
	artifact_list_done(&l);
	tear_down();
}

/* A result is UTF-8, and would have the same name for all of these. */
static void a_target_that_a_result_cannot_say_is_not_written(void)
{
	struct artifact_list l;

	set_up();
	ok_int(mkdir("../vessel/scratch/d", 0700), 0);
	put("../vessel/scratch/d/x\377", "1");
	put("../vessel/scratch/d/x\376", "2");
	put("../vessel/scratch/d/x\357\277\275", "3"); /* U+FFFD itself */
	l = copy("/scratch/d", "out");
	ok_int(l.len, 3);
	for (size_t i = 0; i < l.len; i++) {
		bool is_said = l.items[i].skipped == NULL;

		ok(is_said || strcmp(l.items[i].skipped, "not_utf8") == 0);
		ok(is_said == (l.items[i].dst != NULL));
	}
	ok_has(get("out/x\357\277\275"), "3");
	ok_has(get("out/x\377"), "(none)");
	ok_has(get("out/x\376"), "(none)");
	artifact_list_done(&l);
	is_skipped("/scratch/d/x\377", "o\377", "not_utf8");
	l = copy("/scratch/d/x\377", "o");
	ok(l.len == 1 && l.items[0].skipped == NULL);
	ok_has(get("o"), "1");
	artifact_list_done(&l);
	tear_down();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_file_of_each_view_is_copied_and_hashed),
		CASE(without_dst_it_is_the_base_name_here),
		CASE(a_directory_is_its_regular_files_in_order),
		CASE(nothing_is_read_through_a_link),
		CASE(what_is_not_there_is_said),
		CASE(a_link_at_dst_is_replaced_not_followed),
		CASE(a_link_above_dst_is_refused),
		CASE(the_total_is_capped_and_holes_count),
		CASE(of_two_with_one_target_the_first_is_copied),
		CASE(a_file_and_a_directory_may_meet_at_a_target),
		CASE(a_target_that_a_result_cannot_say_is_not_written),
		CASE(the_number_is_capped), CASE(a_deep_tree_ends), TAP_END });
}
